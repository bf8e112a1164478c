// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The matrices of a hierarchy's levels, whatever they are stored in.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/matrix/register_format.hpp"

#include <map>

namespace tessera::test::level_matrices_test {

/// A format whose arrays nobody sees: it multiplies, and no more.
template <class Scalar, class Space, class Offset>
class Opaque : public SparseOperator<Scalar, Space> {
 public:
  using typename SparseOperator<Scalar, Space>::ConstVectors;
  using typename SparseOperator<Scalar, Space>::Vectors;
  using Vector = ArrayView<const Scalar, Space>;

  explicit Opaque(CrsMatrix<Scalar, Space, Offset> rows) : m_rows(std::move(rows)) {}

  Ordinal num_rows() const override { return m_rows.num_rows(); }
  Ordinal num_cols() const override { return m_rows.num_cols(); }
  std::size_t num_entries() const override { return m_rows.num_entries(); }
  StorageInfo info() const override {
    auto info = m_rows.info();
    info.format = "opaque";
    return info;
  }
  void apply(const Space& exec, Scalar alpha, const ConstVectors& x, Scalar beta,
             const Vectors& y) const override {
    m_rows.apply(exec, alpha, x, beta, y);
  }
  void residual(const Space& exec, const ConstVectors& b, const ConstVectors& x,
                const Vectors& r) const override {
    m_rows.residual(exec, b, x, r);
  }
  void apply_dot(const Space& exec, const ConstVectors& x, const Vectors& y,
                 const ArrayView<Scalar, Space>& result) const override {
    m_rows.apply_dot(exec, x, y, result);
  }
  void jacobi_sweep(const Space& exec, const Vector& d, const ConstVectors& b,
                    const ConstVectors& x, const Vectors& out) const override {
    m_rows.jacobi_sweep(exec, d, b, x, out);
  }
  void chebyshev_step(const Space& exec, const Vector& d, Scalar alpha, Scalar beta,
                      const ConstVectors& b, const ConstVectors& x, const Vectors& p,
                      const Vectors& out) const override {
    m_rows.chebyshev_step(exec, d, alpha, beta, b, x, p, out);
  }

 private:
  CrsMatrix<Scalar, Space, Offset> m_rows;
};

struct MakeOpaque {
  template <class Scalar, class Space, class Offset>
  std::shared_ptr<const SparseOperator<Scalar, Space>> operator()(
      const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) const {
    return std::make_shared<Opaque<Scalar, Space, Offset>>(
        CrsMatrix<Scalar, Space, Offset>(exec, copy_of(exec, A)));
  }
};

/// Registered once in a program.
StorageFormat opaque_format() {
  static const StorageFormat format =
      register_format("opaque", "rows that nobody reads", MakeOpaque());
  return format;
}

template <class Param>
class LevelMatricesTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;

  Solver<double, Space> solver_of(int n, SolveParameters p = {}) {
    p.preconditioner = PreconditionerKind::amg;
    p.amg.coarse_size = 50;
    return set_up(
        exec, make_problem<double, Space>(exec, {.problem = ProblemKind::poisson2d, .n = n}), p);
  }

  /// Rows as maps from columns to values.
  using Rows = std::vector<std::map<Ordinal, double>>;
  static Rows rows_of(const HostMatrix<double>& A) {
    Rows rows(A.num_rows);
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
        rows[i][A.columns[e]] += A.values[e];
    }
    return rows;
  }
  static Rows product(const Rows& A, const Rows& B) {
    Rows C(A.size());
    for (std::size_t i = 0; i < A.size(); ++i) {
      for (const auto& [k, a] : A[i]) {
        for (const auto& [j, b] : B[k])
          C[i][j] += a * b;
      }
    }
    return C;
  }
  static void expect_near(const Rows& actual, const Rows& expected, double tolerance) {
    ASSERT_EQ(actual.size(), expected.size());
    double largest = 0;
    for (const auto& row : expected) {
      for (const auto& [j, value] : row)
        largest = std::max(largest, std::abs(value));
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
      for (const auto& [j, value] : expected[i]) {
        const auto place = actual[i].find(j);
        EXPECT_NEAR(place == actual[i].end() ? 0 : place->second, value, tolerance * largest);
      }
      for (const auto& [j, value] : actual[i])
        EXPECT_TRUE(expected[i].count(j) == 1 || std::abs(value) <= tolerance * largest);
    }
  }
};
TYPED_TEST_SUITE(LevelMatricesTest, Spaces, TypeNames);

TYPED_TEST(LevelMatricesTest, AreThoseOfGalerkin) {
  SolveParameters p;
  p.precision = Precision::same;
  const auto solver = this->solver_of(40, p);
  const auto& levels = solver.hierarchy().levels;
  ASSERT_GE(levels.size(), 3u);
  const auto fine =
      this->rows_of(to_host(make_problem<double, typename TypeParam::Space>(
                                this->exec, {.problem = ProblemKind::poisson2d, .n = 40})
                                .A));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const auto here = solver.level_matrices(this->exec, static_cast<int>(l));
    EXPECT_EQ(here.A.num_rows, levels[l].rows);
    EXPECT_EQ(here.A.num_entries(), static_cast<std::size_t>(levels[l].entries));
    const auto A = this->rows_of(to_host(here.A));
    if (l == 0) this->expect_near(A, fine, 0);
    if (l + 1 == levels.size()) {
      EXPECT_EQ(here.P.num_rows, 0);
      EXPECT_EQ(here.R.num_rows, 0);
      continue;
    }
    EXPECT_EQ(here.P.num_rows, levels[l].rows);
    EXPECT_EQ(here.P.num_cols, levels[l + 1].rows);
    const auto R = this->rows_of(to_host(here.R));
    const auto P = this->rows_of(to_host(here.P));
    const auto next = solver.level_matrices(this->exec, static_cast<int>(l) + 1);
    this->expect_near(this->rows_of(to_host(next.A)), this->product(R, this->product(A, P)), 1e-12);
  }
}

TYPED_TEST(LevelMatricesTest, AreReadFromEachFormatAndStorage) {
  SolveParameters plain;
  plain.precision = Precision::same;
  plain.amg.storage.format = StorageFormat::csr;
  const auto expected = this->solver_of(40, plain);
  for (const auto format : {StorageFormat::csr, StorageFormat::mbsr, StorageFormat::ell,
                            StorageFormat::hyb, StorageFormat::coo}) {
    for (const auto precision : {Precision::same, Precision::single}) {
      SCOPED_TRACE(::testing::Message() << int(format) << " " << int(precision));
      SolveParameters p;
      p.amg.storage.format = format;
      p.precision = precision;
      const auto solver = this->solver_of(40, p);
      const double tolerance = precision == Precision::same ? 1e-14 : 1e-5;
      for (const int l : {0, 1}) {
        const auto here = solver.level_matrices(this->exec, l);
        const auto there = expected.level_matrices(this->exec, l);
        this->expect_near(this->rows_of(to_host(here.A)), this->rows_of(to_host(there.A)),
                          tolerance);
        this->expect_near(this->rows_of(to_host(here.P)), this->rows_of(to_host(there.P)),
                          tolerance);
        this->expect_near(this->rows_of(to_host(here.R)), this->rows_of(to_host(there.R)),
                          tolerance);
      }
    }
  }
}

TYPED_TEST(LevelMatricesTest, AreReadFromARegisteredFormatByProducts) {
  SolveParameters p;
  p.precision = Precision::same;
  const auto expected = this->solver_of(45, p);  // 2025 columns, no multiple of those at a time
  p.amg.storage.format = opaque_format();
  const auto solver = this->solver_of(45, p);
  EXPECT_EQ(solver.hierarchy().levels[0].A.format, "opaque");
  for (std::size_t l = 0; l < expected.hierarchy().levels.size(); ++l) {
    const auto here = solver.level_matrices(this->exec, static_cast<int>(l));
    const auto there = expected.level_matrices(this->exec, static_cast<int>(l));
    EXPECT_EQ(here.P.num_cols, there.P.num_cols);
    this->expect_near(this->rows_of(to_host(here.A)), this->rows_of(to_host(there.A)), 1e-14);
    this->expect_near(this->rows_of(to_host(here.P)), this->rows_of(to_host(there.P)), 1e-14);
    this->expect_near(this->rows_of(to_host(here.R)), this->rows_of(to_host(there.R)), 1e-14);
  }
  const auto large = this->solver_of(150, p);  // 22,500
  expect_error(error_of([&] { large.level_matrices(this->exec, 0); }), ErrorKind::configuration,
               {"opaque, a registered format", "at most 20000", "22500"});
}

TYPED_TEST(LevelMatricesTest, AreWhatFewerBitsHold) {
  SolveParameters p;
  p.precision = Precision::same;
  const auto expected = this->solver_of(40, p);
  p.amg.storage.scalar = StorageScalar::half;
  const auto solver = this->solver_of(40, p);
  const auto here = this->rows_of(to_host(solver.level_matrices(this->exec, 1).A));
  const auto there = this->rows_of(to_host(expected.level_matrices(this->exec, 1).A));
  this->expect_near(here, there, 2e-3);
  EXPECT_NE(here, there);
}

TYPED_TEST(LevelMatricesTest, AreCopies) {
  const auto solver = this->solver_of(20);
  const auto before = to_host(solver.level_matrices(this->exec, 0).A.values);
  const auto copy = solver.level_matrices(this->exec, 0);
  Kokkos::deep_copy(this->exec, copy.A.values, 0.0);
  this->exec.fence();
  EXPECT_EQ(to_host(solver.level_matrices(this->exec, 0).A.values), before);
}

TYPED_TEST(LevelMatricesTest, OfLevelsThatThereAre) {
  const Solver<double, typename TypeParam::Space> none;
  expect_error(error_of([&] { none.level_matrices(this->exec, 0); }), ErrorKind::precondition,
               {"before a setup"});
  const auto solver = this->solver_of(20);
  const auto count = static_cast<int>(solver.hierarchy().levels.size());
  for (const int wrong : {-1, count, count + 7}) {
    expect_error(error_of([&] { solver.level_matrices(this->exec, wrong); }),
                 ErrorKind::precondition,
                 {"level " + std::to_string(wrong), "has " + std::to_string(count)});
  }
  SolveParameters p;
  p.preconditioner = PreconditionerKind::jacobi;
  const auto without = set_up(this->exec,
                              make_problem<double, typename TypeParam::Space>(
                                  this->exec, {.problem = ProblemKind::poisson2d, .n = 10}),
                              p);
  expect_error(error_of([&] { without.level_matrices(this->exec, 0); }), ErrorKind::precondition,
               {"the hierarchy has 0"});
}

}  // namespace tessera::test::level_matrices_test
