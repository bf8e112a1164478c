# A matrix over several processes: one hierarchy, distributed as the rows are.
if(NOT has_distributed)
  petsc_test(2_processes_refused laplacian 2 "ERROR distributed over 2.*-pc_type bjacobi -sub_pc_type tessera" ${tessera})
  return()
endif()
foreach(processes 1 2 3 4)
  petsc_test(${processes}_processes processes ${processes} "")
endforeach()
foreach(processes 2 3 4)
  petsc_test(${processes}_processes_laplacian laplacian ${processes}
             "type: tessera.*smoothed_aggregation.*CONVERGED_RTOL after 1[0-9] iterations" ${tessera} -ksp_view
             -pc_tessera_gather_rows 500)
  petsc_test(${processes}_processes_elasticity elasticity ${processes} "3 near-nullspace vectors" ${tessera} -ksp_view
             -most_iterations 14 -pc_tessera_gather_rows 500)
  petsc_test(${processes}_processes_bratu bratu ${processes}
             "setups: 1, updates: [3-9],.*CONVERGED_FNORM_RELATIVE" ${tessera} -snes_view -pc_tessera_gather_rows 500
             -pc_tessera_amg_reuse symbolic)
endforeach()
petsc_test(3_processes_neumann laplacian 3 "CONVERGED" ${tessera} -neumann -pc_tessera_gather_rows 500)
petsc_test(3_processes_coordinates elasticity 3 "3 near-nullspace vectors" ${tessera} -near coordinates -ksp_view
           -most_iterations 14 -pc_tessera_gather_rows 500)
petsc_test(3_processes_blocks elasticity 3 "3 near-nullspace vectors" ${tessera} -mat_type baij -ksp_view
           -most_iterations 14 -pc_tessera_gather_rows 500)
petsc_test(3_processes_smoother laplacian 3 "chebyshev.*CONVERGED" ${tessera} -ksp_view -pc_tessera_gather_rows 500
           -pc_tessera_amg_smoother_type chebyshev -pc_tessera_amg_cycle f)
petsc_test(3_processes_float laplacian 3 "precision float.*CONVERGED" ${tessera} -ksp_view -ksp_type fgmres
           -pc_tessera_precision float)
foreach(type baij sbaij dense)
  petsc_test(2_processes_${type} laplacian 2 "CONVERGED" ${tessera} -mat_type ${type} -n 40 -pc_tessera_gather_rows 200)
endforeach()
petsc_test(2_processes_refused laplacian 2 "ERROR on several processes 'preconditioner' is amg" ${tessera}
           -pc_tessera_preconditioner ilu)
