# Sets elf_gap to the source of what a static libelf lacks (libelf_gap.c), or to nothing where it
# links as it is.

# Together these reach all of libelf that libbpf does.
set(program "#include <libelf.h>
	int main(int argc, char **argv)
	{
		Elf *elf = elf_memory(argv[0], argc);
		Elf_Scn *section = elf_newscn(elf);

		return elf_strptr(elf, 0, 0) || elf_rawdata(section, 0) || elf_update(elf, argc) ||
		       elf_end(elf);
	}")
set(elf_gap "")
try_compile(libelf_links SOURCE_FROM_VAR program.c program
	LINK_OPTIONS -static LINK_LIBRARIES elf z)
if(NOT libelf_links)
	set(elf_gap ${PROJECT_SOURCE_DIR}/cmake/libelf_gap.c)
	try_compile(libelf_links_with_gap SOURCE_FROM_VAR program.c program SOURCES ${elf_gap}
		LINK_OPTIONS -static LINK_LIBRARIES elf z OUTPUT_VARIABLE output)
	if(NOT libelf_links_with_gap)
		message(FATAL_ERROR "libelf does not link statically. Are the packages installed "
			"that README.md names? (-DFSTRACE_STATIC=OFF takes shared libraries.)\n"
			"${output}")
	endif()
endif()
