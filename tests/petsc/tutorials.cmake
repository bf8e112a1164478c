# PETSc's own tutorials, unmodified, where its examples are installed beside it (Debian: libpetsc*-dev-examples), and
# a program of petsc4py's. None of them knows Tessera.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" petsc_series "${TESSERA_PETSC_VERSION}")
find_path(
  TESSERA_PETSC_EXAMPLES src/ksp/ksp/tutorials/ex56.c
  PATHS ${TESSERA_PETSC_PREFIX}/share/petsc/examples /usr/share/petsc/${petsc_series}/share/petsc/examples
  NO_DEFAULT_PATH)
if(NOT TESSERA_PETSC_EXAMPLES)
  message(STATUS "Tessera: without the tests by PETSc's tutorials (its examples are not installed)")
  return()
endif()
foreach(tutorial ksp/ksp/tutorials/ex2 ksp/ksp/tutorials/ex56 snes/tutorials/ex19)
  string(REGEX REPLACE "^([a-z]+)/.*/" "\\1_" name ${tutorial})
  set(target tessera_test_petsc_${name})
  add_executable(${target} ${TESSERA_PETSC_EXAMPLES}/src/${tutorial}.c)
  target_link_libraries(${target} PRIVATE tessera_petsc_itself m)
  tessera_link_c_program(${target})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test C_STANDARD 11
                                             UNITY_BUILD OFF)
  add_dependencies(${target} tessera_petsc)
endforeach()

# The bounds of the iterations are a few above what they were when the test was written.
set(solver -pc_type tessera -pc_tessera_gather_rows 500)
foreach(processes 1 2 3 4)
  if(processes GREATER max_processes)
    break()
  endif()
  petsc_test(tutorial_ex2_${processes} ksp_ex2 ${processes} "Norm of error [0-9.e-]+ iterations 1?[0-9]\n" ${solver} -m 90
             -n 70 -ksp_type cg -ksp_rtol 1e-8)
endforeach()
# A matrix, a negative multiple of it, and a preconditioner that is kept.
string(REPEAT "CONVERGED_RTOL iterations 1[0-9]\n.*" 3 three_times)
foreach(processes 1 2 8)
  if(processes GREATER max_processes)
    break()
  endif()
  petsc_test(tutorial_ex56_${processes} ksp_ex56 ${processes} "${three_times}" ${solver} -ne 11
             -alpha 1.e-3 -ksp_type cg -two_solves -ksp_converged_reason -use_mat_nearnullspace -ksp_rtol 1e-6)
endforeach()
foreach(processes 1 2 4)
  if(processes GREATER max_processes)
    break()
  endif()
  petsc_test(tutorial_ex19_${processes} snes_ex19 ${processes}
             "CONVERGED_RTOL iterations 1?[0-9]\n.*Number of SNES iterations = 2" ${solver} -da_refine 3
             -snes_converged_reason -ksp_converged_reason -ksp_type fgmres)
endforeach()
