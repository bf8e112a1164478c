# cmake -DINPUT= -DOUTPUT= -DSOURCE_DIR= -P write_version.cmake
# Runs in every build; configure_file leaves the output's time alone where nothing changed.
set(TESSERA_COMMIT unknown)
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} -c safe.directory=* describe --always --dirty --tags
    WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE described
    RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND described)
    set(TESSERA_COMMIT ${described})
  endif()
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
