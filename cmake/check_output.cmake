# cmake -DPROGRAM= -DSOURCE= -P check_output.cmake
# Runs a program and checks its exit status and, against `// expect: REGEX` of its source, its
# output. CTest's PASS_REGULAR_EXPRESSION alone would ignore the exit status.
file(STRINGS ${SOURCE} lines REGEX "^// expect: ")
execute_process(
  COMMAND ${PROGRAM}
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
  RESULT_VARIABLE status)
message("${output}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
endif()
foreach(line IN LISTS lines)
  string(REPLACE "// expect: " "" regex "${line}")
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "the output does not match: ${regex}")
  endif()
endforeach()
