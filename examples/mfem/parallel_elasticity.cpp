// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A beam of two materials that is clamped at one end and pulled down at the other, over several
// processes: Tessera in the place of BoomerAMG with its options for elasticity.
//
// expect: 7533 unknowns: converged in ([0-9]|[1-4][0-9]) iterations
#include <tessera/mfem/solver.hpp>

#include <mfem.hpp>

int main(int argc, char** argv) {
  mfem::Mpi::Init(argc, argv);
  mfem::Hypre::Init();
  if (!mfem::Mpi::Root()) mfem::out.Disable();
  mfem::Mesh serial =
      mfem::Mesh::MakeCartesian3D(30, 8, 8, mfem::Element::HEXAHEDRON, 4.0, 1.0, 1.0);
  for (int i = 0; i < serial.GetNE(); ++i) {
    mfem::Vector center;
    serial.GetElementCenter(i, center);
    serial.SetAttribute(i, center(0) < 2 ? 1 : 2);
  }
  serial.SetAttributes();
  mfem::ParMesh mesh(MPI_COMM_WORLD, serial);
  const int dimension = mesh.Dimension();
  mfem::H1_FECollection elements(1, dimension);
  //! [space]
  mfem::ParFiniteElementSpace space(&mesh, &elements, dimension, mfem::Ordering::byVDIM);
  //! [space]
  mfem::Array<int> clamped_sides(mesh.bdr_attributes.Max());
  clamped_sides = 0;
  clamped_sides[4] = 1;  // x = 0
  mfem::Array<int> clamped;
  space.GetEssentialTrueDofs(clamped_sides, clamped);
  const auto unknowns = space.GlobalTrueVSize();

  mfem::Vector pull(mesh.bdr_attributes.Max());
  pull = 0.0;
  pull(2) = -1e-2;  // x = 4
  mfem::VectorArrayCoefficient force(dimension);
  for (int i = 0; i + 1 < dimension; ++i)
    force.Set(i, new mfem::ConstantCoefficient(0.0));
  force.Set(dimension - 1, new mfem::PWConstCoefficient(pull));
  mfem::ParLinearForm load(&space);
  load.AddBoundaryIntegrator(new mfem::VectorBoundaryLFIntegrator(force));
  load.Assemble();
  mfem::Vector moduli(2);
  moduli(0) = 50;
  moduli(1) = 1;
  mfem::PWConstCoefficient lambda(moduli);
  mfem::PWConstCoefficient mu(moduli);
  mfem::ParBilinearForm stiffness(&space);
  stiffness.AddDomainIntegrator(new mfem::ElasticityIntegrator(lambda, mu));
  stiffness.Assemble();

  mfem::ParGridFunction u(&space);
  u = 0.0;
  mfem::HypreParMatrix A;
  mfem::Vector b;
  mfem::Vector x;
  stiffness.FormLinearSystem(clamped, u, load, A, x, b);
  //! [solve]
  tessera::mfem::Solver M;  // as mfem::HypreBoomerAMG with SetElasticityOptions(&space)
  M.set_rigid_body_modes(space);
  mfem::CGSolver cg(MPI_COMM_WORLD);
  cg.SetPreconditioner(M);
  cg.SetOperator(A);
  cg.SetRelTol(1e-8);
  cg.SetMaxIter(200);
  cg.Mult(b, x);
  //! [solve]
  mfem::out << unknowns << " unknowns: " << (cg.GetConverged() ? "converged" : "stopped") << " in "
            << cg.GetNumIterations() << " iterations" << std::endl;
  return cg.GetConverged() ? 0 : 1;
}
