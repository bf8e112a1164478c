// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The gallery: model problems of known properties, generated on the execution space.
///
/// `docs/gallery.md` describes each problem: its equation, its entries and its right-hand side.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/parameter_description.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// In which order the unknowns of elasticity are numbered.
enum class Numbering { nodes, unknowns };

inline constexpr EnumName<Numbering> numbering_names[] = {
    {Numbering::nodes, "nodes", "node by node, a node's displacements side by side"},
    {Numbering::unknowns, "unknowns", "all displacements along x, then along y, then along z"}};

/// The problems of the gallery.
enum class ProblemKind {
  poisson2d,
  poisson2d9,
  poisson3d,
  poisson3d27,
  anisotropic2d,
  anisotropic3d,
  jump2d,
  jump3d,
  convdiff2d,
  convdiff3d,
  elasticity2d,
  elasticity3d,
  beam,
  lshape,
  unstructured2d,
  unstructured3d,
  unstructured_elasticity3d,
  graph,
  neumann2d,
  neumann3d
};

/// Every problem's name as users write it, with one line about it.
EnumNames<ProblemKind> problem_names();

/// The name of one problem, e.g. "poisson2d".
std::string_view to_string(ProblemKind problem);

/// The members of GalleryParameters that a problem looks at, by their names in
/// `describe_parameters`; its size comes first.
std::span<const std::string_view> parameter_names(ProblemKind problem);

/// Which problem, how large, and its coefficients; a member that is not among the problem's
/// `parameter_names` is ignored.
struct GalleryParameters {
  ProblemKind problem = ProblemKind::poisson3d;
  int n = 100;
  int order = 3;
  int refine = 3;
  double epsilon = 0.001;
  double theta = 0.5235987755982988;
  double contrast = 1000.0;
  double mesh_contrast = 1.0;
  double peclet = 100.0;
  double poisson_ratio = 0.3;
  Numbering numbering = Numbering::nodes;
  double degree = 8.0;
  double shift = 0.001;
  int seed = 1;
};

/// Names each member once; see operator/parameter_description.hpp.
template <class Visitor>
void describe_parameters(Visitor& visit, GalleryParameters& p) {
  visit("problem", p.problem, "model problem", problem_names());
  visit(
      "n", p.n,
      "grid points per direction; elements per direction for elasticity; the root of the number of "
      "nodes for graph; not used by beam and lshape",
      Range{1, 46340});
  visit("order", p.order, "polynomial order of the elements (beam, lshape)", Range{1, 8});
  visit("refine", p.refine, "uniform refinements of the mesh (beam, lshape)", Range{0, 12});
  visit("epsilon", p.epsilon,
        "weak diffusion over strong diffusion (anisotropic, unstructured); 1 is Poisson's equation",
        Range{1e-12, 1.0});
  visit("theta", p.theta,
        "angle in radians in the x-y plane of the strong diffusion (anisotropic, unstructured) or "
        "of the flow (convdiff)",
        Range{-6.3, 6.3});
  visit("contrast", p.contrast, "coefficient of every second block, 1 in the others (jump)",
        Range{1e-12, 1e12});
  visit("mesh_contrast", p.mesh_contrast,
        "coefficient of every second block of the mesh, 1 in the others (unstructured)",
        Range{1e-12, 1e12});
  visit("peclet", p.peclet, "speed of the flow over the diffusion, unit domain (convdiff)",
        Range{0.0, 1e12});
  visit("poisson_ratio", p.poisson_ratio, "Poisson's ratio (elasticity)", Range{-0.99, 0.499});
  visit("numbering", p.numbering,
        "nodes, or unknowns: all displacements along x first (elasticity)",
        EnumNames<Numbering>(numbering_names));
  visit("degree", p.degree, "mean number of neighbours of a node (graph)", Range{0.01, 1000.0});
  visit("shift", p.shift, "added to the diagonal of the graph's Laplacian (graph)",
        Range{1e-12, 1e6});
  visit("seed", p.seed,
        "seed of the nodes' places (graph, unstructured), of the right-hand side (graph), of "
        "the mesh and its numbering (unstructured)",
        Range{0, std::numeric_limits<int>::max()});
}

/// A model problem and what is known about it. All arrays live in the memory of `Space`.
template <class Scalar, class Space, class Offset = std::int32_t>
struct Problem {
  /// Square, rows sorted by column, every diagonal entry stored.
  kernels::Csr<Scalar, Space, Offset> A;
  /// The problem's own right-hand side, num_rows by 1; consistent where the matrix is singular.
  MultiVector<Scalar, Space> b;
  /// num_rows by m: the constant, or the rigid body modes (3 in 2D, 6 in 3D, of a single vertex
  /// the translations).
  MultiVector<Scalar, Space> near_nullspace;
  /// Places of the nodes, nodes by dimension, for elasticity, graph and unstructured; else 0 by 0.
  MultiVector<Scalar, Space> coordinates;
  int block_size = 1;  ///< unknowns per node, side by side unless `numbering` says otherwise
  bool symmetric = true;
  bool positive_definite = true;  ///< symmetric as well
  bool singular = false;  ///< then `near_nullspace` spans the null space exactly
  std::string description;
};

/// Generates a problem on `exec`; the same parameters give the same bits. Returns with the
/// generation queued on `exec` and the sizes known. Throws `Error` of kind `configuration` where a
/// parameter is out of its range or asks for more rows than an `Ordinal` counts, and of kind
/// `precondition` where the entries are more than an `Offset` counts.
template <class Scalar, class Space, class Offset = std::int32_t>
Problem<Scalar, Space, Offset> make_problem(const Space& exec, const GalleryParameters& parameters);

}  // namespace tessera
