// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Interpolation from the coarse points of two splittings beside that of hypre's BoomerAMG, entry
/// by entry, for the same splittings and the same strong couplings.
///
/// - Two stages of extended+e (hypre's aggressive type 7) are the same formulas, products in both.
///   Couplings to fine points without strong ones are left out in the first stage, and in both of
///   Tessera's; hypre's second stage adds them to d_i. It gets a diagonal without them here.
/// - Two stages of extended+i (type 6) have a product in the first and, in hypre, rows one by one
///   in the second, which differ in weak couplings: `boomeramg_interpolation_test.cpp` says how.
///   With those added to the diagonal before, they are the same.
/// - Multipass by products (type 8) takes, in the place of all couplings of the sign opposite to
///   the diagonal's, all of them; with those of its sign added to it before, it is the same.
/// - Multipass row by row and by products with rows' sums (types 4 and 9) scale a row of a later
///   pass by what the rows of the pass before sum to. Where rows of A sum to 0 these sum to 1, and
///   there is no difference. Type 4 leaves couplings to points without strong ones out, too.
/// - Which of equal weights truncation keeps differs. Where the choice is in the product of two
///   stages, what was kept is compared by size, as after one stage; where it is in the second
///   stage, by rows' sums, which truncation does not change. Where it is in the first, or where
///   weights that are kept nearly cancel, which Tessera does not scale to the row's sum, there is
///   Tessera's own product to compare with alone: in a third of a matrix's rows at the most.
/// - Where d_i is below a hundredth of its terms, and weights come to more than 10, Tessera leaves
///   the row empty: in the second stage of one matrix 6 rows and 65. What goes by them is left out.
#include "hypre/compared_rows.hpp"

#include "tessera/amg/coarsening/multipass_interpolation.hpp"
#include "tessera/amg/coarsening/two_stage_interpolation.hpp"

#include <iostream>
#include <optional>

namespace tessera::test {
namespace hypre_test {
namespace {

using amg::Interpolation;

/// Two splittings of Tessera's, of which the second is of the first's coarse points.
struct TwoSplits {
  Split first;
  amg::Splitting<Space> second;
  std::vector<Ordinal> number;  ///< of the second's coarse points; below 0 for others

  TwoSplits(const Space& exec, const kernels::Csr<double, Space>& A)
      : first(exec, A),
        second(amg::split_coarse_points(exec, first.found, first.splitting,
                                        amg::PointSplitting::pmis, 1)),
        number(to_host(second.coarse_number)) {}

  /// As hypre marks points; those that the second splitting makes fine as `lost`.
  std::vector<HYPRE_Int> markers(HYPRE_Int lost) const {
    auto marks = first.markers();
    for (std::size_t i = 0; i < marks.size(); ++i)
      if (marks[i] == 1 && number[i] < 0) marks[i] = lost;
    return marks;
  }

  Rows two_stage(const Space& exec, Interpolation how, int max_row_entries) const {
    amg::ClassicalParameters p;
    p.interpolation = how;
    p.max_row_entries = max_row_entries;
    return first.interpolation(
        exec, amg::TwoStageInterpolation<double, Space, std::int32_t>(p, first.splitting, second));
  }
  /// P_2, of which P_1 P_2 is made.
  Rows second_stage(const Space& exec, Interpolation how, int max_row_entries) const {
    amg::ClassicalParameters p;
    p.interpolation = how;
    p.max_row_entries = max_row_entries;
    const Rows all = first.interpolation(
        exec, amg::OneStageInterpolation<double, Space, std::int32_t>(p, second));
    Rows rows;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (first.number[i] >= 0) rows.push_back(all[i]);
    return rows;
  }
  Rows multipass(const Space& exec, int max_row_entries) const {
    amg::ClassicalParameters p;
    p.max_row_entries = max_row_entries;
    return first.interpolation(exec,
                               amg::MultipassInterpolation<double, Space, std::int32_t>(p, second));
  }
};

using BuildSecondStage = decltype(&hypre_BoomerAMGBuildModPartialExtPEInterp);

/// hypre's P_2 and P_1 P_2 of two matrices, truncated alike, as P_1 is.
std::pair<Rows, Rows> two_stage_by(BuildInterpolation build_first, BuildSecondStage build_second,
                                   const HypreMatrix& A_1, const HypreMatrix& A_2,
                                   const HypreStrength& strong, const TwoSplits& splits,
                                   int max_row_entries) {
  auto marks = splits.first.markers();
  HYPRE_BigInt first[] = {0, splits.first.splitting.num_coarse};
  HYPRE_BigInt second[] = {0, splits.second.num_coarse};
  hypre_ParCSRMatrix* P_1 = nullptr;
  hypre_ParCSRMatrix* P_2 = nullptr;
  build_first(A_1.get(), marks.data(), strong.get(), first, 1, nullptr, 0, 0.0, max_row_entries,
              &P_1);
  marks = splits.markers(-2);
  if (hypre_ParCSRMatrixCommPkg(A_2.get()) == nullptr) hypre_MatvecCommPkgCreate(A_2.get());
  build_second(A_2.get(), marks.data(), strong.get(), second, first, 1, nullptr, 0, 0.0,
               max_row_entries, &P_2);
  hypre_ParCSRMatrix* const P = hypre_ParMatmul(P_1, P_2);
  if (max_row_entries > 0) hypre_BoomerAMGInterpTruncation(P, 0.0, max_row_entries);
  std::pair<Rows, Rows> rows{rows_of(P_2), rows_of(P)};
  for (hypre_ParCSRMatrix* matrix : {P_1, P_2, P})
    hypre_ParCSRMatrixDestroy(matrix);
  return rows;
}

kernels::Csr<double, Space> matrix_of(const Space& exec, const Rows& rows) {
  const HostShare share = share_of(rows);
  return make_csr(exec, static_cast<Ordinal>(rows.size()), static_cast<Ordinal>(rows.size()),
                  share.offsets, {share.columns.begin(), share.columns.end()}, share.values);
}

const BuildInterpolation multipass_by_rows =
    [](hypre_ParCSRMatrix* A, HYPRE_Int* marks, hypre_ParCSRMatrix* S, HYPRE_BigInt* coarse,
       HYPRE_Int functions, HYPRE_Int* function_of, HYPRE_Int debug, HYPRE_Real factor,
       HYPRE_Int max_row_entries, hypre_ParCSRMatrix** P) {
      return hypre_BoomerAMGBuildMultipass(A, marks, S, coarse, functions, function_of, debug,
                                           factor, max_row_entries, 0, P);
    };

template <int type>
HYPRE_Int multipass_by_products(hypre_ParCSRMatrix* A, HYPRE_Int* marks, hypre_ParCSRMatrix* S,
                                HYPRE_BigInt* coarse, HYPRE_Int functions, HYPRE_Int* function_of,
                                HYPRE_Int /*debug*/, HYPRE_Real factor, HYPRE_Int max_row_entries,
                                hypre_ParCSRMatrix** P) {
  return hypre_BoomerAMGBuildModMultipass(A, marks, S, coarse, factor, max_row_entries, type,
                                          functions, function_of, P);
}

class BoomerAmgAggressive : public Hypre, public ::testing::WithParamInterface<Source> {
 protected:
  void SetUp() override {
    Hypre::SetUp();
    if (const auto why = why_missing(GetParam()); !why.empty()) GTEST_SKIP() << why;
    const Space exec;
    m_splits.emplace(exec, read(exec, GetParam()));
    m_matrix.emplace(0, share_of(m_splits->first.rows));
    m_strong.emplace(*m_matrix);
  }

  /// With all entries, and truncated.
  void expect_same_two_stage(const char* what, Interpolation how, BuildInterpolation first,
                             BuildSecondStage second, const HypreMatrix& A_1,
                             const HypreMatrix& A_2) const {
    const Space exec;
    const auto theirs = [&](int max_row_entries) {
      return two_stage_by(first, second, A_1, A_2, *m_strong, *m_splits, max_row_entries);
    };
    const Stages whole = stages(how, 0);
    const auto [their_P_2, their_P] = theirs(0);
    std::vector<bool> too_large;
    for (std::size_t c = 0; c < their_P_2.size(); ++c)
      too_large.push_back(whole.P_2[c].empty() && size_of(their_P_2[c]) > 10);
    EXPECT_LE(std::ranges::count(too_large, true), GetParam().name == "EVSL_A" ? 65 : 0);
    const Rows P = m_splits->two_stage(exec, how, 0);
    Compared all;
    EXPECT_EQ(P.size(), their_P.size());
    for (std::size_t i = 0; i < P.size(); ++i)
      if (!whole.goes_by(i, too_large)) compare(P[i], their_P[i], i, all);
    const Compared cut = compare_truncated_stages(how, whole, theirs(kept).second, too_large);
    say(what, all, cut);
  }

  /// Two stages, each as it is.
  struct Stages {
    Rows P_1, P_2;

    bool goes_by(std::size_t i, const std::vector<bool>& points) const {
      return std::ranges::any_of(
          P_1[i], [&](const auto& entry) { return points[static_cast<std::size_t>(entry.first)]; });
    }
  };

  Stages stages(Interpolation how, int max_row_entries) const {
    const Space exec;
    return {m_splits->first.interpolation(exec, how, max_row_entries),
            m_splits->second_stage(exec, how, max_row_entries)};
  }

  Compared compare_truncated_stages(Interpolation how, const Stages& whole, const Rows& theirs,
                                    const std::vector<bool>& too_large) const {
    const Space exec;
    const Stages cut = stages(how, kept);
    const Rows P = product(cut.P_1, cut.P_2);
    const Rows ours = m_splits->two_stage(exec, how, kept);
    std::vector<bool> tied, unscaled;
    for (std::size_t c = 0; c < cut.P_2.size(); ++c) {
      tied.push_back(is_tied(whole.P_2[c]));
      unscaled.push_back(may_be_unscaled(cut.P_2[c], whole.P_2[c]));
    }
    Compared result;
    EXPECT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (cut.goes_by(i, too_large)) continue;
      const bool is_unscaled = may_be_unscaled(ours[i], P[i]);
      if (is_tied(whole.P_1[i]) || may_be_unscaled(cut.P_1[i], whole.P_1[i]) ||
          cut.goes_by(i, unscaled) || is_unscaled) {
        ++result.unlike;
        EXPECT_TRUE(is_unscaled || is_truncation(ours[i], P[i])) << "row " << i;
      } else if (cut.goes_by(i, tied)) {
        ++result.tied;
        EXPECT_NEAR(sum_of(ours[i]), sum_of(theirs[i]), tolerance * size_of(ours[i]))
            << "row " << i;
      } else {
        compare_truncated(ours[i], theirs[i], P[i], i, result);
      }
    }
    return result;
  }

  /// A with the diagonals that make hypre's second stage of extended+e Tessera's.
  Rows without_couplings_to_weak_points() const {
    const Split& split = m_splits->first;
    Rows result = split.rows;
    for (std::size_t i = 0; i < result.size(); ++i) {
      double left_out = 0;
      for (const Ordinal j : split.strong[i]) {
        const auto k = static_cast<std::size_t>(j);
        if (split.number[k] < 0 && split.strong[k].empty()) left_out += value_in(result[i], j);
      }
      for (auto& [j, value] : result[i])
        value -= j == static_cast<Ordinal>(i) ? left_out : 0;
    }
    return result;
  }

  void expect_same_multipass(const char* what, BuildInterpolation build, const TwoSplits& splits,
                             const HypreMatrix& A, const HypreStrength& strong) const {
    const Space exec;
    const auto theirs = [&](int max_row_entries) {
      return interpolation_by(build, A, strong, splits.markers(-1), splits.second.num_coarse,
                              max_row_entries);
    };
    const Rows whole = splits.multipass(exec, 0);
    const Compared all = compare(whole, theirs(0));
    say(what, all, compare_truncated(splits.multipass(exec, kept), theirs(kept), whole));
  }

  void say(const char* what, const Compared& all, const Compared& cut) const {
    std::cout << GetParam() << ", " << what << ": " << all.difference << ", truncated "
              << cut.difference << ", " << cut.tied << " of " << m_splits->number.size()
              << " rows with equal weights, " << cut.unlike << " not to be compared\n";
    EXPECT_LE(cut.tied + cut.unlike, m_splits->number.size() / 3);
  }

  std::optional<TwoSplits> m_splits;
  std::optional<HypreMatrix> m_matrix;
  std::optional<HypreStrength> m_strong;
};

TEST_P(BoomerAmgAggressive, IsTwoStagesOfExtendedE) {
  const HypreMatrix second(0, share_of(without_couplings_to_weak_points()));
  expect_same_two_stage("two stages of extended+e", Interpolation::extended_e,
                        hypre_BoomerAMGBuildModExtPEInterp,
                        hypre_BoomerAMGBuildModPartialExtPEInterp, *m_matrix, second);
}

TEST_P(BoomerAmgAggressive, IsTwoStagesOfExtendedIWithoutWeakCouplings) {
  const Split& split = m_splits->first;
  const HypreMatrix lumped(
      0, share_of(with_moved_to_diagonal(split.rows, [&](Ordinal i, Ordinal j, double) {
        return !split.is_strong(static_cast<std::size_t>(i), j);
      })));
  expect_same_two_stage("two stages of extended+i", Interpolation::extended_i,
                        hypre_BoomerAMGBuildModExtPIInterp, hypre_BoomerAMGBuildPartialExtPIInterp,
                        lumped, lumped);
}

TEST_P(BoomerAmgAggressive, IsMultipassByProductsWithoutCouplingsOfTheDiagonalsSign) {
  const HypreMatrix opposite(0, share_of(with_opposite_couplings(m_splits->first.rows)));
  expect_same_multipass("multipass by products", multipass_by_products<8>, *m_splits, opposite,
                        *m_strong);
}

TEST_P(BoomerAmgAggressive, IsMultipassWhereRowsSumToZero) {
  const Space exec;
  const TwoSplits splits(exec, matrix_of(exec, with_zero_sums(m_splits->first.rows)));
  const HypreMatrix A(0, share_of(splits.first.rows));
  const HypreStrength strong(A);
  expect_same_multipass("multipass row by row", multipass_by_rows, splits, A, strong);
  expect_same_multipass("multipass by products and sums", multipass_by_products<9>, splits, A,
                        strong);
}

INSTANTIATE_TEST_SUITE_P(Matrices, BoomerAmgAggressive, ::testing::ValuesIn(matrices_of_parts()));

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
