# `bundle`: every program, with the libraries that it needs and a script that runs them, for a
# machine that has no compiler: a compute node with the GPU's driver, the CUDA runtime libraries and
# bash.

get_property(tests GLOBAL PROPERTY TESSERA_BUNDLE_TESTS)
get_property(examples GLOBAL PROPERTY TESSERA_BUNDLE_EXAMPLES)
get_property(programs GLOBAL PROPERTY TESSERA_BUNDLE_PERF)
set(app "")
if(TARGET tessera)
  set(app tessera)
endif()

set(tessera_bundle_targets ${tests} ${examples} ${programs} ${app})
if(NOT tessera_bundle_targets)
  return()
endif()

# One line a program: its kind, its file, and for an example its source.
set(lines "")
foreach(target IN LISTS tests)
  string(APPEND lines "test;$<TARGET_FILE:${target}>;\n")
endforeach()
foreach(target IN LISTS examples)
  string(REPLACE tessera_example_ "" name ${target})
  string(APPEND lines
         "example;$<TARGET_FILE:${target}>;${PROJECT_SOURCE_DIR}/examples/${name}.cpp\n")
endforeach()
foreach(target IN LISTS programs)
  string(APPEND lines "perf;$<TARGET_FILE:${target}>;\n")
endforeach()
if(app)
  string(APPEND lines "app;$<TARGET_FILE:tessera>;\n")
endif()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/bundle.list CONTENT "${lines}")

add_custom_target(
  bundle
  COMMAND
    ${CMAKE_COMMAND} -DLIST=${PROJECT_BINARY_DIR}/bundle.list
    -DBUNDLE=${PROJECT_BINARY_DIR}/bundle -DSTRIP=${CMAKE_STRIP}
    -DRUN=${PROJECT_SOURCE_DIR}/cmake/bundle/run.sh -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DVERSION=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/cmake/bundle/make_bundle.cmake
  DEPENDS ${tessera_bundle_targets}
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  COMMENT "Collecting the programs in ${PROJECT_BINARY_DIR}/tessera-bundle.tar.xz"
  VERBATIM)
