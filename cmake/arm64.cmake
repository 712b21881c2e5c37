# Builds for arm64 with Debian's cross compiler (gcc-aarch64-linux-gnu) and its multiarch libraries
# (test/install's group arm64 lists the packages):
#
#   cmake --preset arm64 && cmake --build --preset arm64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# With it the build makes the manual pages and completion, too (Descriptions.cmake).
find_program(qemu NAMES qemu-aarch64-static qemu-aarch64)
if(qemu)
	set(CMAKE_CROSSCOMPILING_EMULATOR ${qemu})
endif()
