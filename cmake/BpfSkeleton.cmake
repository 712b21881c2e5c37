# bpf_object(NAME): bpf/NAME.bpf.c -> NAME.bpf.o, in the build folder. Depends on nothing of the
# kernel it is built on. clang writes which headers it read, so a touched header rebuilds its users
# alone.
#
# bpf_skeleton(NAME): that, and NAME.skel.h with bpftool's skeleton. bpf_embed(NAME): that, and
# NAME.object.h with the object compressed to a fifth, for what is in core/trace/tracer.h.
#
# bpf_compile(SOURCE OBJECT): what clang makes of it, with DWARF and all.
#
# BPF_ARCH: the machine as libbpf's headers call it; BPF_PROCESSORS: a pattern of CMake's names.
include_guard(DIRECTORY)

find_program(CLANG NAMES clang clang-14 clang-19 REQUIRED)
find_program(BPFTOOL bpftool PATHS /usr/sbin /sbin REQUIRED)

# The machine that fstrace will run on is the one the C compiler makes code for: CMake's idea of it
# is wrong if the user names a cross compiler and nothing else.
set(flags ${CMAKE_C_FLAGS})
separate_arguments(flags UNIX_COMMAND "${flags}")
if(CMAKE_C_COMPILER_TARGET)
	list(APPEND flags ${CMAKE_C_COMPILE_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET})
endif()
execute_process(COMMAND ${CMAKE_C_COMPILER} ${CMAKE_C_COMPILER_ARG1} ${flags} -dM -E -x c /dev/null
	OUTPUT_VARIABLE macros RESULT_VARIABLE failed)
if(failed)
	message(FATAL_ERROR "${CMAKE_C_COMPILER} does not say which machine it makes code for")
elseif(macros MATCHES "#define __x86_64__ " AND NOT macros MATCHES "#define __ILP32__ ")
	set(BPF_ARCH x86)
	set(BPF_PROCESSORS "^(x86_64|amd64)$")
elseif(macros MATCHES "#define __aarch64__ " AND macros MATCHES "#define __AARCH64EL__ ")
	set(BPF_ARCH arm64)
	set(BPF_PROCESSORS "^(aarch64|arm64)$")
else()
	message(FATAL_ERROR "${CMAKE_C_COMPILER} makes code for neither x86-64 nor arm64 "
		"(little-endian): bpf/kernel_types.h has no register layout for it")
endif()
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
if(CMAKE_CROSSCOMPILING AND NOT processor MATCHES ${BPF_PROCESSORS})
	message(FATAL_ERROR "CMAKE_SYSTEM_PROCESSOR is ${CMAKE_SYSTEM_PROCESSOR}, "
		"but ${CMAKE_C_COMPILER} makes code for ${BPF_ARCH}")
endif()

set(bpf_flags -target bpf -mcpu=v2 -O2 -D__TARGET_ARCH_${BPF_ARCH}
	# What distributions switch on in clang, and BPF cannot have, or must not differ in.
	-fno-stack-protector -fcf-protection=none -ftrivial-auto-var-init=uninitialized
	-fno-pic -fno-exceptions -fno-asynchronous-unwind-tables -U_FORTIFY_SOURCE
	# The same bytes wherever source and build folder are. BTF has lines of the source, which clang
	# would look for under the mapped name: so it has to carry them.
	-ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -fdebug-compilation-dir=. -gdwarf-5 -gembed-source)
# <asm/types.h> is in a folder of the architecture.
if(CMAKE_LIBRARY_ARCHITECTURE)
	list(APPEND bpf_flags -idirafter /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
# More of the first kind, which not every clang knows.
foreach(flag --no-default-config -fzero-call-used-regs=skip)
	execute_process(COMMAND ${CLANG} -target bpf ${flag} -fsyntax-only -x c /dev/null
		RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
	if(NOT failed)
		list(APPEND bpf_flags ${flag})
	endif()
endforeach()

function(bpf_compile source object)
	add_custom_command(OUTPUT ${object}
		COMMAND ${CLANG} ${bpf_flags} -Wall -Wextra -Wno-unused-parameter
			-iquote ${PROJECT_SOURCE_DIR} -MD -MF ${object}.d -MT ${object}
			-c ${source} -o ${object}
		DEPENDS ${source} DEPFILE ${object}.d COMMENT "BPF ${source}" VERBATIM)
endfunction()

function(bpf_object name)
	set(object ${PROJECT_BINARY_DIR}/${name}.bpf.o)

	bpf_compile(${PROJECT_SOURCE_DIR}/bpf/${name}.bpf.c ${object}.compiled)
	# bpftool leaves out DWARF and whatever else libbpf does not read.
	add_custom_command(OUTPUT ${object}
		COMMAND ${BPFTOOL} gen object ${object} ${object}.compiled
		DEPENDS ${object}.compiled VERBATIM)
endfunction()

function(bpf_skeleton name)
	set(object ${PROJECT_BINARY_DIR}/${name}.bpf.o)
	set(skeleton ${PROJECT_BINARY_DIR}/${name}.skel.h)

	bpf_object(${name})
	add_custom_command(OUTPUT ${skeleton}
		COMMAND ${BPFTOOL} gen skeleton ${object} name ${name}_bpf > ${skeleton}
		DEPENDS ${object} VERBATIM)
endfunction()

function(bpf_embed name)
	set(object ${PROJECT_BINARY_DIR}/${name}.bpf.o)
	set(header ${PROJECT_BINARY_DIR}/${name}.object.h)

	bpf_object(${name})
	add_custom_command(OUTPUT ${header}
		COMMAND gzip -9nc ${object} > ${object}.gz
		COMMAND ${CMAKE_COMMAND} -DFILE=${object}.gz -DNAME=${name} -DHEADER=${header}
			-P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
		DEPENDS ${object} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
endfunction()
