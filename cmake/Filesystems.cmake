# fstrace_filesystems(TARGET): compiles the table of core/filesystem/STEM.c into TARGET: each
# describes one file system, STEM_filesystem. A new file system is a new file: nothing that exists
# is edited.

function(fstrace_filesystems target)
	file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/filesystem/*.c)
	set(declarations "")
	set(rows "")
	foreach(file ${files})
		get_filename_component(stem ${file} NAME_WE)
		if(stem STREQUAL "filesystem")
			continue()
		endif()
		string(APPEND declarations "extern const struct filesystem ${stem}_filesystem;\n")
		string(APPEND rows "\t&${stem}_filesystem,\n")
	endforeach()
	file(CONFIGURE OUTPUT filesystem_table.c CONTENT
"/* Made by cmake/Filesystems.cmake from the files in core/filesystem/. */
#include \"core/filesystem/filesystem.h\"

${declarations}
const struct filesystem *const filesystem_table[] = {
${rows}\t0
};
" @ONLY)
	target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/filesystem_table.c)
endfunction()
