// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The precision configurations of the Ginkgo thesis (chapter 6) and those beside them, as
/// parameters of Tessera.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::perf {

/// One line of the table: a name as in the thesis, "(vectors, matrices)" by level, and what sets
/// it. A configuration that this build does not know a parameter of is left out, and said so.
struct PrecisionConfiguration {
  std::string name;
  std::vector<std::string> settings;  ///< KEY=VALUE, on top of `thesis_settings`
  std::string remark = {};
  int beam = 0;  ///< iterations by table 6.2, scalar Jacobi, an H100; 0: not given as a number
  int lshape = 0;  ///< the same; 800 stands for: not converged within 800
};

/// Settings that store A, P and R of level `level` (and, if it is the last named one, of all below)
/// in `scalar`.
inline std::vector<std::string> matrices(int level, const std::string& scalar) {
  const std::string key = "amg.levels." + std::to_string(level) + ".";
  return {key + "A.scalar=" + scalar, key + "P.scalar=" + scalar, key + "R.scalar=" + scalar};
}

/// Matrices in `scalars` from the finest level on, the last one for all levels below; vectors in
/// `vectors` where it is not empty.
inline std::vector<std::string> by_level(const std::vector<std::string>& scalars,
                                         const std::vector<std::string>& vectors = {}) {
  std::vector<std::string> all;
  for (std::size_t l = 0; l < std::max(scalars.size(), vectors.size()); ++l) {
    const auto of = [l](const auto& list) { return list[std::min(l, list.size() - 1)]; };
    for (const std::string& setting : matrices(static_cast<int>(l), of(scalars)))
      all.push_back(setting);
    if (!vectors.empty())
      all.push_back("amg.levels." + std::to_string(l) + ".vectors=" + of(vectors));
  }
  return all;
}

/// What the thesis sets everywhere: pairs (PGM), V-cycle, at most 11 levels, 64 rows, CG to 1e-12
/// by the recurrence's residual or 800 iterations, scalar Jacobi with weight 0.9, one sweep before
/// and after.
inline std::vector<std::string> thesis_settings() {
  return {"preconditioner=amg",
          "precision=same",
          "solver.name=cg",
          "solver.tolerance=1e-12",
          "solver.max_iterations=800",
          "solver.verify=false",
          "amg.symmetry=symmetric",
          "amg.coarsening=pairwise",
          "amg.pairwise.passes=1",
          "amg.cycle=v",
          "amg.max_levels=11",
          "amg.coarse_size=64"};
}

/// The smoothers of figures 6.5 and 6.7 (jacobi) and of 6.6 and 6.8 (chebyshev: two steps of the
/// polynomial; the thesis takes l1-Jacobi inside, this D^-1).
inline std::vector<std::string> smoother_settings(const std::string& smoother) {
  if (smoother == "chebyshev") {
    return {"amg.smoother.type=chebyshev", "amg.smoother.chebyshev.degree=2"};
  }
  return {"amg.smoother.type=jacobi", "amg.smoother.jacobi.omega=0.9",
          "amg.smoother.jacobi.omega_over_radius=false"};
}

/// What the thesis does on the coarsest level: four sweeps of Jacobi, or Chebyshev as above it.
inline std::vector<std::string> thesis_coarsest(const std::string& smoother) {
  return {smoother == "chebyshev" ? "amg.coarse_sweeps=1" : "amg.coarse_sweeps=4"};
}

/// Its matching: algorithm 17 as it is, 15 rounds or 5 % unmatched (the defaults of AmgX, which the
/// thesis follows), and stored zeros that couple, so that fixed unknowns join aggregates.
inline std::vector<std::string> thesis_matching() {
  return {"amg.pairwise.zeros=true", "amg.pairwise.weak_share=0", "amg.pairwise.max_rounds=15",
          "amg.pairwise.unmatched_share=0.05"};
}

/// The table. Add a line for a new configuration; the first is what the others are beside.
inline std::vector<PrecisionConfiguration> precision_configurations() {
  const std::vector<std::string> dp_sp_hp{"double", "float", "half"};
  return {
      {"(DP, DP)", {}, "double throughout", 44, 160},
      // Uniform levels, table 6.2: matrices and vectors of a level in one precision. Those of its
      // rows whose vectors are in half take twice the iterations or do not converge.
      {"(DP-SP, DP-SP)", by_level({"double", "float"}, {"double", "float"}), "", 44, 171},
      // Vectors wider than matrices, figures 6.5 to 6.8.
      {"(DP-SP, DP-SP-HP)", by_level(dp_sp_hp, {"double", "float"})},
      {"(DP-SP, DP-HP)", by_level({"double", "half"}, {"double", "float"})},
      {"(DP-SP, SP)", by_level({"float"}, {"double", "float"})},
      {"(DP-SP, HP)", by_level({"half"}, {"double", "float"})},
      {"(DP, SP)", by_level({"float"})},
      {"(DP, HP)", by_level({"half"})},
      {"(DP, DP-SP-HP)", by_level(dp_sp_hp)},
      // Beside the thesis: the whole preconditioner's vectors in float, and bfloat16 (section 6.5).
      {"(SP, SP)", {"precision=float"}, "vectors in float on the finest level, too"},
      {"(SP, HP)", {"precision=float", "amg.storage.scalar=half"}, "the same"},
      {"(DP, BF)", by_level({"bfloat16"}), "section 6.5"},
      {"(DP, DP-SP-BF)", by_level({"double", "float", "bfloat16"}), "section 6.5"},
      {"(DP-SP, BF)", by_level({"bfloat16"}, {"double", "float"}), "section 6.5"},
      {"(DP-SP, DP-SP-BF)", by_level({"double", "float", "bfloat16"}, {"double", "float"}),
       "section 6.5"},
  };
}

}  // namespace tessera::perf
