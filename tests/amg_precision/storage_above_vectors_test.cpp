// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An operator in double beside vectors in float, on the finest level as on any: it has float's
/// digits, and a note says so.
#include "fixture.hpp"

#include "support/random_matrix.hpp"

namespace tessera::test::storage_above_vectors_test {

constexpr const char* note =
    "A of level 0 stored in double has float's digits only, as its vectors "
    "do: amg.storage.scalar=same takes fewer bytes, vectors in double "
    "(precision=same) keep all digits";

template <class Param>
class StorageAboveVectors : public PrecisionTest<Param> {
 public:
  TESSERA_TEST_TYPES(Param);

  /// A Poisson matrix times numbers near 1 that float does not hold, for each of `unknowns` at a
  /// point, and an eighth of it between them. They are numbered unknown by unknown.
  static HostMatrix<double> matrix(int unknowns = 1) {
    const auto points = poisson<double>(14, 13);
    const int n = points.num_rows;
    return by_rows<double>(unknowns * n, unknowns * n, [&](auto& A, int row) {
      const int i = row % n;
      for (int u = 0; u < unknowns; ++u) {
        for (auto e = points.offsets[i]; e < points.offsets[i + 1]; ++e) {
          const int j = points.columns[e];
          const double of_pair = 1 + 0x1p-30 * (1 + (i + j) % 5);
          const double of_unknowns = u == row / n ? 1 : 0.125;
          A.push(u * n + j, of_pair * of_unknowns * points.values[e]);
        }
      }
    });
  }
  static HostMatrix<double> rounded(HostMatrix<double> A) {
    for (double& value : A.values)
      value = static_cast<float>(value);
    return A;
  }

  static SolveParameters below(Precision precision, StorageScalar scalar) {
    SolveParameters p = PrecisionTest<Param>::uniform();
    p.precision = precision;
    p.equilibration = Equilibration::none;
    p.solver.name = SolverName::cg;
    p.amg.storage.scalar = scalar;
    p.amg.reuse = amg::Reuse::symbolic;
    return p;
  }
  std::vector<double> applied(Solver<double, Space, Offset>& solver, std::size_t n) {
    const auto r = to_multivector(this->exec, random_vector<double>(n, 3), n);
    const auto z = to_multivector(this->exec, std::vector<double>(n), n);
    solver.preconditioner()->prepare(this->exec, 1);
    solver.preconditioner()->apply(this->exec, r, z);
    return to_host(z);
  }
  /// What the cycle makes of the matrix and of the one rounded to float.
  void expect_rounded(const SolveParameters& p, int unknowns, bool is_noted) {
    const auto host = matrix(unknowns);
    auto solver = set_up(this->exec, make_csr<Offset>(this->exec, host), p, {}, unknowns);
    auto of_rounded =
        set_up(this->exec, make_csr<Offset>(this->exec, rounded(host)), p, {}, unknowns);
    EXPECT_EQ(noted(solver.hierarchy(), note), is_noted);
    EXPECT_EQ(solver.hierarchy().levels.front().A.storage, is_noted ? "double" : "float");
    const auto z = applied(of_rounded, host.num_rows);
    EXPECT_EQ(applied(solver, host.num_rows), z);
    // New values, too.
    solver.update_values(this->exec, make_csr<Offset>(this->exec, host));
    EXPECT_EQ(noted(solver.hierarchy(), note), is_noted);
    expect_as_first<Space>(applied(solver, host.num_rows), z, 1e-5);
  }
};
TYPED_TEST_SUITE(StorageAboveVectors, Spaces, TypeNames);

TYPED_TEST(StorageAboveVectors, HasTheDigitsOfTheVectors) {
  for (const auto scalar : {StorageScalar::same, StorageScalar::float64}) {
    for (const auto equilibration : {Equilibration::none, Equilibration::powers_of_two}) {
      for (const int unknowns : {1, 2}) {
        SCOPED_TRACE(unknowns);
        auto p = this->below(Precision::single, scalar);
        p.equilibration = equilibration;
        this->expect_rounded(p, unknowns, scalar == StorageScalar::float64);
      }
    }
  }
}

TYPED_TEST(StorageAboveVectors, ByAListAsWell) {
  auto p = this->below(Precision::single, StorageScalar::same);
  p.amg.levels = {amg::uniform_choice(p.amg), amg::uniform_choice(p.amg)};
  p.amg.levels.front().A.scalar = StorageScalar::float64;
  this->expect_rounded(p, 1, true);
  p.precision = Precision::same;
  p.amg.levels.front().vectors = amg::VectorScalar::float32;
  this->expect_rounded(p, 1, true);
}

TYPED_TEST(StorageAboveVectors, VectorsInDoubleKeepAllDigits) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto host = this->matrix();
  const auto p = this->below(Precision::same, StorageScalar::float64);
  auto solver = set_up(this->exec, make_csr<Offset>(this->exec, host), p);
  auto of_rounded = set_up(this->exec, make_csr<Offset>(this->exec, this->rounded(host)), p);
  EXPECT_FALSE(noted(solver.hierarchy(), "stored in double"));
  EXPECT_NE(this->applied(solver, host.num_rows), this->applied(of_rounded, host.num_rows));
}

}  // namespace tessera::test::storage_above_vectors_test
