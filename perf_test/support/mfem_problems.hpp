// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Poisson's equation on a cube and elasticity of a beam, as MFEM discretises them over processes:
/// on a grid of hexahedra, and on meshes that are none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mfem.hpp>
#include <string>

namespace tessera::perf {

enum class MeshKind {
  hexahedra,  ///< a grid
  moved_hexahedra,  ///< inner vertices moved by up to a fifth of a side, along each axis
  tetrahedra,  ///< six to each hexahedron, inner vertices moved by up to a seventh
};

inline const std::map<std::string, MeshKind> mesh_kinds{
    {"hexahedra", MeshKind::hexahedra},
    {"moved_hexahedra", MeshKind::moved_hexahedra},
    {"tetrahedra", MeshKind::tetrahedra}};

inline std::string name_of(MeshKind kind) {
  for (const auto& [name, named] : mesh_kinds)
    if (named == kind) return name;
  return {};
}

struct MfemProblem {
  std::unique_ptr<mfem::ParMesh> mesh;
  std::unique_ptr<mfem::H1_FECollection> elements;
  std::unique_ptr<mfem::ParFiniteElementSpace> space;
  std::unique_ptr<mfem::ParBilinearForm> form;  ///< has the entries of A
  mfem::HypreParMatrix A;
  mfem::Vector b;
  mfem::Vector x;
  bool is_elastic = false;
};

namespace detail {

/// In [-1, 1), the same on all processes.
inline double hashed_number(std::uint64_t k) {
  k = (k + 1) * 0x9e3779b97f4a7c15U;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9U;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebU;
  return static_cast<double>((k ^ (k >> 31)) >> 11) * 0x1p-52 - 1;
}

/// `length` by 1 by 1, of n elements per unit. Where vertices are moved, elements are numbered
/// along Hilbert's curve, and vertices as these come to them.
inline mfem::Mesh make_bar(MeshKind kind, int length, int n) {
  const bool is_tetrahedral = kind == MeshKind::tetrahedra;
  const double sides[] = {static_cast<double>(length), 1.0, 1.0};
  auto mesh = mfem::Mesh::MakeCartesian3D(
      length * n, n, n, is_tetrahedral ? mfem::Element::TETRAHEDRON : mfem::Element::HEXAHEDRON,
      sides[0], sides[1], sides[2]);
  if (kind == MeshKind::hexahedra) return mesh;
  const double most = 1.0 / ((is_tetrahedral ? 7 : 5) * n);
  for (int v = 0; v < mesh.GetNV(); ++v) {
    double* const at = mesh.GetVertex(v);
    for (int d = 0; d < 3; ++d)
      if (at[d] > 0.5 / n && at[d] < sides[d] - 0.5 / n)
        at[d] += most * detail::hashed_number(static_cast<std::uint64_t>(v) * 3 + d);
  }
  mfem::Array<int> order;
  mesh.GetHilbertElementOrdering(order);
  mesh.ReorderElements(order);
  return mesh;
}

inline void discretise(MfemProblem& problem, mfem::Mesh serial, int order) {
  const int dimension = serial.Dimension();
  problem.mesh = std::make_unique<mfem::ParMesh>(MPI_COMM_WORLD, serial);
  mfem::ParMesh& mesh = *problem.mesh;
  problem.elements = std::make_unique<mfem::H1_FECollection>(order, dimension);
  const int components = problem.is_elastic ? dimension : 1;
  problem.space = std::make_unique<mfem::ParFiniteElementSpace>(&mesh, problem.elements.get(),
                                                                components, mfem::Ordering::byVDIM);
  mfem::Array<int> sides(mesh.bdr_attributes.Max());
  sides = problem.is_elastic ? 0 : 1;
  sides[4] = 1;  // x = 0
  mfem::Array<int> fixed;
  problem.space->GetEssentialTrueDofs(sides, fixed);
  problem.form = std::make_unique<mfem::ParBilinearForm>(problem.space.get());
  mfem::ParBilinearForm& form = *problem.form;
  mfem::ParLinearForm load(problem.space.get());
  mfem::ConstantCoefficient one(1.0);
  mfem::Vector moduli(2);
  moduli(0) = 50;
  moduli(1) = 1;
  mfem::PWConstCoefficient lame(moduli);
  mfem::Vector down(dimension);
  down = 0.0;
  down(dimension - 1) = -1e-2;
  mfem::VectorConstantCoefficient weight(down);
  if (problem.is_elastic) {
    form.AddDomainIntegrator(new mfem::ElasticityIntegrator(lame, lame));
    load.AddDomainIntegrator(new mfem::VectorDomainLFIntegrator(weight));
  } else {
    form.AddDomainIntegrator(new mfem::DiffusionIntegrator(one));
    load.AddDomainIntegrator(new mfem::DomainLFIntegrator(one));
  }
  form.Assemble();
  load.Assemble();
  mfem::ParGridFunction u(problem.space.get());
  u = 0.0;
  form.FormLinearSystem(fixed, u, load, problem.A, problem.x, problem.b);
}

}  // namespace detail

/// Poisson's equation on a cube, u = 0 all around (MFEM's ex1p).
inline void make_poisson(MfemProblem& problem, MeshKind kind, int n, int order) {
  detail::discretise(problem, detail::make_bar(kind, 1, n), order);
}

/// A beam of two materials, 50 to 1, that is clamped at one end (MFEM's ex2p).
inline void make_beam(MfemProblem& problem, MeshKind kind, int n, int order) {
  problem.is_elastic = true;
  auto serial = detail::make_bar(kind, 4, n);
  for (int i = 0; i < serial.GetNE(); ++i) {
    mfem::Vector center;
    serial.GetElementCenter(i, center);
    serial.SetAttribute(i, center(0) < 2 ? 1 : 2);
  }
  serial.SetAttributes();
  detail::discretise(problem, std::move(serial), order);
}

}  // namespace tessera::perf
