// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The kernels of conjugate gradients, on small whole numbers and steps of a half, so that every
/// result is exact.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/vector/cg_steps.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace tessera::test::cg_steps_test {

using namespace tessera::kernels;

TESSERA_TEST_SUITE(CgSteps, Scalars, TypeNames);

/// n by k in a larger block, where `spread`: columns then begin far apart.
template <class Number, class Space>
struct Columns {
  MultiVector<Number, Space> block;
  MultiVectorView<Number, Space> view;

  Columns(const Space& exec, const std::vector<Number>& values, int n, int k, bool spread)
      : block(allocate_multivector<Number>(exec, "tessera::test", spread ? n + 5 : n, k)),
        view(Kokkos::subview(block, std::pair<int, int>(0, n), Kokkos::ALL)) {
    const auto source = to_multivector(exec, values, n, k);
    for (int j = 0; j < k; ++j) {
      Kokkos::deep_copy(exec, Kokkos::subview(view, Kokkos::ALL, j),
                        Kokkos::subview(source, Kokkos::ALL, j));
    }
    exec.fence("tessera::test");
  }
  std::vector<Number> host() const {
    const auto copy =
        allocate_multivector<Number>(typename MultiVector<Number, Space>::execution_space(),
                                     "tessera::test", view.extent(0), view.extent(1));
    for (std::size_t j = 0; j < view.extent(1); ++j) {
      Kokkos::deep_copy(Kokkos::subview(copy, Kokkos::ALL, j),
                        Kokkos::subview(view, Kokkos::ALL, j));
    }
    return to_host(copy);
  }
};

/// Whole numbers from -4 to 4.
template <class Number>
std::vector<Number> whole(std::size_t size, unsigned seed) {
  std::vector<Number> v(size);
  for (std::size_t i = 0; i < size; ++i)
    v[i] = static_cast<Number>(static_cast<int>((i * 7 + seed * 5 + i * i % 11) % 9) - 4);
  return v;
}

/// The same, zero in the last of three columns.
template <class Number>
std::vector<Number> residual(std::size_t size) {
  auto v = whole<Number>(size, 3);
  std::fill(v.end() - size / 3, v.end(), Number(0));
  return v;
}

/// Vectors and scalars of three columns, of which the last is done at the start.
template <class Scalar, class Z, class Space>
struct Steps {
  static constexpr int k = 3;
  Space exec;
  int n;
  bool spread;
  std::size_t size = static_cast<std::size_t>(n) * k;
  ReductionWorkspace<Space> workspace{exec, k, 2};
  ColumnState<Space> columns{exec, k};
  CgScalars<Space> scalars{exec, k};
  Columns<Scalar, Space> p{exec, whole<Scalar>(size, 1), n, k, spread};
  Columns<Scalar, Space> q{exec, whole<Scalar>(size, 2), n, k, spread};
  Columns<Scalar, Space> r{exec, residual<Scalar>(size), n, k, spread};
  Columns<Scalar, Space> x{exec, whole<Scalar>(size, 4), n, k, spread};
  Columns<Z, Space> z{exec, whole<Z>(size, 5), n, k, spread};
  Columns<float, Space> r_float{exec, residual<float>(size), n, k, spread};
  Columns<Scalar, Space> kept{
      exec, std::vector<Scalar>(size, std::numeric_limits<Scalar>::quiet_NaN()), n, k, spread};

  Steps(int rows, bool in_blocks) : n(rows), spread(in_blocks) {
    set(columns.target, {1e-4, 1e-4, 1e-4});
    const auto norms = to_device(exec, std::vector<double>{1e12, 1e-3, 0});
    cg_start<Space>(exec, columns, scalars, norms, true);
  }
  template <class T>
  void set(const Array<T, Space>& array, const std::vector<T>& values) {
    Kokkos::deep_copy(exec, array, to_device(exec, values));
    exec.fence("tessera::test");
  }
  /// alpha = 1/2 in the columns that iterate.
  void update(CgAfterUpdate after) {
    set(scalars.rz, {4, 4, 4});
    const auto pq = to_device(exec, std::vector<Scalar>(k, Scalar(8)));
    cg_update<Scalar, Space>(exec, workspace, columns, scalars, pq, p.view, q.view, x.view, r.view,
                             after, r_float.view);
    exec.fence("tessera::test");
  }
  void direction(CgStep step) {
    set(scalars.beta, {2, 0, 2});
    cg_direction<Scalar, Z, Space>(exec, columns, scalars, step, z.view, p.view, x.view, kept.view);
    exec.fence("tessera::test");
  }
  double squares(const std::vector<Scalar>& v, int j) const {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += static_cast<double>(v[j * n + i]) * static_cast<double>(v[j * n + i]);
    return sum;
  }
};

template <class Scalar>
std::vector<Scalar> sum_of(const std::vector<Scalar>& u, double factor,
                           const std::vector<Scalar>& v, int n, const std::vector<int>& in) {
  auto result = u;
  for (const int j : in) {
    for (int i = 0; i < n; ++i)
      result[j * n + i] += static_cast<Scalar>(factor) * v[j * n + i];
  }
  return result;
}

/// Column 0 gains from a norm of 1e12, column 1 gets worse than its 1e-3, column 2 stagnates.
template <class Scalar, class Z, class Space>
void test_deferred(int n, bool spread) {
  using S = Steps<Scalar, Z, Space>;
  S t(n, spread);
  const auto x0 = t.x.host();
  const auto p0 = t.p.host();
  const auto r0 = t.r.host();
  const auto q = t.q.host();
  t.update(CgAfterUpdate::settle);
  const auto r1 = sum_of(r0, -0.5, q, n, {0, 1});
  EXPECT_EQ(t.r.host(), r1);
  EXPECT_EQ(t.r_float.host(), std::vector<float>(r1.begin(), r1.end()));
  EXPECT_EQ(t.x.host(), x0) << "the step comes with the direction";
  EXPECT_EQ(to_host(t.scalars.alpha), (std::vector<double>{0.5, 0.5, 0}));
  for (int j = 0; j < S::k; ++j)
    EXPECT_EQ(t.columns.norm_report(j), t.squares(r1, j));
  ASSERT_GT(t.squares(r1, 1), 1e-3);
  EXPECT_EQ(to_host(t.scalars.place), (std::vector<int>{0, 1, 0}));

  // What is returned where this was the last iteration: the step in column 0, none in column 1.
  const auto x1 = sum_of(x0, 0.5, p0, n, {0, 1});
  const auto best1 = sum_of(x0, 0.5, p0, n, {0});
  const auto finished = [&](CgStep step, bool one_more) {
    Columns<Scalar, Space> result(t.exec, t.x.host(), n, S::k, spread);
    cg_finish<Scalar, Space>(t.exec, t.scalars, step, one_more, t.p.view, t.kept.view, result.view);
    return result.host();
  };
  EXPECT_EQ(finished(CgStep::deferred, false), best1);

  t.direction(CgStep::deferred);
  EXPECT_EQ(t.x.host(), x1);
  const auto kept = t.kept.host();
  const auto p1 = t.p.host();
  const auto z = t.z.host();
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(kept[n + i], x0[n + i]);
    EXPECT_EQ(p1[i], static_cast<Scalar>(z[i]) + 2 * p0[i]);
    EXPECT_EQ(p1[n + i], static_cast<Scalar>(z[n + i])) << "beta = 0 overwrites";
    EXPECT_EQ(p1[2 * n + i], p0[2 * n + i]) << "the column is done";
  }

  // One more iteration: reported in the other half, and as if it had not been where it is left out.
  t.update(CgAfterUpdate::settle);
  const auto r2 = sum_of(r1, -0.5, q, n, {0, 1});
  for (int j = 0; j < S::k; ++j) {
    EXPECT_EQ(t.columns.norm_report(j), t.squares(r1, j)) << "the report before stays";
    EXPECT_EQ(t.columns.norm_report(S::k + j), t.squares(r2, j));
  }
  EXPECT_EQ(finished(CgStep::deferred, true), best1);
  EXPECT_EQ(to_host(t.scalars.place)[1], 2) << "kept once";
}

template <class Scalar, class Z, class Space>
void test_at_once(int n, bool spread) {
  using S = Steps<Scalar, Z, Space>;
  S t(n, spread);
  const auto x0 = t.x.host();
  const auto p0 = t.p.host();
  t.update(CgAfterUpdate::leave);
  const auto x1 = sum_of(x0, 0.5, p0, n, {0, 1});
  EXPECT_EQ(t.x.host(), x1);
  cg_settle<Scalar, Space>(t.exec, t.workspace, t.columns, t.scalars, t.r.view,
                           CgAfterUpdate::settle);
  EXPECT_EQ(to_host(t.scalars.place), (std::vector<int>{0, 1, 0}));
  Columns<Scalar, Space> result(t.exec, x1, n, S::k, spread);
  cg_finish<Scalar, Space>(t.exec, t.scalars, CgStep::at_once, false, t.p.view, t.kept.view,
                           result.view);
  EXPECT_EQ(result.host(), sum_of(x0, 0.5, p0, n, {0}));
  t.direction(CgStep::at_once);
  EXPECT_EQ(t.x.host(), x1);
  const auto kept = t.kept.host();
  for (int i = 0; i < n; ++i)
    EXPECT_EQ(kept[n + i], x0[n + i]);
}

TESSERA_TYPED_TEST(CgSteps, TheStepWithTheNextDirectionAndAtOnce) {
  for (const int n : {3, 5, 1023, 5000}) {
    for (const bool spread : {false, true}) {
      SCOPED_TRACE(std::to_string(n) + (spread ? " in blocks" : ""));
      test_deferred<Scalar, Scalar, Space>(n, spread);
      test_deferred<double, float, Space>(n, spread);
      test_at_once<Scalar, Scalar, Space>(n, spread);
      test_at_once<double, float, Space>(n, spread);
    }
  }
}

TESSERA_TYPED_TEST(CgSteps, BetaOfAPreconditionedResidualInFloat) {
  for (const bool flexible : {false, true}) {
    Steps<double, float, Space> t(700, true);
    t.update(CgAfterUpdate::settle);
    cg_beta<double, float, Space>(t.exec, t.workspace, t.columns, t.scalars, t.r.view, t.z.view,
                                  t.q.view, flexible);
    const auto r = t.r.host();
    const auto z = t.z.host();
    const auto q = t.q.host();
    const auto rz = to_host(t.scalars.rz);
    const auto beta = to_host(t.scalars.beta);
    for (int j = 0; j < t.k; ++j) {
      double new_rz = 0;
      double zq = 0;
      for (int i = 0; i < t.n; ++i) {
        new_rz += r[j * t.n + i] * z[j * t.n + i];
        zq += q[j * t.n + i] * z[j * t.n + i];
      }
      const double alpha = j == 2 ? 0 : 0.5;
      EXPECT_EQ(rz[j], new_rz);
      EXPECT_EQ(beta[j], (flexible ? -alpha * zq : new_rz) / 4);
    }
  }
}

TESSERA_TYPED_TEST(CgSteps, MistakesAreRejected) {
  Steps<Scalar, Scalar, Space> t(10, false);
  const Steps<Scalar, Scalar, Space> shorter(9, false);
  const auto rejected = [](const char* name, const auto& call) {
    expect_error(error_of(call), ErrorKind::precondition, {name, "9 by 3", "10 by 3"});
  };
  const auto pq = to_device(t.exec, std::vector<Scalar>(3, Scalar(8)));
  const auto update = [&](const auto& p, const auto& q, const auto& r, const auto& r_float) {
    cg_update<Scalar, Space>(t.exec, t.workspace, t.columns, t.scalars, pq, p.view, q.view,
                             t.x.view, r.view, CgAfterUpdate::settle, r_float.view);
  };
  rejected("p is", [&] { update(shorter.p, t.q, t.r, t.r_float); });
  rejected("q is", [&] { update(t.p, shorter.q, t.r, t.r_float); });
  rejected("r is", [&] { update(t.p, t.q, shorter.r, t.r_float); });
  rejected("r_float is", [&] { update(t.p, t.q, t.r, shorter.r_float); });
  const auto direction = [&](const auto& p, const auto& x, const auto& kept) {
    cg_direction<Scalar, Scalar, Space>(t.exec, t.columns, t.scalars, CgStep::deferred, t.z.view,
                                        p.view, x.view, kept.view);
  };
  rejected("p is", [&] { direction(shorter.p, t.x, t.kept); });
  rejected("x is", [&] { direction(t.p, shorter.x, t.kept); });
  rejected("kept is", [&] { direction(t.p, t.x, shorter.kept); });
  rejected("z is", [&] {
    cg_beta<Scalar, Scalar, Space>(t.exec, t.workspace, t.columns, t.scalars, t.r.view,
                                   shorter.z.view, t.q.view, false);
  });
  expect_error(error_of([&] {
                 cg_finish<Scalar, Space>(t.exec, t.scalars, CgStep::at_once, true, t.p.view,
                                          t.kept.view, t.x.view);
               }),
               ErrorKind::precondition, {"left out"});
}

}  // namespace tessera::test::cg_steps_test
