// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The gallery's names, and the checks of its parameters.
#include "tessera/gallery/detail/families.hpp"
#include "tessera/gallery/problem.hpp"
#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/check_parameters.hpp"

#include <array>
#include <charconv>

namespace tessera {
namespace {

constexpr std::array<EnumName<ProblemKind>, 20> kProblems{{
    {ProblemKind::poisson2d, "poisson2d", "Poisson, 5-point stencil on n x n points"},
    {ProblemKind::poisson2d9, "poisson2d9", "Poisson, 9-point stencil on n x n points"},
    {ProblemKind::poisson3d, "poisson3d", "Poisson, 7-point stencil on n x n x n points"},
    {ProblemKind::poisson3d27, "poisson3d27", "Poisson, 27-point stencil on n x n x n points"},
    {ProblemKind::anisotropic2d, "anisotropic2d",
     "diffusion, epsilon times weaker across the angle theta, bilinear elements"},
    {ProblemKind::anisotropic3d, "anisotropic3d",
     "diffusion, epsilon times weaker across the angle theta, trilinear elements"},
    {ProblemKind::jump2d, "jump2d", "diffusion, coefficient jumping by contrast, n x n points"},
    {ProblemKind::jump3d, "jump3d", "diffusion, coefficient jumping by contrast, n x n x n points"},
    {ProblemKind::convdiff2d, "convdiff2d", "convection-diffusion, upwind, n x n points"},
    {ProblemKind::convdiff3d, "convdiff3d", "convection-diffusion, upwind, n x n x n points"},
    {ProblemKind::elasticity2d, "elasticity2d",
     "linear elasticity, plane strain, n x n bilinear elements, one side clamped"},
    {ProblemKind::elasticity3d, "elasticity3d",
     "linear elasticity, n x n x n trilinear elements, one face clamped"},
    {ProblemKind::beam, "beam", "diffusion in an 8 x 1 x 1 beam of two materials, high order"},
    {ProblemKind::lshape, "lshape", "diffusion in an L-shaped domain, high order"},
    {ProblemKind::unstructured2d, "unstructured2d",
     "anisotropic diffusion on an irregular mesh of triangles, n x n vertices"},
    {ProblemKind::unstructured3d, "unstructured3d",
     "anisotropic diffusion on an irregular mesh of tetrahedra, n x n x n vertices"},
    {ProblemKind::unstructured_elasticity3d, "unstructured_elasticity3d",
     "linear elasticity on that mesh of tetrahedra, clamped all around"},
    {ProblemKind::graph, "graph", "shifted Laplacian of a random geometric graph, n x n vertices"},
    {ProblemKind::neumann2d, "neumann2d", "Poisson with Neumann conditions, 5-point, singular"},
    {ProblemKind::neumann3d, "neumann3d", "Poisson with Neumann conditions, 7-point, singular"},
}};

/// The shortest text that reads back as the same number.
template <class Number>
std::string text_of(Number value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::configuration, message);
}

}  // namespace

EnumNames<ProblemKind> problem_names() { return kProblems; }

std::string_view to_string(ProblemKind problem) {
  for (const auto& entry : kProblems) {
    if (entry.value == problem) return entry.name;
  }
  return "unknown";
}

std::span<const std::string_view> parameter_names(ProblemKind problem) {
  static constexpr std::array<std::string_view, 1> size{"n"};
  static constexpr std::array<std::string_view, 3> rotated{"n", "epsilon", "theta"};
  static constexpr std::array<std::string_view, 5> mesh{"n", "epsilon", "theta", "mesh_contrast",
                                                        "seed"};
  static constexpr std::array<std::string_view, 2> jump{"n", "contrast"};
  static constexpr std::array<std::string_view, 3> flow{"n", "peclet", "theta"};
  static constexpr std::array<std::string_view, 3> elastic{"n", "poisson_ratio", "numbering"};
  static constexpr std::array<std::string_view, 3> elastic_mesh{"n", "poisson_ratio", "seed"};
  static constexpr std::array<std::string_view, 2> high_order{"order", "refine"};
  static constexpr std::array<std::string_view, 4> graph{"n", "degree", "shift", "seed"};
  switch (problem) {
    case ProblemKind::poisson2d:
    case ProblemKind::poisson2d9:
    case ProblemKind::poisson3d:
    case ProblemKind::poisson3d27:
    case ProblemKind::neumann2d:
    case ProblemKind::neumann3d:
      return size;
    case ProblemKind::anisotropic2d:
    case ProblemKind::anisotropic3d:
      return rotated;
    case ProblemKind::unstructured2d:
    case ProblemKind::unstructured3d:
      return mesh;
    case ProblemKind::jump2d:
    case ProblemKind::jump3d:
      return jump;
    case ProblemKind::convdiff2d:
    case ProblemKind::convdiff3d:
      return flow;
    case ProblemKind::elasticity2d:
    case ProblemKind::elasticity3d:
      return elastic;
    case ProblemKind::unstructured_elasticity3d:
      return elastic_mesh;
    case ProblemKind::beam:
    case ProblemKind::lshape:
      return high_order;
    case ProblemKind::graph:
      break;
  }
  return graph;
}

namespace gallery_detail {

void check_parameters(const GalleryParameters& parameters) {
  tessera::check_parameters(parameters, "gallery parameter ");
}

std::string number_text(double value) { return text_of(value); }

Ordinal checked_rows(const GalleryParameters& parameters,
                     std::initializer_list<std::int64_t> sizes) {
  // Each size is below 2^31 and the product is checked as it grows: no step overflows 64 bits.
  std::int64_t rows = 1;
  for (const std::int64_t size : sizes) {
    rows *= size;
    if (rows <= std::numeric_limits<Ordinal>::max()) continue;
    const bool high_order =
        parameters.problem == ProblemKind::beam || parameters.problem == ProblemKind::lshape;
    const std::string asked = high_order ? "order = " + text_of(parameters.order) +
                                               " and refine = " + text_of(parameters.refine)
                                         : "n = " + text_of(parameters.n);
    refuse(std::string(to_string(parameters.problem)) + " with " + asked +
           " has more rows than Tessera numbers, " + text_of(std::numeric_limits<Ordinal>::max()));
  }
  return static_cast<Ordinal>(rows);
}

}  // namespace gallery_detail

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_problem(const Space& exec,
                                            const GalleryParameters& parameters) {
  return make_problem_rows<Scalar, Space, Offset>(exec, parameters, RowRange());
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_problem)

}  // namespace tessera
