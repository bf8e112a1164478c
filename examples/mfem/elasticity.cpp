// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A cantilever that bends under its weight, in one process: Tessera solves by itself, from its
// rigid body modes.
//
// expect: 3 near-nullspace vectors, 2562 unknowns: converged in ([0-9]|[1-4][0-9]) iterations
// expect: from the solution: 0 iterations
#include <tessera/mfem/rigid_body_modes.hpp>
#include <tessera/mfem/solver.hpp>

#include <mfem.hpp>

#include <iostream>

int main() {
  mfem::Mesh mesh = mfem::Mesh::MakeCartesian2D(60, 20, mfem::Element::TRIANGLE, false, 3.0, 1.0);
  mfem::H1_FECollection elements(1, mesh.Dimension());
  mfem::FiniteElementSpace space(&mesh, &elements, mesh.Dimension());
  mfem::Array<int> clamped_sides(mesh.bdr_attributes.Max());
  clamped_sides = 0;
  clamped_sides[3] = 1;  // the left one
  mfem::Array<int> clamped;
  space.GetEssentialTrueDofs(clamped_sides, clamped);

  mfem::Vector weight(mesh.Dimension());
  weight = 0.0;
  weight(1) = -1e-3;
  mfem::VectorConstantCoefficient force(weight);
  mfem::LinearForm load(&space);
  load.AddDomainIntegrator(new mfem::VectorDomainLFIntegrator(force));
  load.Assemble();
  mfem::ConstantCoefficient lambda(1.0);
  mfem::ConstantCoefficient mu(1.0);
  mfem::BilinearForm stiffness(&space);
  stiffness.AddDomainIntegrator(new mfem::ElasticityIntegrator(lambda, mu));
  stiffness.Assemble();

  mfem::GridFunction u(&space);
  u = 0.0;
  mfem::SparseMatrix A;
  mfem::Vector b;
  mfem::Vector x;
  stiffness.FormLinearSystem(clamped, u, load, A, x, b);

  //! [solve]
  tessera::mfem::Parameters parameters;
  parameters.apply = tessera::hypre::Application::solve;
  parameters.system.solve.solver.tolerance = 1e-8;
  tessera::mfem::Solver solver(parameters);
  solver.set_rigid_body_modes(space);
  solver.SetOperator(A);
  solver.Mult(b, x);
  const tessera::SolveResult& result = solver.result();
  //! [solve]
  std::cout << tessera::mfem::rigid_body_modes(space).size() << " near-nullspace vectors, "
            << A.Height() << " unknowns: " << to_string(result.status) << " in "
            << result.iterations << " iterations\n";
  solver.iterative_mode = true;  // from x
  solver.Mult(b, x);
  std::cout << "from the solution: " << solver.result().iterations << " iterations\n";
  return solver.result().converged() ? 0 : 1;
}
