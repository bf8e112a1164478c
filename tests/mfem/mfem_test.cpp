// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/all_processes.hpp"
#include "support/error_of.hpp"
#include "tessera/mfem/rigid_body_modes.hpp"
#include "tessera/mfem/solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <mfem.hpp>

namespace tessera::test {
namespace mfem_test {
namespace {

using mfem::Parameters;
using mfem::Solver;

class Mfem : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ::mfem::Hypre::Init(); }
  static void TearDownTestSuite() { ::mfem::Hypre::Finalize(); }
};

Parameters with_solve(double tolerance) {
  Parameters parameters;
  parameters.apply = hypre::Application::solve;
  parameters.system.solve.solver.tolerance = tolerance;
  return parameters;
}

/// Displacements that are clamped at one side, or one unknown that is zero all around.
struct Problem {
  ::mfem::Mesh serial;
  ::mfem::ParMesh mesh;
  ::mfem::H1_FECollection elements;
  ::mfem::ParFiniteElementSpace space;
  ::mfem::ParBilinearForm form;  // which has the entries of A
  ::mfem::HypreParMatrix A;
  ::mfem::Vector b;
  ::mfem::Vector x;

  Problem(::mfem::Mesh made, int order, int components,
          ::mfem::Ordering::Type ordering = ::mfem::Ordering::byNODES, double scale = 1)
      : serial(std::move(made)),
        mesh(MPI_COMM_WORLD, serial),
        elements(order, serial.Dimension()),
        space(&mesh, &elements, components, ordering),
        form(&space) {
    ::mfem::Array<int> sides(mesh.bdr_attributes.Size() > 0 ? mesh.bdr_attributes.Max() : 0);
    sides = components == 1 ? 1 : 0;
    if (components > 1) sides[0] = 1;
    ::mfem::Array<int> fixed;
    space.GetEssentialTrueDofs(sides, fixed);
    ::mfem::ConstantCoefficient one(scale);
    ::mfem::ParLinearForm load(&space);
    ::mfem::Vector pull(components);
    pull = 1.0;
    ::mfem::VectorConstantCoefficient force(pull);
    if (components == 1) {
      form.AddDomainIntegrator(new ::mfem::DiffusionIntegrator(one));
      load.AddDomainIntegrator(new ::mfem::DomainLFIntegrator(one));
    } else {
      form.AddDomainIntegrator(new ::mfem::ElasticityIntegrator(one, one));
      load.AddDomainIntegrator(new ::mfem::VectorDomainLFIntegrator(force));
    }
    form.Assemble();
    load.Assemble();
    ::mfem::ParGridFunction u(&space);
    u = 0.0;
    form.FormLinearSystem(fixed, u, load, A, x, b);
  }

  double residual(const ::mfem::Vector& v) const {
    ::mfem::Vector r(b.Size());
    A.Mult(v, r);
    subtract(b, r, r);
    return std::sqrt(InnerProduct(MPI_COMM_WORLD, r, r) / InnerProduct(MPI_COMM_WORLD, b, b));
  }
  /// Iterations of MFEM's conjugate gradients to 1e-10.
  int iterations(Solver& M) {
    ::mfem::CGSolver cg(MPI_COMM_WORLD);
    cg.SetPreconditioner(M);
    cg.SetOperator(A);
    cg.SetRelTol(1e-10);
    cg.SetMaxIter(300);
    x = 0.0;
    cg.Mult(b, x);
    EXPECT_TRUE(cg.GetConverged());
    EXPECT_LE(residual(x), 1e-8);
    return cg.GetNumIterations();
  }
};

::mfem::Mesh square(int n) {
  return ::mfem::Mesh::MakeCartesian2D(n, n, ::mfem::Element::TRIANGLE);
}
::mfem::Mesh cube(int n) {
  return ::mfem::Mesh::MakeCartesian3D(n, n, n, ::mfem::Element::HEXAHEDRON);
}

TEST_F(Mfem, PreconditionsOrdersOneToThree) {
  const int limits[] = {20, 26, 40};
  for (int order = 1; order <= 3; ++order) {
    Problem problem(square(48 / order), order, 1);
    Solver M;
    M.set_parameter("gather_rows", "200");
    EXPECT_LE(problem.iterations(M), limits[order - 1]) << "order " << order;
    EXPECT_GE(M.hierarchy().levels.size(), 2U);
    EXPECT_EQ(M.num_setups(), 1);  // by SetOperator of the method
  }
}

TEST_F(Mfem, SolvesByItselfFromZeroOrFromTheGuess) {
  Problem problem(cube(10), 1, 1);
  Solver solver(problem.A, with_solve(1e-9));
  ::mfem::Vector x(problem.b.Size());
  x.Randomize(1);
  solver.Mult(problem.b, x);
  EXPECT_TRUE(solver.result().converged());
  EXPECT_LE(problem.residual(x), 1.01e-9);
  const int iterations = solver.result().iterations;
  solver.iterative_mode = true;
  solver.Mult(problem.b, x);
  EXPECT_EQ(solver.result().iterations, 0);
  solver.iterative_mode = false;
  solver.Mult(problem.b, x);
  EXPECT_EQ(solver.result().iterations, iterations);
}

TEST_F(Mfem, AppliesACorrectionInIterativeMode) {
  Problem problem(square(20), 1, 1);
  Solver M(problem.A);
  const int n = problem.b.Size();
  ::mfem::Vector x(n);
  x = 0.25;
  ::mfem::Vector residual(n);
  problem.A.Mult(x, residual);
  subtract(problem.b, residual, residual);
  ::mfem::Vector expected(n);
  M.Mult(residual, expected);
  expected += x;
  M.iterative_mode = true;
  M.Mult(problem.b, x);
  x -= expected;
  EXPECT_EQ(x.Normlinf(), 0.0);
  // Without, the guess does not count, and both vectors may be the same.
  M.iterative_mode = false;
  ::mfem::Vector both(problem.b);
  M.Mult(both, both);
  x = 7.0;
  M.Mult(problem.b, x);
  x -= both;
  EXPECT_EQ(x.Normlinf(), 0.0);
}

TEST_F(Mfem, TakesNewValuesInThePatternOfBefore) {
  Problem first(square(20), 1, 1);
  Problem second(square(20), 1, 1, ::mfem::Ordering::byNODES, 5.0);
  Problem third(square(21), 1, 1);
  Solver solver(with_solve(1e-9));
  solver.set_parameter("amg.reuse", "interpolation");
  for (Problem* problem : {&first, &second, &third}) {
    solver.SetOperator(problem->A);
    solver.Mult(problem->b, problem->x);
    EXPECT_LE(problem->residual(problem->x), 1.01e-9);
  }
  EXPECT_EQ(solver.num_setups(), 2);
  EXPECT_EQ(solver.num_updates(), 1);
}

/// Of a body that nothing holds, the motions have no energy, whatever the elements and the
/// ordering.
TEST_F(Mfem, RigidBodyModesHaveNoEnergy) {
  for (const bool three : {false, true}) {
    for (const auto ordering : {::mfem::Ordering::byNODES, ::mfem::Ordering::byVDIM}) {
      for (int order = 1; order <= 3; ++order) {
        ::mfem::Mesh serial =
            three ? ::mfem::Mesh::MakeCartesian3D(3, 3, 3, ::mfem::Element::TETRAHEDRON)
                  : square(6);
        ::mfem::ParMesh mesh(MPI_COMM_WORLD, serial);
        ::mfem::H1_FECollection elements(order, mesh.Dimension());
        ::mfem::ParFiniteElementSpace space(&mesh, &elements, mesh.Dimension(), ordering);
        ::mfem::ConstantCoefficient one(1.0);
        ::mfem::ParBilinearForm form(&space);
        form.AddDomainIntegrator(new ::mfem::ElasticityIntegrator(one, one));
        form.Assemble();
        ::mfem::HypreParMatrix A;
        ::mfem::Array<int> nothing;
        form.FormSystemMatrix(nothing, A);
        const auto modes = mfem::rigid_body_modes(space);
        ASSERT_EQ(modes.size(), three ? 6U : 3U);
        for (const ::mfem::Vector& mode : modes) {
          ASSERT_EQ(mode.Size(), A.Height());
          ::mfem::Vector force(mode.Size());
          A.Mult(mode, force);
          EXPECT_GT(InnerProduct(MPI_COMM_WORLD, mode, mode), 0.1);
          EXPECT_LE(InnerProduct(MPI_COMM_WORLD, force, force), 1e-22)
              << "order " << order << ", ordering " << ordering;
        }
      }
    }
  }
}

TEST_F(Mfem, RigidBodyModesInEitherOrdering) {
  int numbers[2] = {0, 0};
  for (const auto ordering : {::mfem::Ordering::byNODES, ::mfem::Ordering::byVDIM}) {
    Problem problem(cube(8), 1, 3, ordering);
    Solver with_modes;
    with_modes.set_parameters("gather_rows=200");
    with_modes.set_rigid_body_modes(problem.space);
    numbers[ordering] = problem.iterations(with_modes);
    Solver without;
    without.set_parameters("gather_rows=200");
    EXPECT_LT(numbers[ordering], problem.iterations(without));
  }
  EXPECT_LE(numbers[0], 24);
  EXPECT_NEAR(numbers[0], numbers[1], 1);
}

TEST_F(Mfem, SparseMatrixOfOneProcess) {
  ::mfem::Mesh mesh = square(30);
  ::mfem::H1_FECollection elements(2, 2);
  ::mfem::FiniteElementSpace space(&mesh, &elements, 2);
  ::mfem::Array<int> sides(mesh.bdr_attributes.Max());
  sides = 0;
  sides[0] = 1;
  ::mfem::Array<int> fixed;
  space.GetEssentialTrueDofs(sides, fixed);
  ::mfem::ConstantCoefficient one(1.0);
  ::mfem::BilinearForm form(&space);
  form.AddDomainIntegrator(new ::mfem::ElasticityIntegrator(one, one));
  form.Assemble();
  ::mfem::SparseMatrix A;
  form.FormSystemMatrix(fixed, A);
  ::mfem::Vector b(A.Height());
  b = 1.0;
  ::mfem::Vector x(A.Height());
  Solver solver(with_solve(1e-9));
  solver.set_rigid_body_modes(space);
  solver.SetOperator(A);
  solver.Mult(b, x);
  EXPECT_TRUE(solver.result().converged());
  EXPECT_LE(solver.result().iterations, 40);
  ::mfem::Vector r(A.Height());
  A.Mult(x, r);
  r -= b;
  EXPECT_LE(r.Norml2() / b.Norml2(), 1.01e-9);
}

TEST_F(Mfem, WhatIsRefused) {
  Solver M;
  ::mfem::Vector b(3);
  b = 1.0;
  ::mfem::Vector x(3);
  expect_error(error_of([&] { M.Mult(b, x); }), ErrorKind::precondition,
               {"SetOperator comes first"});
  expect_error(error_of([&] { M.result(); }), ErrorKind::precondition, {"no solve"});
  const ::mfem::IdentityOperator identity(3);
  expect_error(error_of([&] { M.SetOperator(identity); }), ErrorKind::precondition,
               {"HypreParMatrix or a SparseMatrix", "assemble"});
  ::mfem::SparseMatrix open(3, 3);
  open.Add(0, 0, 1.0);
  expect_error(error_of([&] { M.SetOperator(open); }), ErrorKind::precondition, {"Finalize"});
  ::mfem::SparseMatrix wide(2, 3);
  wide.Add(0, 0, 1.0);
  wide.Finalize();
  expect_error(error_of([&] { M.SetOperator(wide); }), ErrorKind::precondition,
               {"2 by 3", "square"});
  expect_error(error_of([&] { M.set_parameter("amg.cicle", "w"); }), ErrorKind::configuration,
               {"did you mean 'amg.cycle'"});

  ::mfem::SparseMatrix A(3, 3);
  for (int i = 0; i < 3; ++i)
    A.Add(i, i, 2.0);
  A.Finalize();
  M.SetOperator(A);
  M.Mult(b, x);
  EXPECT_DOUBLE_EQ(x(2), 0.5);
  ::mfem::Vector longer(4);
  expect_error(error_of([&] { M.Mult(b, longer); }), ErrorKind::precondition,
               {"x 4", "expected 3"});
  Solver alone(A, with_solve(1e-9));
  expect_error(error_of([&] { alone.Mult(b, b); }), ErrorKind::precondition, {"same vector"});
  EXPECT_EQ(b(0), 1.0);
  M.set_near_nullspace({longer});
  expect_error(error_of([&] { M.SetOperator(A); }), ErrorKind::precondition,
               {"4 entries on this process, expected 3"});
  M.set_near_nullspace({});
  M.set_parameter("numbering", "by_unknown");
  expect_error(error_of([&] { M.SetOperator(A); }), ErrorKind::precondition, {"block_size"});
  M.set_parameter("block_size", "2");
  expect_error(error_of([&] { M.SetOperator(A); }), ErrorKind::precondition, {"not a multiple"});

  ::mfem::Mesh mesh = square(2);
  ::mfem::H1_FECollection elements(1, 2);
  ::mfem::FiniteElementSpace scalars(&mesh, &elements);
  expect_error(error_of([&] { mfem::rigid_body_modes(scalars); }), ErrorKind::precondition,
               {"1 components in 2 dimensions"});
}

/// An empty matrix, and a solve that ends early, of which the result tells.
TEST_F(Mfem, EdgesOfASolve) {
  ::mfem::SparseMatrix empty(0, 0);
  empty.Finalize();
  Solver nothing(empty, with_solve(1e-9));
  ::mfem::Vector none(0);
  nothing.Mult(none, none);
  EXPECT_TRUE(nothing.result().converged());

  Problem problem(square(40), 1, 1);
  Solver solver(with_solve(1e-9));
  solver.set_parameters("gather_rows=200 solver.max_iterations=4");
  solver.SetOperator(problem.A);
  solver.Mult(problem.b, problem.x);
  EXPECT_EQ(solver.result().status, SolveStatus::max_iterations);
  EXPECT_LT(solver.result().true_relative_residual, 1.0);
  EXPECT_NEAR(problem.residual(problem.x), solver.result().true_relative_residual, 1e-10);
}

}  // namespace
}  // namespace mfem_test
}  // namespace tessera::test
