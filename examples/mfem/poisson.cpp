// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Poisson's equation with elements of second order in one process: MFEM's conjugate gradients with
// Tessera as their preconditioner.
//
// expect: 14641 unknowns: converged in ([0-9]|[1-3][0-9]) iterations
#include <tessera/mfem/solver.hpp>

#include <mfem.hpp>

#include <iostream>

int main() {
  mfem::Mesh mesh = mfem::Mesh::MakeCartesian2D(60, 60, mfem::Element::QUADRILATERAL);
  mfem::H1_FECollection elements(2, mesh.Dimension());
  mfem::FiniteElementSpace space(&mesh, &elements);
  mfem::Array<int> boundary;
  space.GetBoundaryTrueDofs(boundary);

  mfem::ConstantCoefficient one(1.0);
  mfem::LinearForm load(&space);
  load.AddDomainIntegrator(new mfem::DomainLFIntegrator(one));
  load.Assemble();
  mfem::BilinearForm stiffness(&space);
  stiffness.AddDomainIntegrator(new mfem::DiffusionIntegrator(one));
  stiffness.Assemble();

  mfem::GridFunction u(&space);
  u = 0.0;
  //! [solve]
  mfem::SparseMatrix A;
  mfem::Vector b;
  mfem::Vector x;
  stiffness.FormLinearSystem(boundary, u, load, A, x, b);

  tessera::mfem::Solver M;
  mfem::CGSolver cg;
  cg.SetPreconditioner(M);
  cg.SetOperator(A);
  cg.SetRelTol(1e-8);
  cg.SetMaxIter(100);
  cg.Mult(b, x);
  //! [solve]
  stiffness.RecoverFEMSolution(x, load, u);
  std::cout << A.Height() << " unknowns: " << (cg.GetConverged() ? "converged" : "stopped")
            << " in " << cg.GetNumIterations() << " iterations\n";
  return cg.GetConverged() ? 0 : 1;
}
