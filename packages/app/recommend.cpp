// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From a matrix's properties to settings, each with its reason.
#include <fmt/format.h>

#include "app/matrix_properties.hpp"

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

void recommend_solver(const MatrixProperties& info, std::vector<Recommendation>& advice) {
  if (info.looks_spd()) {
    advice.push_back(
        {"solver.name=cg", "symmetric with a positive diagonal: likely positive definite"});
  } else if (info.symmetric()) {
    advice.push_back(
        {"solver.name=gmres", info.zero_diagonal > 0
                                  ? "symmetric, but zeros on the diagonal: indefinite"
                                  : "symmetric, but not positive definite by its diagonal"});
  } else if (info.dominant_rows == info.rows) {
    advice.push_back(
        {"solver.name=bicgstab", "nonsymmetric and diagonally dominant: short recurrences do"});
  } else {
    advice.push_back(
        {"solver.name=gmres", "nonsymmetric and not diagonally dominant: the robust choice"});
  }
}

void recommend_preconditioner(const MatrixProperties& info, std::vector<Recommendation>& advice) {
  if (info.zero_diagonal > 0) {
    advice.push_back({"preconditioner=none",
                      "zeros on the diagonal: neither Jacobi nor multigrid can divide by it"});
  } else if (info.rows < 2000) {
    advice.push_back({"preconditioner=amg",
                      "small: the hierarchy is little more than its dense coarsest level"});
  } else if (info.looks_spd() && info.positive_couplings == 0) {
    advice.push_back(
        {"preconditioner=amg", "an M-matrix by its signs: what multigrid is made for"});
  } else if (info.symmetric()) {
    advice.push_back({"preconditioner=amg", "symmetric: smoothed aggregation applies"});
  } else {
    advice.push_back({"preconditioner=amg", "nonsymmetric: try it against preconditioner=jacobi"});
  }
}

}  // namespace

std::vector<Recommendation> recommend(const MatrixProperties& info) {
  std::vector<Recommendation> advice = obstacles(info);
  if (!advice.empty()) return advice;
  recommend_solver(info, advice);
  recommend_preconditioner(info, advice);
  if (info.constant_nullspace()) {
    advice.push_back({"",
                      "Every row sums to zero: the matrix is singular with constants in its "
                      "nullspace; the right-hand side must sum to zero where it is symmetric."});
  }
  if (info.smallest > 0 && info.largest / info.smallest > 1e7) {
    advice.push_back({"", fmt::format("The magnitudes span {:.0e}: keep --precision double, float "
                                      "cannot resolve them together.",
                                      info.largest / info.smallest)});
  }
  return advice;
}

}  // namespace tessera::app
