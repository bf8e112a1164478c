// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values in an old pattern: what `update_values` refuses, and the preconditioner by itself.
#include "solve/reuse_fixture.hpp"
#include "support/error_of.hpp"
#include "support/solves.hpp"

namespace tessera::test::reuse_arguments_test {

template <class Param>
class ReuseArgumentsTest : public ReuseFixture<Param> {};
TYPED_TEST_SUITE(ReuseArgumentsTest, Matrices, TypeNames);

TYPED_TEST(ReuseArgumentsTest, AnotherPatternIsAnErrorThatSaysWhere) {
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
TYPED_TEST(ReuseArgumentsTest, APatternThatIsWrittenOverIsAnErrorThatSaysWhere) {
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
    auto solver = set_up(this->exec, A, p);
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

TYPED_TEST(ReuseArgumentsTest, ValuesThatAreNotFiniteAreBadInputAndTheNextOnesMendIt) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto before = this->matrix(ProblemKind::poisson2d, 40);
  const auto A = make_csr<Offset>(this->exec, before);
  auto solver = set_up(this->exec, A, this->parameters(Reuse::symbolic));
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

TYPED_TEST(ReuseArgumentsTest, ThePreconditionerCanBeUsedAlone) {
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

}  // namespace tessera::test::reuse_arguments_test
