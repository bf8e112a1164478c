// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The solvers that compare_real starts, and where their programs lie.
#pragma once

#include "support/solve_timing.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// What a variant does otherwise than the solver that it is of.
enum class RealVariant {
  none,
  iterative,  ///< no factors or inverse of the whole matrix
  direct  ///< factors after `iterations_before_factors`, where those do not do
};

NLOHMANN_JSON_SERIALIZE_ENUM(RealVariant, {{RealVariant::none, "none"},
                                           {RealVariant::iterative, "iterative"},
                                           {RealVariant::direct, "direct"}})

/// Tessera takes factors, too, where more than 200 further iterations are estimated.
inline constexpr int iterations_before_factors = 200;

/// A solver, its program in `real/` and the arguments of that.
struct RealSolver {
  std::string name, program;
  std::vector<std::string> arguments;
  std::string text;
  RealVariant variant = RealVariant::none;
  std::string of = {};  ///< the solver that a variant is of

  /// Whether a variant would do all that its solver did, whose result this is.
  bool repeats(const nlohmann::json& result) const {
    if (!result.contains("method")) return false;
    const bool iterates = result["method"] == SolveMethod::iterative;
    if (variant == RealVariant::iterative) return iterates;
    return variant == RealVariant::direct && result["status"] == "solved" &&
           (!iterates || result["iterations"] <= iterations_before_factors);
  }
};

/// A variant follows the solver that it is of.
inline const std::vector<RealSolver>& known_solvers() {
  static const std::vector<std::string> then_direct{"--direct-after",
                                                    std::to_string(iterations_before_factors)};
  static const std::vector<std::string> small_levels{"--coarse-rows", "200"};
  constexpr auto iterative = RealVariant::iterative;
  constexpr auto direct = RealVariant::direct;
  static const std::vector<RealSolver> solvers{
      {"tessera", "tessera", {}, "Tessera, all picked by itself"},
      {"tessera-iterative",
       "tessera",
       {"--iterative"},
       "Tessera without factors or a dense inverse of the whole matrix",
       iterative,
       "tessera"},
      {"hypre",
       "hypre",
       {"--defaults", "cpu"},
       "BoomerAMG by its defaults (HMIS, extended+i, Gauss-Seidel); PCG or GMRES(30)"},
      {"hypre-direct", "hypre", then_direct,
       "the same, and SuperLU_DIST by hypre where 200 iterations do not do", direct, "hypre"},
      {"hypre-gpu",
       "hypre",
       {"--defaults", "gpu"},
       "BoomerAMG by its defaults on GPUs (PMIS, extended+i, l1-Jacobi); PCG or GMRES(30)"},
      {"muelu", "muelu", {}, "MueLu by its defaults; Belos's CG or GMRES(30)"},
      {"muelu-iterative", "muelu", small_levels,
       "the same with levels of 200 rows factored, where MueLu would factor the whole matrix",
       iterative, "muelu"},
      {"muelu-direct", "muelu", then_direct,
       "MueLu, and KLU2 on its only level where 200 iterations do not do", direct, "muelu"},
      {"petsc", "petsc", {}, "PETSc's GAMG by its defaults; CG or GMRES(30)"},
      {"petsc-direct", "petsc", then_direct,
       "the same, and MUMPS by PETSc where 200 iterations do not do", direct, "petsc"},
      {"amgcl", "amgcl", {}, "amgcl's smoothed aggregation with SPAI-0; CG or BiCGSTAB"},
      {"amgcl-iterative", "amgcl", small_levels,
       "the same with levels of 200 rows factored, where amgcl would factor the whole matrix",
       iterative, "amgcl"},
      {"amgcl-direct", "amgcl", then_direct,
       "amgcl, and its skyline factors where 200 iterations do not do", direct, "amgcl"}};
  return solvers;
}

/// "a, b, c"
inline std::string solver_names() {
  std::string names;
  for (const RealSolver& solver : known_solvers())
    names += (names.empty() ? "" : ", ") + solver.name;
  return names;
}

/// A solver with where its program lies.
struct FoundSolver {
  RealSolver solver;
  std::filesystem::path program;
};

/// The solvers that were asked for and whose programs are there; says which are not.
inline std::vector<FoundSolver> find_solvers(const std::vector<std::string>& wanted,
                                             const std::vector<std::string>& programs) {
  std::vector<std::filesystem::path> folders(programs.begin(), programs.end());
  folders.push_back(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "real");
  std::vector<FoundSolver> found;
  for (const std::string& name : wanted) {
    const auto& known = known_solvers();
    if (std::none_of(known.begin(), known.end(), [&](const auto& s) { return s.name == name; })) {
      throw std::invalid_argument("--solvers: " + name + " is none of them; see --help");
    }
  }
  for (const RealSolver& solver : known_solvers()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), solver.name) == wanted.end()) {
      continue;
    }
    std::filesystem::path program;
    for (const std::filesystem::path& folder : folders) {
      const std::filesystem::path here = folder / ("tessera_real_" + solver.program);
      if (program.empty() && std::filesystem::exists(here))
        program = std::filesystem::absolute(here);
    }
    if (program.empty()) {
      std::printf("without %s: tessera_real_%s is in none of the folders\n", solver.name.c_str(),
                  solver.program.c_str());
    } else {
      found.push_back({solver, program});
    }
  }
  return found;
}

}  // namespace tessera::perf
