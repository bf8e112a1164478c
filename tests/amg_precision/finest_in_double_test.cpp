// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A finest level in double beside vectors of float has the matrix's own values, not what float has
/// left of them.
#include "fixture.hpp"

#include "support/random_matrix.hpp"
#include "support/reference.hpp"
#include "support/storage_formats.hpp"
#include "tessera/amg/cycle/mixed_precision.hpp"
#include "tessera/kernels/format/convert.hpp"

namespace tessera::test::finest_in_double_test {

template <class Param>
class FinestInDouble : public PrecisionTest<Param> {
 public:
  TESSERA_TEST_TYPES(Param);
  using Csr = kernels::Csr<double, Space, Offset>;

  /// A Poisson matrix times numbers near 1 that float does not hold, for each of `unknowns` at a
  /// point, and an eighth of it between them. They are numbered unknown by unknown.
  static HostMatrix<double> matrix(int unknowns = 1, double size = 1) {
    const auto points = poisson<double>(14, 13);
    const int n = points.num_rows;
    return by_rows<double>(unknowns * n, unknowns * n, [&](auto& A, int row) {
      const int i = row % n;
      for (int u = 0; u < unknowns; ++u) {
        for (auto e = points.offsets[i]; e < points.offsets[i + 1]; ++e) {
          const int j = points.columns[e];
          const double of_pair = 1 + 0x1p-30 * (1 + (i + j) % 5);
          const double of_unknowns = u == row / n ? 1 : 0.125;
          A.push(u * n + j, size * of_pair * of_unknowns * points.values[e]);
        }
      }
    });
  }
  static HostMatrix<double> rounded(HostMatrix<double> A) {
    for (double& value : A.values)
      value = static_cast<float>(value);
    return A;
  }
  /// A x rounded to float once.
  static std::vector<float> product(const HostMatrix<double>& A, const std::vector<float>& x) {
    std::vector<float> y;
    for (int i = 0; i < A.num_rows; ++i) {
      long double sum = 0;
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
        sum += static_cast<long double>(A.values[e]) * x[A.columns[e]];
      y.push_back(static_cast<float>(sum));
    }
    return y;
  }
  std::vector<float> product(const SparseOperator<float, Space>& A, const std::vector<float>& x) {
    const auto y = to_multivector(this->exec, std::vector<float>(x.size()), x.size());
    A.apply(this->exec, 1, to_multivector(this->exec, x, x.size()), 0, y);
    return to_host(y);
  }

  static SolveParameters in_double(StorageScalar scalar = StorageScalar::float64) {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::single;
    p.equilibration = Equilibration::none;
    p.solver.name = SolverName::cg;
    p.amg.coarse_size = 20;
    p.amg.storage.scalar = scalar;
    p.amg.reuse = amg::Reuse::symbolic;
    return p;
  }
  std::vector<double> applied(Solver<double, Space, Offset>& solver, std::size_t n) {
    return applied(*solver.preconditioner(), n);
  }
  std::vector<double> applied(Preconditioner<double, Space>& M, std::size_t n) {
    const auto r = to_multivector(this->exec, random_vector<double>(n, 3), n);
    const auto z = to_multivector(this->exec, std::vector<double>(n), n);
    M.prepare(this->exec, 1);
    M.apply(this->exec, r, z);
    return to_host(z);
  }
};
TYPED_TEST_SUITE(FinestInDouble, Spaces, TypeNames);

TYPED_TEST(FinestInDouble, ProductsAreOfTheValuesAsTheyWere) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto host = this->matrix();
  const auto x = random_vector<float>(host.num_rows, 7);
  const auto expected = this->product(host, x);
  ASSERT_NE(this->product(this->rounded(host), x), expected) << "too easy";
  for (const StorageFormat format : storage_formats_to_choose()) {
    const auto A = make_csr<Offset>(this->exec, host);
    const auto in_float = kernels::convert_values<float>(this->exec, A);
    auto p = this->in_double().amg;
    p.storage.format = format;
    amg::Multigrid<float, Space> multigrid(p);
    ASSERT_TRUE(
        multigrid.try_setup(this->exec, in_float, {}, 1, {}, {.plan = nullptr, .in_double = A}));
    ASSERT_GE(multigrid.levels().size(), 2u);
    EXPECT_EQ(multigrid.levels().front().A->info().storage, "double");
    EXPECT_EQ(this->product(*multigrid.levels().front().A, x), expected);
    // Without them the values are float's, in as many bytes.
    amg::Multigrid<float, Space> widened(p);
    widened.setup(this->exec, in_float);
    EXPECT_EQ(this->product(*widened.levels().front().A, x), this->product(this->rounded(host), x));
    EXPECT_EQ(widened.levels().front().A->info().bytes, multigrid.levels().front().A->info().bytes);
    // New values.
    const auto other = make_csr<Offset>(this->exec, this->matrix(1, 1.7));
    Kokkos::deep_copy(this->exec, A.values, other.values);
    Kokkos::deep_copy(this->exec, in_float.values,
                      kernels::convert_values<float>(this->exec, other).values);
    ASSERT_TRUE(multigrid.try_update(this->exec));
    EXPECT_EQ(this->product(*multigrid.levels().front().A, x),
              this->product(this->matrix(1, 1.7), x));
  }
}

TYPED_TEST(FinestInDouble, AsSolverBuildsIt) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto host = this->matrix();
  const std::size_t n = host.num_rows;
  for (const bool by_list : {false, true}) {
    auto p = this->in_double();
    if (by_list) {
      p.amg.storage.scalar = StorageScalar::same;
      p.amg.levels = {amg::uniform_choice(p.amg), amg::uniform_choice(p.amg)};
      p.amg.levels.front().A.scalar = StorageScalar::float64;
    }
    const auto A = make_csr<Offset>(this->exec, host);
    Solver<double, Space, Offset> solver(p);
    solver.setup(this->exec, A);
    // By hand.
    const auto unrounded = make_csr<Offset>(this->exec, host);
    const auto in_float = kernels::convert_values<float>(this->exec, unrounded);
    const auto multigrid = std::make_shared<amg::Multigrid<float, Space>>(solver.parameters().amg);
    ASSERT_TRUE(multigrid->try_setup(this->exec, in_float, {}, 1, {},
                                     {.plan = nullptr, .in_double = unrounded}));
    amg::MixedPrecisionPreconditioner<Space> M(multigrid, host.num_rows);
    const auto expected = this->applied(M, n);
    EXPECT_EQ(this->applied(solver, n), expected);
    // It is a snapshot, until it is told of new values.
    const auto other = make_csr<Offset>(this->exec, this->matrix(1, 1.7));
    Kokkos::deep_copy(this->exec, A.values, other.values);
    EXPECT_EQ(this->applied(solver, n), expected);
    solver.update_values(this->exec);
    Kokkos::deep_copy(this->exec, unrounded.values, other.values);
    Kokkos::deep_copy(this->exec, in_float.values,
                      kernels::convert_values<float>(this->exec, other).values);
    ASSERT_TRUE(multigrid->try_update(this->exec));
    EXPECT_NE(this->applied(solver, n), expected);
    EXPECT_EQ(this->applied(solver, n), this->applied(M, n));
  }
}

TYPED_TEST(FinestInDouble, ScaledAndRenumberedAsWell) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const auto equilibration : {Equilibration::none, Equilibration::powers_of_two}) {
    for (const int unknowns : {1, 2}) {
      for (const auto scalar : {StorageScalar::same, StorageScalar::float64}) {
        const auto host = this->matrix(unknowns);
        auto p = this->in_double(scalar);
        p.equilibration = equilibration;
        Solver<double, Space, Offset> solver(p), of_rounded(p);
        solver.setup(this->exec, make_csr<Offset>(this->exec, host), {}, unknowns);
        of_rounded.setup(this->exec, make_csr<Offset>(this->exec, this->rounded(host)), {},
                         unknowns);
        const auto z = this->applied(solver, host.num_rows);
        const auto z_rounded = this->applied(of_rounded, host.num_rows);
        EXPECT_EQ(z == z_rounded, scalar == StorageScalar::same);
        // New values, too.
        solver.update_values(this->exec, make_csr<Offset>(this->exec, this->rounded(host)));
        expect_as_first<Space>(this->applied(solver, host.num_rows), z_rounded, 1e-5);
      }
    }
  }
}

TYPED_TEST(FinestInDouble, BelowLevelsInDouble) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto host = this->matrix();
  const auto x = random_vector<float>(host.num_rows, 7);
  auto p = this->float_from(0);
  p.amg.levels.front().A.scalar = StorageScalar::float64;
  amg::Multigrid<double, Space> multigrid(p.amg);
  multigrid.setup(this->exec, make_csr<Offset>(this->exec, host));
  const auto& below = multigrid.hierarchy().tail;
  ASSERT_NE(below, nullptr);
  EXPECT_EQ(this->product(*below->levels.front().A, x), this->product(host, x));
}

}  // namespace tessera::test::finest_in_double_test
