// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two-stage and multipass interpolation beside their formulas, dense and in double.
#include "amg_components/interpolation_reference.hpp"
#include "support/device.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/multipass_interpolation.hpp"
#include "tessera/amg/coarsening/two_stage_interpolation.hpp"

#include <algorithm>
#include <memory>

namespace tessera::test::aggressive_interpolation_test {

using namespace interpolation_reference;

using amg::AggressiveInterpolation;

TESSERA_TEST_SUITE(AggressiveInterpolationTest, Matrices, TypeNames);

/// P = P_1 P_2, of the second factor the rows of C_1.
Dense expected_two_stage(const Dense& A, const HostSplitting (&s)[2], const Ordinal (&counts)[2],
                         Interpolation how) {
  const Dense whole = expected_extended(A, s[1], counts[1], how);
  Dense rows;
  for (std::size_t i = 0; i < A.size(); ++i) {
    if (s[0].number[i] >= 0) rows.push_back(whole[i]);
  }
  return product(expected_extended(A, s[0], counts[0], how), rows);
}

/// Pass by pass, by rows of A.
Dense expected_multipass(const Dense& A, const HostSplitting& s, Ordinal num_coarse) {
  const auto n = static_cast<Ordinal>(A.size());
  Dense W(n, std::vector<double>(num_coarse, 0.0));
  std::vector<int> pass(n, -1);
  for (Ordinal i = 0; i < n; ++i) {
    if (s.number[i] < 0) continue;
    W[i][s.number[i]] = 1;
    pass[i] = 0;
  }
  for (int p = 1; std::count(pass.begin(), pass.end(), p - 1) > 0; ++p) {
    const auto is_before = [&](Ordinal j) { return pass[j] == p - 1; };
    for (Ordinal i = 0; i < n; ++i) {
      if (pass[i] >= 0 || std::none_of(s.strong[i].begin(), s.strong[i].end(), is_before)) continue;
      pass[i] = p;
      double all = 0, taken = 0, size = 0, diagonal = A[i][i];
      for (Ordinal j = 0; j < n; ++j) {
        const bool takes = s.strong[i].count(j) != 0 && is_before(j);
        if (j == i) continue;
        const bool is_opposite = A[i][j] * (A[i][i] < 0 ? -1 : 1) < 0;
        (takes || is_opposite ? all : diagonal) += A[i][j];
        taken += takes ? A[i][j] : 0;
        size += takes ? std::abs(A[i][j]) : 0;
      }
      if (cancels(taken, size) || cancels(diagonal, std::abs(all / taken) * size)) continue;
      for (const Ordinal k : s.strong[i]) {
        for (Ordinal c = 0; is_before(k) && c < num_coarse; ++c)
          W[i][c] -= all / taken * A[i][k] / diagonal * W[k][c];
      }
    }
  }
  return W;
}

/// A system's interpolation on a device, and what it was made from on the host.
template <class Scalar, class Space, class Offset>
struct Made {
  HostSplitting splittings[2];
  Ordinal counts[2];
  std::unique_ptr<amg::PointInterpolation<Scalar, Space, Offset>> interpolation;
  kernels::Csr<Scalar, Space, Offset> P;
  amg::PhaseTimer<Space> timer;

  Made(const Space& exec, const HostMatrix<Scalar>& host, const amg::ClassicalParameters& p)
      : timer(exec, false) {
    const auto A = make_csr<Offset>(exec, host);
    auto found = kernels::strong_dependences(
        exec, A.view(), {0.25, 0.9, p.strong_couplings == amg::StrongCouplings::by_sign});
    const auto first = amg::split_points(exec, found, amg::PointSplitting::pmis);
    const auto second = amg::split_coarse_points(exec, found, first, amg::PointSplitting::pmis, 1);
    const auto offsets = to_host(found.strong.offsets);
    const auto columns = to_host(found.strong.columns);
    for (int s = 0; s < 2; ++s) {
      counts[s] = (s == 0 ? first : second).num_coarse;
      splittings[s].number = to_host((s == 0 ? first : second).coarse_number);
      for (Ordinal i = 0; i < host.num_rows; ++i)
        splittings[s].strong.emplace_back(columns.begin() + offsets[i],
                                          columns.begin() + offsets[i + 1]);
    }
    if (p.aggressive_interpolation == AggressiveInterpolation::multipass) {
      interpolation =
          std::make_unique<amg::MultipassInterpolation<Scalar, Space, Offset>>(p, second);
    } else {
      interpolation =
          std::make_unique<amg::TwoStageInterpolation<Scalar, Space, Offset>>(p, first, second);
    }
    P = interpolation->make(exec, A.view(), found.strong, timer);
    EXPECT_EQ(found.strong.num_edges(), 0U);
  }

  Dense expected(const HostMatrix<Scalar>& A, const amg::ClassicalParameters& p) const {
    if (p.aggressive_interpolation == AggressiveInterpolation::multipass)
      return expected_multipass(dense(A), splittings[1], counts[1]);
    return expected_two_stage(dense(A), splittings, counts, p.interpolation);
  }
};

amg::ClassicalParameters untruncated(AggressiveInterpolation how, Interpolation interpolation) {
  amg::ClassicalParameters p;
  p.aggressive_interpolation = how;
  p.interpolation = interpolation;
  p.max_row_entries = 0;
  return p;
}

std::vector<amg::ClassicalParameters> all_ways() {
  return {untruncated(AggressiveInterpolation::two_stage, Interpolation::extended_i),
          untruncated(AggressiveInterpolation::two_stage, Interpolation::extended_e),
          untruncated(AggressiveInterpolation::multipass, Interpolation::extended_i)};
}

TESSERA_TYPED_TEST(AggressiveInterpolationTest, IsThatOfTheFormulas) {
  const double tolerance = sizeof(Scalar) == 8 ? 1e-11 : 5e-3;
  for (const auto& A :
       {odd_matrix<Scalar>(1), odd_matrix<Scalar>(2), poisson<Scalar>(15, 11),
        poisson<Scalar>(7, 6, 5), without_entries<Scalar>(3), without_entries<Scalar>(0)}) {
    for (const auto& p : all_ways()) {
      const Made<Scalar, Space, Offset> made(exec, A, p);
      expect_near(dense(to_host(made.P)), made.expected(A, p), tolerance);
    }
  }
}

TESSERA_TYPED_TEST(AggressiveInterpolationTest, InterpolatesConstants) {
  const auto A = without_a_ground<Scalar>();
  for (auto p : all_ways()) {
    for (const int max_entries : {0, 2}) {
      p.max_row_entries = max_entries;
      const Made<Scalar, Space, Offset> made(exec, A, p);
      EXPECT_GT(made.counts[1], 5);
      EXPECT_LT(made.counts[1], made.counts[0] * 3 / 4);
      std::size_t rows = 0;
      for (const auto& row : dense(to_host(made.P))) {
        double sum = 0;
        for (const double weight : row)
          sum += weight;
        const auto entries = std::count_if(row.begin(), row.end(), [](double w) { return w != 0; });
        EXPECT_LE(entries, max_entries == 0 ? made.counts[1] : max_entries);
        if (sum == 0) continue;
        EXPECT_NEAR(sum, 1, sizeof(Scalar) == 8 ? 1e-12 : 1e-3);
        ++rows;
      }
      EXPECT_GT(rows, 350U);
    }
  }
}

TESSERA_TYPED_TEST(AggressiveInterpolationTest, TakesNewValues) {
  const auto A = poisson<Scalar>(15, 12);
  const auto d = spread(A.num_rows, 0.05);
  const auto changed = scaled(A, d, d);
  const auto again = make_csr<Offset>(exec, changed);
  for (const auto& p : all_ways()) {
    Made<Scalar, Space, Offset> made(exec, A, p);
    made.interpolation->release();
    for (int times = 0; times < 2; ++times) {
      Kokkos::deep_copy(exec, made.P.values, Scalar(7));
      made.interpolation->remake(exec, again.view(), made.P, made.timer);
      expect_near(dense(to_host(made.P)), made.expected(changed, p),
                  sizeof(Scalar) == 8 ? 1e-12 : 1e-4);
      made.interpolation->release();
    }
  }
}

/// Points 0 to 4 on a line, of which 0 and 4 are coarse: two passes.
TESSERA_TYPED_TEST(AggressiveInterpolationTest, PassesGoAlongALine) {
  const auto A = make_csr<Offset>(exec, poisson<Scalar>(5));
  auto found = kernels::strong_dependences(exec, A.view(), {0.25, 1.0});
  const amg::Splitting<Space> ends{to_device(exec, std::vector<Ordinal>{0, -1, -1, -1, 1}), 2};
  amg::MultipassInterpolation<Scalar, Space, Offset> interpolation(
      untruncated(AggressiveInterpolation::multipass, Interpolation::extended_i), ends);
  amg::PhaseTimer<Space> timer(exec, false);
  const auto P = interpolation.make(exec, A.view(), found.strong, timer);
  expect_near(dense(to_host(P)), {{1, 0}, {1, 0}, {0.5, 0.5}, {0, 1}, {0, 1}}, 1e-6);
}

}  // namespace tessera::test::aggressive_interpolation_test
