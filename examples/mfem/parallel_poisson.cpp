// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Poisson's equation over several processes, Tessera in BoomerAMG's place, and a second matrix in
// the pattern of the first, as time steps and Newton's method have them.
//
// expect: 29791 unknowns: converged in ([0-9]|[1-3][0-9]) iterations
// expect: new values: converged in ([0-9]|[1-3][0-9]) iterations, 1 setup and 1 update
#include <tessera/mfem/solver.hpp>

#include <mfem.hpp>

int main(int argc, char** argv) {
  mfem::Mpi::Init(argc, argv);
  mfem::Hypre::Init();
  if (!mfem::Mpi::Root()) mfem::out.Disable();
  mfem::Mesh serial = mfem::Mesh::MakeCartesian3D(15, 15, 15, mfem::Element::HEXAHEDRON);
  mfem::ParMesh mesh(MPI_COMM_WORLD, serial);
  mfem::H1_FECollection elements(2, mesh.Dimension());
  mfem::ParFiniteElementSpace space(&mesh, &elements);
  mfem::Array<int> boundary;
  space.GetBoundaryTrueDofs(boundary);
  const auto unknowns = space.GlobalTrueVSize();

  mfem::ConstantCoefficient one(1.0);
  mfem::ParLinearForm load(&space);
  load.AddDomainIntegrator(new mfem::DomainLFIntegrator(one));
  load.Assemble();
  mfem::ParBilinearForm stiffness(&space);
  stiffness.AddDomainIntegrator(new mfem::DiffusionIntegrator(one));
  stiffness.Assemble();

  mfem::ParGridFunction u(&space);
  u = 0.0;
  //! [solve]
  mfem::HypreParMatrix A;
  mfem::Vector b;
  mfem::Vector x;
  stiffness.FormLinearSystem(boundary, u, load, A, x, b);

  tessera::mfem::Solver M;  // as mfem::HypreBoomerAMG
  M.set_parameters("amg.reuse=symbolic gather_rows=1000");
  mfem::CGSolver cg(MPI_COMM_WORLD);
  cg.SetPreconditioner(M);
  cg.SetOperator(A);  // sets up M, too
  cg.SetRelTol(1e-8);
  cg.SetMaxIter(100);
  cg.Mult(b, x);
  //! [solve]
  const bool converged = cg.GetConverged();
  mfem::out << unknowns << " unknowns: " << (converged ? "converged" : "stopped") << " in "
            << cg.GetNumIterations() << " iterations" << std::endl;

  // The first step of a method for a problem in time.
  mfem::ConstantCoefficient rate(100.0);
  stiffness.AddDomainIntegrator(new mfem::MassIntegrator(rate));
  stiffness.Update();
  stiffness.Assemble();
  //! [update]
  stiffness.FormLinearSystem(boundary, u, load, A, x, b);
  cg.SetOperator(A);  // MFEM's methods pass it on to M, which finds the pattern of before
  cg.Mult(b, x);
  //! [update]
  mfem::out << "new values: " << (cg.GetConverged() ? "converged" : "stopped") << " in "
            << cg.GetNumIterations() << " iterations, " << M.num_setups() << " setup and "
            << M.num_updates() << " update" << std::endl;
  return converged && cg.GetConverged() ? 0 : 1;
}
