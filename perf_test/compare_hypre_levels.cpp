// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels and iterations of classical multigrid beside those of hypre's BoomerAMG with the same
/// choices: PMIS, extended+i with 4 entries per row, strength 0.25, one sweep of l1-Jacobi, CG to
/// 1e-8 with a hashed right-hand side. Prints a table; nothing is timed.
///
///     tessera_perf_compare_hypre_levels poisson3d:n=50 jump2d:n=300,contrast=1e6 FILE.mtx.xz
///     tessera_perf_compare_hypre_levels --aggressive-levels 1 --aggressive-interpolation multipass
///     tessera_perf_compare_hypre_levels --smoother gauss_seidel --symmetric --order natural
#include "support/hypre_solve.hpp"
#include "support/real_systems.hpp"

#include "tessera/amg/multigrid.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <map>
#include <string>

namespace tessera::perf {

constexpr int coarse_size = 100;  ///< where both solve directly
constexpr double tolerance = 1e-8;
constexpr int max_iterations = 500;

/// What both are told.
struct Choices {
  amg::ClassicalParameters classical;
  SmootherParameters smoother = {.type = SmootherType::l1_jacobi};
  int functions = 1;
};

/// What a hierarchy is, and what it does.
struct Levels {
  std::vector<std::int64_t> rows;
  double complexity = 0;  ///< entries of A and P on all levels over those of the finest A
  int iterations = 0;
};

Levels of_tessera(const HostSystem& system, const Choices& choices) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  p.precision = Precision::same;
  p.solver.name = SolverName::cg;
  p.solver.tolerance = tolerance;
  p.solver.max_iterations = max_iterations;
  p.amg.coarsening = amg::CoarseningKind::classical;
  p.amg.classical = choices.classical;
  p.amg.coarse_size = coarse_size;
  p.amg.max_coarsening_ratio = 1;
  p.amg.max_operator_complexity = 100;
  p.amg.smoother = choices.smoother;
  const HostSpace exec;
  amg::Multigrid<double, HostSpace> grid(p.amg);
  grid.setup(exec, system.A, {}, choices.functions);
  Levels result;
  for (const auto& level : grid.levels()) {
    result.rows.push_back(level.A->num_rows());
    result.complexity += static_cast<double>(level.A->num_entries());
    if (level.P != nullptr) result.complexity += static_cast<double>(level.P->num_entries());
  }
  result.complexity /= static_cast<double>(system.A.num_entries());
  result.iterations =
      run_tessera(exec, system.A, system.b, p,
                  allocate_multivector<double>(exec, "tessera::perf::x", system.A.num_rows, 1), {},
                  choices.functions)
          .iterations;
  return result;
}

/// hypre's numbers for a smoother before and after the coarse correction.
struct HypreSmoother {
  int before = 18, after = 18;  ///< l1-Jacobi
};

/// hypre's numbers for an interpolation, on levels of ordinary and of aggressive coarsening, and
/// for a smoother.
struct HypreChoice {
  const char* name;
  int interpolation;
  int aggressive;
  HypreSmoother smoother = {};
};

/// Its nearest relative. On one process its l1-Gauss-Seidel is Gauss-Seidel.
HypreSmoother hypre_smoother(const SmootherParameters& p) {
  switch (p.type) {
    case SmootherType::gauss_seidel:
    case SmootherType::two_stage_gauss_seidel:
      if (p.gauss_seidel.symmetric) return {6, 6};
      return {13, 14};
    case SmootherType::chebyshev:
      return {16, 16};
    default:
      return {};
  }
}

/// Its nearest relatives of what Tessera does.
std::vector<HypreChoice> hypre_choices(const Choices& asked) {
  const amg::ClassicalParameters& p = asked.classical;
  const HypreSmoother smoother = hypre_smoother(asked.smoother);
  const bool multipass = p.aggressive_interpolation == amg::AggressiveInterpolation::multipass;
  if (p.interpolation == amg::Interpolation::extended_e)
    return {{"hypre, by products", 18, multipass ? 8 : 7, smoother}};
  if (p.interpolation == amg::Interpolation::classical_modified)
    return {{"hypre, row by row", 0, 4, smoother}};
  if (p.interpolation == amg::Interpolation::direct) return {{"hypre, row by row", 3, 4, smoother}};
  std::vector<HypreChoice> choices{{"hypre, by products", 17, multipass ? 8 : 6, smoother},
                                   {"hypre, row by row", 6, multipass ? 4 : 1, smoother}};
  if (p.splitting != amg::PointSplitting::pmis && smoother.before == 18)
    choices.push_back({"hypre, Gauss-Seidel forward and back", 6, multipass ? 4 : 1, {6, 6}});
  return choices;
}

Levels of_hypre(const HostSystem& system, HypreSystem& peer, const HypreChoice& choice,
                const Choices& asked) {
  const amg::ClassicalParameters& classical = asked.classical;
  const HYPRE_Solver solver = make_boomeramg(HypreDefaults::gpu);
  if (classical.splitting != amg::PointSplitting::pmis) HYPRE_BoomerAMGSetCoarsenType(solver, 10);
  HYPRE_BoomerAMGSetInterpType(solver, choice.interpolation);
  HYPRE_BoomerAMGSetStrongThreshold(solver, classical.strength_threshold);
  HYPRE_BoomerAMGSetNumFunctions(solver, asked.functions);
  HYPRE_BoomerAMGSetCycleRelaxType(solver, choice.smoother.before, 1);
  HYPRE_BoomerAMGSetCycleRelaxType(solver, choice.smoother.after, 2);
  HYPRE_BoomerAMGSetPMaxElmts(solver, classical.max_row_entries);
  HYPRE_BoomerAMGSetAggNumLevels(solver, classical.aggressive_levels);
  HYPRE_BoomerAMGSetAggInterpType(solver, choice.aggressive);
  HYPRE_BoomerAMGSetAggPMaxElmts(solver, classical.max_row_entries);
  HYPRE_BoomerAMGSetAggP12MaxElmts(solver, classical.max_row_entries);
  HYPRE_BoomerAMGSetNumPaths(solver, classical.aggressive_paths);
  HYPRE_BoomerAMGSetMaxCoarseSize(solver, coarse_size);
  HYPRE_BoomerAMGSetMaxLevels(solver, 20);
  HYPRE_BoomerAMGSetCumNnzAP(solver, 1.0);
  Levels result;
  HYPRE_ParVectorSetConstantValues(peer.x, 0.0);
  HyprePcg pcg(solver, tolerance, max_iterations);
  pcg.setup(peer);
  pcg.solve(peer);
  result.iterations = pcg.iterations();
  HYPRE_BoomerAMGGetCumNnzAP(solver, &result.complexity);
  result.complexity /= static_cast<double>(system.A.num_entries());
  // The last level that each point is on.
  std::vector<HYPRE_Int> last(peer.rows.size());
  HYPRE_BoomerAMGGetGridHierarchy(solver, last.data());
  for (const HYPRE_Int level : last) {
    if (result.rows.size() <= static_cast<std::size_t>(level)) result.rows.resize(level + 1);
    for (HYPRE_Int l = 0; l <= level; ++l)
      ++result.rows[l];
  }
  HYPRE_BoomerAMGDestroy(solver);
  return result;
}

void print(const std::string& name, const char* who, const Levels& levels) {
  std::string rows;
  for (const auto count : levels.rows)
    rows += (rows.empty() ? "" : " ") + std::to_string(count);
  std::printf("| %s | %s | %zu | %s | %.3f | %d |\n", name.c_str(), who, levels.rows.size(),
              rows.c_str(), levels.complexity, levels.iterations);
  std::fflush(stdout);
}

void compare(const MpiProcesses& processes, const RealCase& wanted, const Choices& choices) {
  const HostSpace exec;
  const auto A = wanted.make(std::filesystem::temp_directory_path()).A;
  const HostSystem system{A, random_vector(exec, A.num_rows)};
  exec.fence("tessera::perf");
  HypreSystem peer(system, processes);
  print(wanted.name, "Tessera", of_tessera(system, choices));
  for (const HypreChoice& choice : hypre_choices(choices))
    print("", choice.name, of_hypre(system, peer, choice, choices));
}

/// What an option takes for an enumeration.
template <class Enum, std::size_t n>
std::map<std::string, Enum> by_name(const EnumName<Enum> (&names)[n]) {
  std::map<std::string, Enum> result;
  for (const auto& name : names)
    result.emplace(name.name, name.value);
  return result;
}

}  // namespace tessera::perf

int main(int argc, char** argv) {
  using namespace tessera::perf;
  CLI::App app{"Levels of classical multigrid beside hypre's BoomerAMG on the host"};
  std::vector<std::string> systems = {"poisson2d:n=300",
                                      "poisson3d:n=40",
                                      "poisson3d27:n=30",
                                      "anisotropic2d:n=300,theta=0",
                                      "anisotropic2d:n=300",
                                      "jump2d:n=300,contrast=1e6",
                                      "jump3d:n=40,contrast=1e6",
                                      "unstructured2d:n=200,epsilon=1",
                                      "unstructured3d:n=30,epsilon=1"};
  app.add_option("systems", systems,
                 "problems of the gallery, as jump2d:n=500,contrast=1e6, and Matrix Market files");
  Choices choices;
  auto& classical = choices.classical;
  app.add_option("--splitting", classical.splitting,
                 "amg.classical.splitting; hypre's is HMIS then")
      ->transform(CLI::CheckedTransformer(by_name(tessera::amg::point_splitting_names)));
  app.add_option("--interpolation", classical.interpolation, "amg.classical.interpolation")
      ->transform(CLI::CheckedTransformer(by_name(tessera::amg::interpolation_names)));
  app.add_option("--aggressive-levels", classical.aggressive_levels,
                 "amg.classical.aggressive_levels");
  app.add_option("--aggressive-interpolation", classical.aggressive_interpolation,
                 "amg.classical.aggressive_interpolation")
      ->transform(CLI::CheckedTransformer(by_name(tessera::amg::aggressive_interpolation_names)));
  app.add_option("--aggressive-paths", classical.aggressive_paths,
                 "amg.classical.aggressive_paths");
  app.add_option("--max-row-entries", classical.max_row_entries, "amg.classical.max_row_entries");
  app.add_option("--strength-threshold", classical.strength_threshold,
                 "amg.classical.strength_threshold");
  app.add_option("--functions", choices.functions, "unknowns per node, coarsened by unknowns");
  auto& smoother = choices.smoother;
  app.add_option("--smoother", smoother.type, "amg.smoother.type; hypre's is the nearest to it")
      ->transform(CLI::CheckedTransformer(by_name(tessera::smoother_type_names)));
  app.add_flag("--symmetric", smoother.gauss_seidel.symmetric,
               "amg.smoother.gauss_seidel.symmetric");
  app.add_option("--order", smoother.gauss_seidel.order, "amg.smoother.gauss_seidel.order")
      ->transform(CLI::CheckedTransformer(by_name(tessera::gauss_seidel_order_names)));
  app.add_option("--inner-sweeps", smoother.gauss_seidel.inner_sweeps,
                 "amg.smoother.gauss_seidel.inner_sweeps");
  app.add_option("--kind", smoother.chebyshev.kind, "amg.smoother.chebyshev.kind")
      ->transform(CLI::CheckedTransformer(by_name(tessera::chebyshev_kind_names)));
  app.add_option("--degree", smoother.chebyshev.degree, "amg.smoother.chebyshev.degree");
  CLI11_PARSE(app, argc, argv);

  const MpiProcesses processes(argc, argv);
  const HypreLibrary hypre;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  std::printf(
      "| system | by | levels | rows | entries of A and P, over A's | iterations |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  try {
    for (const std::string& system : systems) {
      RealCase wanted;
      if (std::filesystem::exists(system)) {
        wanted.file = system;
        wanted.name = std::filesystem::path(system).stem().stem();
      } else {
        wanted = gallery_case(system);
      }
      compare(processes, wanted, choices);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 64;
  }
}
