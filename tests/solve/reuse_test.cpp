// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values in an old pattern: what `update_values` makes is what a setup would make of them.
#include "support/systems.hpp"
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"
#include "support/storage_formats.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tessera::test {
namespace reuse_test {

using amg::Reuse;

template <class Param>
class ReuseTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Csr = kernels::Csr<Scalar, Space, Offset>;
  Space exec;

  HostMatrix<Scalar> matrix(ProblemKind kind, int n, double contrast = 1000) {
    GalleryParameters gallery;
    gallery.problem = kind;
    gallery.n = n;
    gallery.contrast = contrast;
    return to_host(make_problem<Scalar, Space, Offset>(exec, gallery).A);
  }

  /// A + t diag(1 + i mod 3): another matrix of the pattern, definite where A is.
  static HostMatrix<Scalar> shifted(HostMatrix<Scalar> A, double t) {
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
        if (A.columns[e] == i) A.values[e] += static_cast<Scalar>(t * (1 + i % 3));
    }
    return A;
  }

  SolveParameters parameters(Reuse reuse) {
    SolveParameters p;
    p.amg.reuse = reuse;
    p.solver.tolerance = std::is_same_v<Scalar, float> ? 1e-5 : 1e-8;
    return p;
  }

  SolveResult solve(Solver<Scalar, Space, Offset>& solver, Ordinal n) {
    std::vector<Scalar> b(n);
    for (Ordinal i = 0; i < n; ++i)
      b[i] = static_cast<Scalar>(std::sin(1.0 + 3.7 * i));
    const auto x = to_multivector(exec, std::vector<Scalar>(n, 0), n, 1);
    return solver.solve(exec, to_multivector(exec, b, n, 1), x);
  }

  std::vector<Scalar> preconditioned(Solver<Scalar, Space, Offset>& solver, Ordinal n) {
    return preconditioned_waves<Scalar>(exec, solver, n);
  }

  void overwrite(const Csr& A, const HostMatrix<Scalar>& values) {
    const auto mirror = Kokkos::create_mirror_view(A.values);
    std::copy(values.values.begin(), values.values.end(), mirror.data());
    Kokkos::deep_copy(exec, A.values, mirror);
    exec.fence("tessera::test");
  }
};
TYPED_TEST_SUITE(ReuseTest, Matrices, TypeNames);

/// Where float is a choice.
template <class Param>
using ReuseInDouble = ReuseTest<Param>;
TYPED_TEST_SUITE(ReuseInDouble, Spaces, TypeNames);

/// One dense level in A's own precision: the products with A are planned once, for solver and
/// preconditioner.
TYPED_TEST(ReuseTest, TheFinestMatrixIsAnalysedOnce) {
  TESSERA_TEST_TYPES(TypeParam);
  static int analyses = 0;
  const auto A = make_csr<Offset>(this->exec, this->matrix(ProblemKind::poisson2d, 10));
  for (const auto equilibration : {Equilibration::none, Equilibration::powers_of_two}) {
    auto p = this->parameters(Reuse::none);
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.equilibration = equilibration;
    Solver<Scalar, Space, Offset> solver(p);
    analyses = 0;
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(
        [](const char* name, std::uint32_t, std::uint64_t*) {
          analyses += std::string(name) == "tessera::spmv_row_facts";
        });
    solver.setup(this->exec, A);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(nullptr);
    ASSERT_EQ(solver.hierarchy().levels.size(), 1U);
    EXPECT_EQ(analyses, 1);
    EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
  }
}

TYPED_TEST(ReuseTest, SymbolicIsASetupForTheNewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const ProblemKind kind :
       {ProblemKind::poisson2d, ProblemKind::jump2d, ProblemKind::convdiff2d}) {
    const auto before = this->matrix(kind, 50);
    const auto after = this->shifted(before, 0.1);
    const auto A = make_csr<Offset>(this->exec, before);
    Solver<Scalar, Space, Offset> solver(this->parameters(Reuse::symbolic));
    solver.setup(this->exec, A);
    const auto first = this->solve(solver, A.num_rows);
    ASSERT_TRUE(first.converged());
    this->overwrite(A, after);
    solver.update_values(this->exec);
    const auto second = this->solve(solver, A.num_rows);
    EXPECT_TRUE(second.converged());

    Solver<Scalar, Space, Offset> fresh(this->parameters(Reuse::none));
    fresh.setup(this->exec, make_csr<Offset>(this->exec, after));
    const auto expected = this->solve(fresh, A.num_rows);
    EXPECT_LE(second.iterations, expected.iterations + 3) << static_cast<int>(kind);

    // And back: the bits of the first setup, whatever was in between.
    this->overwrite(A, before);
    solver.update_values(this->exec);
    const auto third = this->solve(solver, A.num_rows);
    EXPECT_EQ(third.iterations, first.iterations);
  }
}

/// Wind from the other side: what smoothed the restriction then is weak now, and the other way
/// round. The patterns stay all the same, on every level and in every format, and so do the bits of
/// a second update.
TYPED_TEST(ReuseTest, AFlowThatTurnsRoundConverges) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = sorted(this->matrix(ProblemKind::convdiff2d, 50));
  const auto after = transpose(before);
  ASSERT_EQ(before.columns, after.columns);
  for (const StorageFormat format : {StorageFormat::csr, StorageFormat::mbsr}) {
    auto p = this->parameters(Reuse::symbolic);
    p.amg.storage.format = format;
    const auto A = make_csr<Offset>(this->exec, before);
    Solver<Scalar, Space, Offset> solver(p);
    solver.setup(this->exec, A);
    const auto levels = solver.hierarchy().levels;
    std::vector<int> iterations;
    for (int repetition = 0; repetition < 2; ++repetition) {
      this->overwrite(A, after);
      solver.update_values(this->exec);
      const auto turned = this->solve(solver, A.num_rows);
      EXPECT_TRUE(turned.converged());
      iterations.push_back(turned.iterations);
      this->overwrite(A, before);
      solver.update_values(this->exec);
      EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
    }
    EXPECT_EQ(iterations[0], iterations[1]);
    ASSERT_EQ(solver.hierarchy().levels.size(), levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l)
      EXPECT_EQ(solver.hierarchy().levels[l].entries, levels[l].entries) << l;
  }
}

TYPED_TEST(ReuseTest, AScaledMatrixNeedsAsManyIterations) {
  TESSERA_TEST_TYPES(TypeParam);
  auto scaled = this->matrix(ProblemKind::poisson2d, 60);
  const auto A = make_csr<Offset>(this->exec, scaled);
  for (const Reuse reuse : {Reuse::symbolic, Reuse::interpolation}) {
    Solver<Scalar, Space, Offset> solver(this->parameters(reuse));
    solver.setup(this->exec, A);
    const int iterations = this->solve(solver, A.num_rows).iterations;
    auto values = scaled;
    for (auto& value : values.values)
      value *= Scalar(1024);
    solver.update_values(this->exec, make_csr<Offset>(this->exec, values));
    const auto result = this->solve(solver, A.num_rows);
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(result.iterations, iterations);
  }
}

TYPED_TEST(ReuseTest, AKeptHierarchyIsASnapshotInEveryPrecision) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 50);
  for (const Precision precision : {Precision::same, Precision::automatic}) {
    const auto A = make_csr<Offset>(this->exec, before);
    auto p = this->parameters(Reuse::hierarchy);
    p.precision = precision;
    Solver<Scalar, Space, Offset> solver(p);
    solver.setup(this->exec, A);
    const auto first = this->preconditioned(solver, A.num_rows);
    this->overwrite(A, this->shifted(before, 0.5));
    EXPECT_EQ(this->preconditioned(solver, A.num_rows), first);
    solver.update_values(this->exec);
    EXPECT_EQ(this->preconditioned(solver, A.num_rows), first);
    EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
  }
}

/// P and R stay, in whatever they are stored; operators and smoothers follow the values.
TYPED_TEST(ReuseTest, KeptInterpolationIsThatOfTheFirstSetupInEveryStorage) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 50);
  const auto after = this->shifted(before, 0.2);
  Solver<Scalar, Space, Offset> fresh(this->parameters(Reuse::none));
  fresh.setup(this->exec, make_csr<Offset>(this->exec, after));
  const int expected = this->solve(fresh, before.num_rows).iterations;
  const auto plain = this->parameters(Reuse::interpolation);
  std::vector<SolveParameters> all(4, plain);
  all[1].amg.storage.scalar = StorageScalar::half;
  all[2].amg.storage.format = StorageFormat::mbsr;
  all[2].amg.products = amg::Products::mbsr;
  all[3].amg.levels.assign(2, amg::uniform_choice(plain.amg));
  all[3].amg.levels[1].A.scalar = all[3].amg.levels[1].P.scalar = StorageScalar::half;
  all[3].amg.levels[1].vectors =
      std::is_same_v<Scalar, double> ? amg::VectorScalar::float32 : amg::VectorScalar::same;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    const auto A = make_csr<Offset>(this->exec, before);
    Solver<Scalar, Space, Offset> solver(all[i]);
    solver.setup(this->exec, A);
    const auto first = this->preconditioned(solver, A.num_rows);
    this->overwrite(A, after);
    solver.update_values(this->exec);
    EXPECT_NE(this->preconditioned(solver, A.num_rows), first);
    const auto result = this->solve(solver, A.num_rows);
    EXPECT_TRUE(result.converged());
    EXPECT_LE(result.iterations, expected + 3);
    this->overwrite(A, before);
    solver.update_values(this->exec);
    if (kernels::is_host_space<Space>) {
      EXPECT_EQ(this->preconditioned(solver, A.num_rows), first) << "back to its bits";
    }
  }
}

TYPED_TEST(ReuseTest, NotesAndPeakAreThoseOfTheLastUpdate) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 45);
  const auto after = this->shifted(before, 0.1);
  for (const Reuse reuse : {Reuse::symbolic, Reuse::interpolation, Reuse::hierarchy}) {
    for (const auto kernel : {SingleKernel::off, SingleKernel::on}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(reuse)) +
                   (kernel == SingleKernel::on ? ", one kernel" : ""));
      auto p = this->parameters(reuse);
      p.amg.measure_memory = true;
      p.amg.max_levels = 2;  // with a note
      p.solver.single_kernel = kernel;
      const auto A = make_csr<Offset>(this->exec, before);
      Solver<Scalar, Space, Offset> solver(p);
      solver.setup(this->exec, A);
      const auto peak = solver.hierarchy().setup_peak_bytes;
      const auto notes = solver.hierarchy().notes;
      EXPECT_GE(notes.size(), 2U);
      EXPECT_EQ(std::count(notes.begin(), notes.end(), ""), 0);
      this->overwrite(A, after);
      for (int update = 0; update < 3; ++update) {
        solver.update_values(this->exec);
        EXPECT_EQ(solver.hierarchy().notes, notes) << update;
        // The program of a kernel is rewritten, whatever else stays.
        if (kernel == SingleKernel::off || reuse != Reuse::hierarchy) {
          EXPECT_EQ(solver.hierarchy().setup_peak_bytes > 0, reuse != Reuse::hierarchy);
        }
        EXPECT_LT(solver.hierarchy().setup_peak_bytes, peak);
      }
    }
  }
}

/// Coefficients that jump only from the second time step on: neither half nor float is for them.
TYPED_TEST(ReuseInDouble, OpenStorageIsPickedAgainForTheNewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto even = this->matrix(ProblemKind::jump2d, 60, 1);
  const auto jumping = this->matrix(ProblemKind::jump2d, 60, 1e9);
  ASSERT_EQ(even.columns, jumping.columns);
  for (const Reuse reuse : {Reuse::symbolic, Reuse::interpolation}) {
    SCOPED_TRACE(static_cast<int>(reuse));
    auto p = this->parameters(reuse);
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.amg.scale_restriction = false;
    const auto A = make_csr<Offset>(this->exec, even);
    Solver<Scalar, Space, Offset> in_double(p);
    in_double.setup(this->exec, A);
    p.amg.storage.scalar = StorageScalar::automatic;
    Solver<Scalar, Space, Offset> solver(p);
    solver.setup(this->exec, A);
    const auto stored_as = [&](const std::string& scalar) {
      ASSERT_GE(solver.hierarchy().levels.size(), 2U);
      const auto& finest = solver.hierarchy().levels.front();
      EXPECT_EQ(finest.A.storage, scalar);
      EXPECT_EQ(finest.P.storage, scalar);
      EXPECT_EQ(finest.R.storage, scalar);
    };
    stored_as("half");
    const auto first = this->preconditioned(solver, A.num_rows);
    for (int repetition = 0; repetition < 2; ++repetition) {
      this->overwrite(A, jumping);
      solver.update_values(this->exec);
      in_double.update_values(this->exec);
      stored_as("double");
      if (kernels::is_host_space<Space>) {
        EXPECT_EQ(this->preconditioned(solver, A.num_rows),
                  this->preconditioned(in_double, A.num_rows));
      }
      this->overwrite(A, even);
      solver.update_values(this->exec);
      stored_as("half");
      if (kernels::is_host_space<Space>) {
        EXPECT_EQ(this->preconditioned(solver, A.num_rows), first);
      }
    }
    this->overwrite(A, jumping);
    solver.update_values(this->exec);
    if (reuse == Reuse::symbolic) {
      EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
    }
  }
}

/// A clamped beam, to which rounding to float does more than its smallest eigenvalue allows at one
/// length or another; on an elastic bed at first.
TYPED_TEST(ReuseInDouble, ValuesBelowWhichFloatIsNotDefiniteAreSetUpInDouble) {
  TESSERA_TEST_TYPES(TypeParam);
  int num_left = 0;
  for (Ordinal n = 3000; n <= 10000 && num_left == 0; n += 500) {
    SCOPED_TRACE(n);
    HostMatrix<Scalar> clamped;
    clamped.num_rows = clamped.num_cols = n;
    constexpr Scalar stencil[] = {1, -4, 6, -4, 1};
    for (Ordinal i = 0; i < n; ++i) {
      for (Ordinal j = std::max(0, i - 2); j <= std::min(n - 1, i + 2); ++j) {
        clamped.columns.push_back(j);
        clamped.values.push_back(stencil[j - i + 2]);
      }
      clamped.offsets.push_back(clamped.columns.size());
    }
    auto p = this->parameters(Reuse::symbolic);
    p.preconditioner = PreconditionerKind::amg;
    const auto A = make_csr<Offset>(this->exec, this->shifted(clamped, 1e-3));
    Solver<Scalar, Space, Offset> solver(p);
    solver.setup(this->exec, A);
    ASSERT_EQ(solver.parameters().precision, Precision::single);
    this->overwrite(A, clamped);
    solver.update_values(this->exec);
    EXPECT_EQ(solver.hierarchy().levels.back().aggregation, "dense cholesky");
    num_left += solver.parameters().precision == Precision::same;
  }
  EXPECT_GT(num_left, 0);
}

TYPED_TEST(ReuseTest, EveryFormatAndScalarFollowsTheValues) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 50);
  const auto after = this->shifted(before, 3);
  Solver<Scalar, Space, Offset> fresh(this->parameters(Reuse::none));
  fresh.setup(this->exec, make_csr<Offset>(this->exec, after));
  const int expected = this->solve(fresh, before.num_rows).iterations;
  for (const StorageFormat format : storage_formats_to_choose()) {
    for (const StorageScalar scalar : {StorageScalar::same, StorageScalar::half}) {
      auto p = this->parameters(Reuse::symbolic);
      p.amg.storage = {format, scalar};
      const auto A = make_csr<Offset>(this->exec, before);
      Solver<Scalar, Space, Offset> solver(p);
      solver.setup(this->exec, A);
      this->overwrite(A, after);
      solver.update_values(this->exec);
      const auto result = this->solve(solver, A.num_rows);
      EXPECT_TRUE(result.converged());
      EXPECT_LE(result.iterations, expected + 2)
          << static_cast<int>(format) << " " << static_cast<int>(scalar);
    }
  }
}

TYPED_TEST(ReuseTest, NoReuseSetsUpAgainWithTheNearNullspaceOfTheFirstSetup) {
  TESSERA_TEST_TYPES(TypeParam);
  GalleryParameters gallery;
  gallery.problem = ProblemKind::elasticity2d;
  gallery.n = 20;
  auto p = make_problem<Scalar, Space, Offset>(this->exec, gallery);
  Solver<Scalar, Space, Offset> solver(this->parameters(Reuse::none));
  solver.setup(this->exec, p.A, p.near_nullspace, p.block_size);
  const auto expected = this->solve(solver, p.A.num_rows);
  p.near_nullspace = {};
  solver.update_values(this->exec);
  solver.update_values(this->exec);
  EXPECT_EQ(this->solve(solver, p.A.num_rows).iterations, expected.iterations);
}

TYPED_TEST(ReuseTest, AnotherPatternIsAnErrorThatSaysWhere) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 20);
  Solver<Scalar, Space, Offset> solver(this->parameters(Reuse::symbolic));
  expect_error(error_of([&] { solver.update_values(this->exec); }), ErrorKind::precondition,
               {"before a setup"});
  solver.setup(this->exec, make_csr<Offset>(this->exec, before));
  auto moved = before;
  // Row 7 is (7, west, east, north); its north goes one further.
  moved.columns[moved.offsets[8] - 1] += 1;
  expect_error(
      error_of([&] { solver.update_values(this->exec, make_csr<Offset>(this->exec, moved)); }),
      ErrorKind::precondition, {"the pattern of A changed", "from row 7 on"});
  const auto larger = this->matrix(ProblemKind::poisson2d, 21);
  expect_error(
      error_of([&] { solver.update_values(this->exec, make_csr<Offset>(this->exec, larger)); }),
      ErrorKind::precondition, {"441 by 441", "400 by 400"});
  EXPECT_TRUE(this->solve(solver, before.num_rows).converged()) << "the Solver is as it was";
}

/// Written over in the very arrays that setup saw: the columns of a row, or the rows' ends.
TYPED_TEST(ReuseTest, APatternThatIsWrittenOverIsAnErrorThatSaysWhere) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 30);
  const auto write = [&](const auto& view, const auto& values) {
    const auto mirror = Kokkos::create_mirror_view(view);
    std::copy(values.begin(), values.end(), mirror.data());
    Kokkos::deep_copy(this->exec, view, mirror);
    this->exec.fence("tessera::test");
  };
  for (const auto preconditioner : {PreconditionerKind::amg, PreconditionerKind::jacobi}) {
    auto p = this->parameters(Reuse::symbolic);
    p.preconditioner = preconditioner;
    const auto values = make_csr<Offset>(this->exec, before).values;
    const Array<Offset, Space> own_offsets("offsets", before.offsets.size());
    const Array<Ordinal, Space> own_columns("columns", before.columns.size());
    write(own_offsets, before.offsets);
    write(own_columns, before.columns);
    const kernels::Csr<Scalar, Space, Offset> A{before.num_rows, before.num_cols, own_offsets,
                                                own_columns, values};
    Solver<Scalar, Space, Offset> solver(p);
    solver.setup(this->exec, A);
    solver.update_values(this->exec);
    auto columns = before.columns;
    columns[before.offsets[601] - 1] += 1;  // of row 600, in the third block
    write(own_columns, columns);
    expect_error(error_of([&] { solver.update_values(this->exec); }), ErrorKind::precondition,
                 {"the pattern of A changed", "from one of the rows 512 to 767 on"});
    std::swap(columns[0], columns[1]);
    write(own_columns, columns);
    expect_error(error_of([&] { solver.update_values(this->exec); }), ErrorKind::precondition,
                 {"the pattern of A changed", "from one of the rows 0 to 255 on"});
    write(own_columns, before.columns);
    auto offsets = before.offsets;
    offsets[870] += 1;
    write(own_offsets, offsets);
    expect_error(error_of([&] { solver.update_values(this->exec); }), ErrorKind::precondition,
                 {"the pattern of A changed", "from one of the rows 768 to 899 on"});
    write(own_offsets, before.offsets);
    solver.update_values(this->exec);
    EXPECT_TRUE(this->solve(solver, A.num_rows).converged()) << "the Solver is as it was";
  }
}

TYPED_TEST(ReuseTest, ValuesThatAreNotFiniteAreBadInputAndTheNextOnesMendIt) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 40);
  const auto A = make_csr<Offset>(this->exec, before);
  Solver<Scalar, Space, Offset> solver(this->parameters(Reuse::symbolic));
  solver.setup(this->exec, A);
  auto broken = before;
  broken.values[11] = std::numeric_limits<Scalar>::quiet_NaN();
  this->overwrite(A, broken);
  expect_error(error_of([&] { solver.update_values(this->exec); }), ErrorKind::bad_input, {"NaN"});
  this->overwrite(A, before);
  solver.update_values(this->exec);
  EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
  this->overwrite(A, broken);
  expect_error(error_of([&] { solver.update_values(this->exec); }), ErrorKind::bad_input, {"NaN"});
  this->overwrite(A, before);
  solver.setup(this->exec, A);
  EXPECT_TRUE(this->solve(solver, A.num_rows).converged());
}

TYPED_TEST(ReuseTest, ThePreconditionerCanBeUsedAlone) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto A = make_csr<Offset>(this->exec, this->matrix(ProblemKind::poisson2d, 40));
  Solver<Scalar, Space, Offset> solver(this->parameters(Reuse::symbolic));
  expect_error(error_of([&] { solver.preconditioner(); }), ErrorKind::precondition,
               {"before a setup"});
  solver.setup(this->exec, A);
  ASSERT_NE(solver.preconditioner(), nullptr);
  const std::size_t n = A.num_rows;
  const auto r = to_multivector(this->exec, std::vector<Scalar>(n, 1), n, 1);
  const auto z = to_multivector(this->exec, std::vector<Scalar>(n, -1), n, 1);
  solver.preconditioner()->prepare(this->exec, 1);
  solver.preconditioner()->apply(this->exec, r, z);
  for (const Scalar value : to_host(z))
    EXPECT_GT(value, Scalar(0));
}

}  // namespace reuse_test
}  // namespace tessera::test
