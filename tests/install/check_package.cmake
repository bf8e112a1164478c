# Installs Tessera (TREE=install) or takes its build tree (TREE=build), then configures, builds and
# tests the project in consumer/ against it.

# Each adapter alone, as an embedder of that one meets it: Tessera's own parts and the packages of
# Trilinos that it needs come with it.
function(check_alone adapter)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/one_adapter -B ${WORK_DIR}/${adapter}
      -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DTessera_ROOT=${package}
      -DADAPTER=${adapter} -DFORBIDDEN_INCLUDE=${forbidden})
endfunction()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
if(TREE STREQUAL install)
  run(${CMAKE_COMMAND} --install ${TESSERA_BINARY_DIR} --prefix ${WORK_DIR}/prefix)
  set(package ${WORK_DIR}/prefix)
  # The headers must come from the package alone: consumer/ refuses those of the source tree.
  set(forbidden "${TESSERA_SOURCE_DIR}/(src|kernels|packages)")
  set(pattern "")
else()
  set(package ${TESSERA_BINARY_DIR})
  set(forbidden "")
  set(pattern "01_*") # the others differ by nothing that a build tree could lack
endif()
# Where a program that knows nothing of Tessera would find the solvers by name.
file(GLOB_RECURSE preload ${package}/lib*/libtessera_belos_preload.so
     ${package}/packages/belos/libtessera_belos_preload.so)

string(REPLACE "," ";" alone "${ADAPTERS}")
foreach(adapter IN LISTS alone)
  check_alone(${adapter})
endforeach()

# A program in C, with the C interface alone.
if(WITH_C)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/c_consumer -B ${WORK_DIR}/c_consumer
      -DTessera_ROOT=${package} -DFORBIDDEN_INCLUDE=${forbidden} -DEXAMPLES=${TESSERA_SOURCE_DIR}/examples
      -DCHECK_OUTPUT=${TESSERA_SOURCE_DIR}/cmake/check_output.cmake)
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/c_consumer)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/c_consumer --output-on-failure --no-tests=error)
endif()

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK_DIR}/consumer
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 "-DPATTERN=${pattern}"
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DCMAKE_CXX_COMPILER_LAUNCHER=${CXX_LAUNCHER}
    -DTessera_ROOT=${package} -DADAPTERS=${ADAPTERS} -DDISTRIBUTED=${DISTRIBUTED} -DHYPRE=${HYPRE} -DMFEM=${MFEM} -DFORBIDDEN_INCLUDE=${forbidden}
    -DPRELOAD=${preload} -DUNMODIFIED=${TESSERA_SOURCE_DIR}/tests/belos/unmodified/unmodified.cpp
    -DEXAMPLES=${TESSERA_SOURCE_DIR}/examples -DCHECK_OUTPUT=${TESSERA_SOURCE_DIR}/cmake/check_output.cmake)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/consumer)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/consumer --output-on-failure --no-tests=error)
