# fstrace_applets(TARGET): compiles every applets/STEM.c into TARGET, with the object of
# bpf/STEM.bpf.c, and writes the table of their arrays STEM_applets. A new applet is a new file:
# nothing that exists is edited.

include(BpfSkeleton)

function(fstrace_applets target)
	file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/applets/*.c)
	set(declarations "")
	set(rows "")
	foreach(file ${files})
		get_filename_component(stem ${file} NAME_WE)
		bpf_embed(${stem})
		target_sources(${target} PRIVATE ${file} ${PROJECT_BINARY_DIR}/${stem}.object.h)
		string(APPEND declarations "extern const struct applet ${stem}_applets[];\n")
		string(APPEND rows "\t${stem}_applets,\n")
	endforeach()
	file(CONFIGURE OUTPUT applet_table.c CONTENT
"/* Made by cmake/Applets.cmake from the files in applets/. */
#include \"core/cli/applet.h\"

${declarations}
const struct applet *const applet_table[] = {
${rows}\t0
};
" @ONLY)
	target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/applet_table.c)
endfunction()
