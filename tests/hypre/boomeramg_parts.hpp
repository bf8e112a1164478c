// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strength and interpolation by hypre's own functions, for splittings that it is given.
#pragma once

#include "hypre/whole_system.hpp"

#include "tessera/amg/coarsening/point_interpolation.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/strength.hpp"

#include <_hypre_parcsr_ls.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::test::hypre_test {

/// The entries of a row, whose columns ascend.
using Row = std::vector<std::pair<Ordinal, double>>;
using Rows = std::vector<Row>;

/// Of a matrix of hypre's on one process; one without values has ones.
inline Rows rows_of(hypre_ParCSRMatrix* matrix) {
  const hypre_CSRMatrix* const own = hypre_ParCSRMatrixDiag(matrix);
  Rows rows(static_cast<std::size_t>(hypre_CSRMatrixNumRows(own)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (HYPRE_Int e = hypre_CSRMatrixI(own)[i]; e < hypre_CSRMatrixI(own)[i + 1]; ++e) {
      const double* const values = hypre_CSRMatrixData(own);
      rows[i].emplace_back(hypre_CSRMatrixJ(own)[e], values == nullptr ? 1 : values[e]);
    }
    std::ranges::sort(rows[i]);
  }
  return rows;
}

inline Rows rows_of(const HostMatrix<double>& A) {
  Rows rows(static_cast<std::size_t>(A.num_rows));
  for_each_entry(A, [&](Ordinal i, Ordinal j, double value) {
    rows[static_cast<std::size_t>(i)].emplace_back(j, value);
  });
  for (Row& row : rows)
    std::ranges::sort(row);
  return rows;
}

inline HostShare share_of(const Rows& rows) {
  HostShare share;
  for (const Row& row : rows) {
    for (const auto& [j, value] : row)
      share.push(j, value);
    share.end_row();
  }
  return share;
}

/// A's strong couplings and Tessera's splitting.
struct Split {
  kernels::Csr<double, Space> A;
  Rows rows;  ///< of A
  kernels::Dependences<Space, std::int32_t> found;
  std::vector<std::vector<Ordinal>> strong;  ///< by row, ascending
  amg::Splitting<Space> splitting;
  std::vector<Ordinal> number;  ///< of coarse points; below 0 for fine ones

  Split(const Space& exec, const kernels::Csr<double, Space>& matrix)
      : A(matrix), rows(rows_of(to_host(matrix))) {
    const amg::ClassicalParameters p;
    found =
        kernels::strong_dependences(exec, A.view(),
                                    {p.strength_threshold, p.max_row_sum, true,
                                     kernels::longest_ordinary_row(A.num_rows, A.num_entries())});
    splitting = amg::split_points(exec, found, amg::PointSplitting::pmis);
    number = to_host(splitting.coarse_number);
    const auto offsets = to_host(found.strong.offsets);
    const auto columns = to_host(found.strong.columns);
    for (std::size_t i = 0; i < number.size(); ++i) {
      strong.emplace_back(columns.begin() + offsets[i], columns.begin() + offsets[i + 1]);
      std::ranges::sort(strong.back());
    }
  }

  bool is_strong(std::size_t i, Ordinal j) const {
    return std::ranges::binary_search(strong[i], j);
  }

  /// As hypre marks points: fine ones that depend on nothing are no points to go through.
  std::vector<HYPRE_Int> markers() const {
    std::vector<HYPRE_Int> marks(number.size());
    for (std::size_t i = 0; i < marks.size(); ++i)
      marks[i] = number[i] >= 0 ? 1 : strong[i].empty() ? -3 : -1;
    return marks;
  }

  /// Tessera's P.
  Rows interpolation(const Space& exec, amg::Interpolation how, int max_row_entries) const {
    amg::ClassicalParameters p;
    p.interpolation = how;
    p.max_row_entries = max_row_entries;
    return interpolation(exec,
                         amg::OneStageInterpolation<double, Space, std::int32_t>(p, splitting));
  }
  Rows interpolation(const Space& exec,
                     amg::PointInterpolation<double, Space, std::int32_t>&& how) const {
    amg::PhaseTimer<Space> timer(exec, false);
    auto graph = found.strong;
    return rows_of(to_host(how.make(exec, A.view(), graph, timer)));
  }
};

/// hypre's graph of strong couplings.
class HypreStrength {
 public:
  explicit HypreStrength(const HypreMatrix& A) {
    const amg::ClassicalParameters p;
    hypre_BoomerAMGCreateS(A.get(), p.strength_threshold, p.max_row_sum, 1, nullptr, &m_strong);
  }
  ~HypreStrength() { hypre_ParCSRMatrixDestroy(m_strong); }
  HypreStrength(const HypreStrength&) = delete;
  HypreStrength& operator=(const HypreStrength&) = delete;
  hypre_ParCSRMatrix* get() const { return m_strong; }

 private:
  hypre_ParCSRMatrix* m_strong = nullptr;
};

/// hypre's functions that make P of a matrix, a splitting and a graph.
using BuildInterpolation = decltype(&hypre_BoomerAMGBuildModExtPIInterp);

/// hypre's P of A for a splitting, as hypre marks it, and hypre's graph.
inline Rows interpolation_by(BuildInterpolation build, const HypreMatrix& A,
                             const HypreStrength& strong, std::vector<HYPRE_Int> marks,
                             Ordinal num_coarse, int max_row_entries) {
  HYPRE_BigInt coarse[] = {0, num_coarse};
  hypre_ParCSRMatrix* P = nullptr;
  build(A.get(), marks.data(), strong.get(), coarse, 1, nullptr, 0, 0.0, max_row_entries, &P);
  Rows rows = rows_of(P);
  hypre_ParCSRMatrixDestroy(P);
  return rows;
}

/// For Tessera's splitting.
inline Rows interpolation_by(BuildInterpolation build, const HypreMatrix& A,
                             const HypreStrength& strong, const Split& split, int max_row_entries) {
  return interpolation_by(build, A, strong, split.markers(), split.splitting.num_coarse,
                          max_row_entries);
}

/// What the parts are compared on: grids, jumps, convection, meshes, elasticity, and real matrices.
/// Of those all but the networks (`_bus`), `vem2`, `rocker_arm_surface`, `gr_30_30` and `saylr4`,
/// whose diagonal is negative, have couplings of the diagonal's sign: a seventh to a half.
inline std::vector<Source> matrices_of_parts() {
  using enum ProblemKind;
  std::vector<Source> all = {
      of_gallery("poisson2d", {.problem = poisson2d, .n = 40}),
      of_gallery("poisson2d9", {.problem = poisson2d9, .n = 40}),
      of_gallery("poisson3d", {.problem = poisson3d, .n = 12}),
      of_gallery("poisson3d27", {.problem = poisson3d27, .n = 12}),
      of_gallery("anisotropic2d", {.problem = anisotropic2d, .n = 40, .epsilon = 0.01}),
      of_gallery("anisotropic3d", {.problem = anisotropic3d, .n = 12}),
      of_gallery("jump2d", {.problem = jump2d, .n = 40}),
      of_gallery("jump3d", {.problem = jump3d, .n = 12}),
      of_gallery("convdiff2d", {.problem = convdiff2d, .n = 40, .peclet = 1000}),
      of_gallery("unstructured2d", {.problem = unstructured2d, .n = 40}),
      of_gallery("unstructured3d", {.problem = unstructured3d, .n = 12}),
      of_gallery("graph", {.problem = graph, .n = 40}),
      of_gallery("elasticity2d", {.problem = elasticity2d, .n = 20}),
      of_gallery("elasticity3d", {.problem = elasticity3d, .n = 8})};
  for (const char* name : {"Dubcova1",
                           "rocker_arm_surface",
                           "bloweybq",
                           "anisotropic3d7816",
                           "ginkgo_A_multigrid",
                           "EVSL_A",
                           "s3rmt3m3",
                           "bcsstk16",
                           "poisson4009",
                           "bcsstk15",
                           "bcsstk21",
                           "ani4",
                           "vem2",
                           "saylr4",
                           "1138_bus",
                           "bcsstk10",
                           "nos3",
                           "gr_30_30",
                           "662_bus",
                           "nos5"})
    all.push_back({name});
  return all;
}

}  // namespace tessera::test::hypre_test
