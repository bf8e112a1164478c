// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The solvers that compare_real starts, and where their programs lie.
#pragma once

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// A solver, its program in `real/` and the arguments of that.
struct RealSolver {
  std::string name, program;
  std::vector<std::string> arguments;
  std::string text;
};

inline const std::vector<RealSolver>& known_solvers() {
  static const std::vector<RealSolver> solvers{
      {"tessera", "tessera", {}, "Tessera, all picked by itself"},
      {"hypre",
       "hypre",
       {"--defaults", "cpu"},
       "BoomerAMG by its defaults (HMIS, extended+i, Gauss-Seidel); PCG or GMRES(30)"},
      {"hypre-gpu",
       "hypre",
       {"--defaults", "gpu"},
       "BoomerAMG by its defaults on GPUs (PMIS, extended+i, l1-Jacobi); PCG or GMRES(30)"},
      {"muelu", "muelu", {}, "MueLu by its defaults; Belos's CG or GMRES(30)"},
      {"petsc", "petsc", {}, "PETSc's GAMG by its defaults; CG or GMRES(30)"},
      {"amgcl", "amgcl", {}, "amgcl's smoothed aggregation with SPAI-0; CG or BiCGSTAB"}};
  return solvers;
}

/// A solver with where its program lies.
struct FoundSolver {
  RealSolver solver;
  std::filesystem::path program;
};

/// The solvers that were asked for and whose programs are there; says which are not.
inline std::vector<FoundSolver> find_solvers(const std::vector<std::string>& wanted,
                                             const std::vector<std::string>& programs) {
  std::vector<std::filesystem::path> folders{
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "real"};
  folders.insert(folders.end(), programs.begin(), programs.end());
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
