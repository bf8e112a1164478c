// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From a matrix's properties to settings, each with its reason.
#include <fmt/format.h>

#include "app/matrix_properties.hpp"
#include "tessera/solve/select.hpp"

namespace tessera::app {

namespace {

/// Why there is nothing to solve with this matrix; empty where there is.
std::vector<Recommendation> obstacles(const MatrixProperties& info) {
  std::vector<Recommendation> advice;
  if (!info.square()) {
    advice.push_back({"", fmt::format("The matrix is not square ({} x {}): tessera solves square "
                                      "systems only.",
                                      info.rows, info.cols)});
  }
  if (info.not_finite > 0) {
    advice.push_back({"", fmt::format("{} entries are NaN or infinite: correct the file first.",
                                      info.not_finite)});
  }
  if (info.empty_rows > 0 && info.square()) {
    advice.push_back(
        {"", fmt::format("{} rows are empty: the matrix is singular.", info.empty_rows)});
  }
  return advice;
}

/// How much multigrid may be trusted, where it is picked.
std::string about_multigrid(const MatrixProperties& info) {
  if (info.rows < 2000) return "small: the hierarchy is little more than its dense coarsest level";
  if (info.looks_spd() && info.positive_couplings == 0) {
    return "an M-matrix by its signs: what multigrid is made for";
  }
  if (info.symmetric()) return "symmetric: smoothed aggregation applies";
  return "nonsymmetric: try it against preconditioner=jacobi";
}

/// Notes on several unknowns per node.
std::string about_nodes(const amg::Nodes& nodes) {
  const std::string found =
      fmt::format("The pattern shows {} unknowns per node{}: multigrid keeps them together",
                  nodes.block_size, nodes.by_unknown ? ", numbered unknown by unknown" : "");
  if (nodes.block_size > 3) return found + ".";
  return found + "; if they are displacements, node coordinates (--coordinates) improve it.";
}

}  // namespace

std::vector<Recommendation> recommend(const MatrixProperties& info) {
  std::vector<Recommendation> advice = obstacles(info);
  if (!advice.empty()) return advice;
  SolveParameters p;
  const auto selections =
      select_parameters(p, info.facts, true, info.nodes.block_size, info.nodes.coupled);
  for (const Selection& picked : selections) {
    advice.push_back({picked.setting, picked.why});
  }
  if (p.preconditioner == PreconditionerKind::amg) {
    advice.insert(advice.begin() + 1, {"preconditioner=amg", about_multigrid(info)});
  }
  if (info.nodes.block_size > 1) advice.push_back({"", about_nodes(info.nodes)});
  if (info.constant_nullspace()) {
    advice.push_back({"",
                      "Every row sums to zero: the matrix is singular with constants in its "
                      "nullspace; the right-hand side must sum to zero where it is symmetric."});
  }
  return advice;
}

}  // namespace tessera::app
