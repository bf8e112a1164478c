// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolation of classical multigrid beside that of hypre's BoomerAMG, entry by entry, for the
/// same splitting and the same strong couplings.
///
/// - Extended+i and extended+e by products of matrices (hypre's types 17 and 18) are the same
///   formulas. Where terms all but cancel Tessera lumps them and hypre divides by what is left; no
///   row of these matrices comes near that.
/// - Extended+i row by row (type 6) differs in weak couplings: those of a fine neighbour to a point
///   that is interpolated from, or back, take part in what it passes on if they are of the sign
///   opposite to its diagonal's, and weak ones of the row itself to such a point count as strong.
///   Products, and Tessera, add all weak couplings of a row to its diagonal. With those added
///   before, which leaves a matrix without weak couplings as it is, both ways are the same.
/// - Classical modified interpolation (type 0) is the same formula. Where a row's weights come to
///   more than 100 in magnitude, because couplings that were added to the diagonal all but cancel
///   it, Tessera leaves the row empty: five rows of all these matrices.
/// - Direct interpolation (type 3) of hypre's leaves couplings of the diagonal's sign out where no
///   coarse point has any, and none has: they are never strong. Tessera adds them to the diagonal,
///   as the reference that `InterpolationFactors` gives does. With those added before, both are the
///   same.
/// - Truncation keeps the largest weights and scales them to the row's sum in both. Which of equals
///   is kept differs: the first here, with weights compared as floats; in hypre what its quicksort
///   leaves in front. In such rows what was kept is compared by size.
#include "hypre/compared_rows.hpp"

#include <iostream>
#include <limits>
#include <optional>

namespace tessera::test {
namespace hypre_test {
namespace {

using amg::Interpolation;

class BoomerAmgInterpolation : public Hypre, public ::testing::WithParamInterface<Source> {
 protected:
  void SetUp() override {
    Hypre::SetUp();
    if (const auto why = why_missing(GetParam()); !why.empty()) GTEST_SKIP() << why;
    const Space exec;
    m_split.emplace(exec, read(exec, GetParam()));
    m_matrix.emplace(0, share_of(m_split->rows));
    m_strong.emplace(*m_matrix);
  }

  /// With all entries, and truncated; `build` has `moved` in the place of A. Returns how many of
  /// hypre's rows are larger than `max_size`; Tessera's are to be empty.
  int expect_same(const char* what, Interpolation how, BuildInterpolation build,
                  const HypreMatrix& A,
                  double max_size = std::numeric_limits<double>::infinity()) const {
    const Space exec;
    const Rows whole = m_split->interpolation(exec, how, 0);
    Rows theirs = interpolation_by(build, A, *m_strong, *m_split, 0);
    Rows theirs_cut = interpolation_by(build, A, *m_strong, *m_split, kept);
    int too_large = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      if (size_of(theirs[i]) <= max_size) continue;
      theirs[i] = theirs_cut[i] = {};
      ++too_large;
    }
    const auto all = compare(whole, theirs);
    const auto cut = compare_truncated(m_split->interpolation(exec, how, kept), theirs_cut, whole);
    std::cout << GetParam() << ", " << what << ": " << all.difference << ", truncated "
              << cut.difference << ", " << cut.tied << " of " << whole.size()
              << " rows with equal weights, " << too_large << " too large\n";
    return too_large;
  }

  std::optional<Split> m_split;
  std::optional<HypreMatrix> m_matrix;
  std::optional<HypreStrength> m_strong;
};

TEST_P(BoomerAmgInterpolation, IsExtendedIByProducts) {
  expect_same("extended+i by products", Interpolation::extended_i,
              hypre_BoomerAMGBuildModExtPIInterp, *m_matrix);
}

TEST_P(BoomerAmgInterpolation, IsExtendedIRowByRowWithoutWeakCouplings) {
  const auto& split = *m_split;
  const HypreMatrix lumped(
      0, share_of(with_moved_to_diagonal(split.rows, [&](Ordinal i, Ordinal j, double) {
        return !split.is_strong(static_cast<std::size_t>(i), j);
      })));
  expect_same("extended+i row by row", Interpolation::extended_i, hypre_BoomerAMGBuildExtPIInterp,
              lumped);
}

TEST_P(BoomerAmgInterpolation, IsExtendedEByProducts) {
  expect_same("extended+e by products", Interpolation::extended_e,
              hypre_BoomerAMGBuildModExtPEInterp, *m_matrix);
}

TEST_P(BoomerAmgInterpolation, IsDirectWithoutCouplingsOfTheDiagonalsSign) {
  const HypreMatrix opposite(0, share_of(with_opposite_couplings(m_split->rows)));
  const BuildInterpolation direct =
      [](hypre_ParCSRMatrix* A, HYPRE_Int* marks, hypre_ParCSRMatrix* S, HYPRE_BigInt* coarse,
         HYPRE_Int functions, HYPRE_Int* function_of, HYPRE_Int debug, HYPRE_Real factor,
         HYPRE_Int max_row_entries, hypre_ParCSRMatrix** P) {
        return hypre_BoomerAMGBuildDirInterp(A, marks, S, coarse, functions, function_of, debug,
                                             factor, max_row_entries, 3, P);
      };
  expect_same("direct", Interpolation::direct, direct, opposite);
}

TEST_P(BoomerAmgInterpolation, IsClassicalModified) {
  const int too_large = expect_same("classical modified", Interpolation::classical_modified,
                                    hypre_BoomerAMGBuildInterp, *m_matrix, 100);
  EXPECT_LE(too_large, 2);
}

INSTANTIATE_TEST_SUITE_P(Matrices, BoomerAmgInterpolation,
                         ::testing::ValuesIn(matrices_of_parts()));

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
