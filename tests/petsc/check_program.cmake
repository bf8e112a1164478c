# cmake -DCOMMAND= -DEXPECTED= -P check_program.cmake: runs a program, whose arguments are lines, and checks
# its exit status and its output: "REGEX" or, where it has to fail, "ERROR REGEX".
string(REPLACE "\n" ";" COMMAND "${COMMAND}")
execute_process(
  COMMAND ${COMMAND}
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
  RESULT_VARIABLE status)
message("${output}")
if(output MATCHES "^skipped: ")
  return() # CTest knows it by this line
endif()
set(fails OFF)
if(EXPECTED MATCHES "^ERROR (.*)$")
  set(EXPECTED "${CMAKE_MATCH_1}")
  set(fails ON)
endif()
if(fails AND status EQUAL 0)
  message(FATAL_ERROR "it ended with 0, where an error is expected")
elseif(NOT fails AND NOT status EQUAL 0)
  message(FATAL_ERROR "it ended with ${status}")
endif()
if(NOT output MATCHES "${EXPECTED}")
  message(FATAL_ERROR "the output does not match: ${EXPECTED}")
endif()
