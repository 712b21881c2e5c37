# bpf_skeleton(NAME): bpf/NAME.bpf.c -> NAME.bpf.o -> NAME.skel.h, in the build folder. Depends on
# nothing of the kernel it is built on. clang writes which headers it read, so a touched header
# rebuilds its users alone.

find_program(CLANG NAMES clang clang-14 clang-19 REQUIRED)
find_program(BPFTOOL bpftool PATHS /usr/sbin /sbin REQUIRED)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64)$")
	set(BPF_ARCH x86)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
	set(BPF_ARCH arm64)
else()
	message(FATAL_ERROR "no register layout for ${CMAKE_SYSTEM_PROCESSOR} in bpf/kernel_types.h")
endif()

function(bpf_skeleton name)
	set(source ${PROJECT_SOURCE_DIR}/bpf/${name}.bpf.c)
	set(object ${PROJECT_BINARY_DIR}/${name}.bpf.o)
	set(skeleton ${PROJECT_BINARY_DIR}/${name}.skel.h)

	# <asm/types.h> is in a folder of the architecture.
	set(system_headers "")
	if(CMAKE_LIBRARY_ARCHITECTURE)
		set(system_headers -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
	endif()

	add_custom_command(OUTPUT ${object}.compiled
		COMMAND ${CLANG} -target bpf -mcpu=v2 -g -O2 -Wall -Wextra -Wno-unused-parameter
			-D__TARGET_ARCH_${BPF_ARCH} ${system_headers}
			-MD -MF ${object}.d -MT ${object}.compiled -c ${source} -o ${object}.compiled
		DEPENDS ${source} DEPFILE ${object}.d
		COMMENT "BPF ${name}" VERBATIM)
	# bpftool leaves out DWARF and whatever else libbpf does not read.
	add_custom_command(OUTPUT ${object}
		COMMAND ${BPFTOOL} gen object ${object} ${object}.compiled
		DEPENDS ${object}.compiled VERBATIM)
	add_custom_command(OUTPUT ${skeleton}
		COMMAND ${BPFTOOL} gen skeleton ${object} name ${name}_bpf > ${skeleton}
		DEPENDS ${object} VERBATIM)
endfunction()
