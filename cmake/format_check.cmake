# cmake -DSOURCE_DIR= [-DFIX=ON] -P format_check.cmake
# Checks, or with FIX corrects, the layout of every source. clang-format's answers change with its
# release, so only the one that the .clang-format is for is asked.
set(TESSERA_CLANG_FORMAT_MAJOR 21)

function(is_right_release result program)
  execute_process(COMMAND ${program} --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(NOT version MATCHES "version ${TESSERA_CLANG_FORMAT_MAJOR}\\.")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

find_program(clang_format NAMES clang-format-${TESSERA_CLANG_FORMAT_MAJOR} clang-format
             VALIDATOR is_right_release NO_CACHE)
if(NOT clang_format)
  # CTest counts this line as a skipped test.
  message("skipped: there is no clang-format ${TESSERA_CLANG_FORMAT_MAJOR} here")
  return()
endif()

set(files "")
foreach(folder kernels src packages tests checks perf_test examples cmake)
  file(GLOB_RECURSE found ${SOURCE_DIR}/${folder}/*.hpp ${SOURCE_DIR}/${folder}/*.cpp)
  list(APPEND files ${found})
endforeach()
if(FIX)
  set(arguments -i)
else()
  set(arguments --dry-run -Werror)
endif()
execute_process(COMMAND ${clang_format} --style=file ${arguments} ${files} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the layout of the files above differs; `./dev format` corrects it")
endif()
