# fstrace_descriptions(TARGET): files to install that TARGET generates about itself: a manual
# page of each applet, from the prose in docs/*.8.in and the rows in the code, and completion for
# shells. TARGET is run for that; where it cannot be, being for another machine
# without CMAKE_CROSSCOMPILING_EMULATOR, they are left out.

include(GNUInstallDirs)

function(fstrace_descriptions target)
	string(TOLOWER "${CMAKE_HOST_SYSTEM_PROCESSOR}" host)
	if(NOT host MATCHES ${BPF_PROCESSORS} AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
		message(STATUS "no manual pages and completion: ${target} cannot be run here")
		return()
	endif()
	set(to ${PROJECT_BINARY_DIR}/descriptions)
	set(script ${PROJECT_SOURCE_DIR}/cmake/Describe.cmake)
	file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.8.in)
	add_custom_command(OUTPUT ${to}/made
		COMMAND ${CMAKE_COMMAND}
			"-DFSTRACE=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:${target}>"
			-DDOCS=${PROJECT_SOURCE_DIR}/docs -DTO=${to} -P ${script}
		DEPENDS ${target} ${script} ${pages}
		COMMENT "Manual pages and completion" VERBATIM)
	add_custom_target(descriptions ALL DEPENDS ${to}/made)
	install(DIRECTORY ${to}/man8 DESTINATION ${CMAKE_INSTALL_MANDIR})
	install(DIRECTORY ${to}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
	install(DIRECTORY ${to}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
	install(DIRECTORY ${to}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()
