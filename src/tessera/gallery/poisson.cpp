// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Poisson's equation, with Dirichlet conditions eliminated or with Neumann conditions.
#include "tessera/gallery/detail/stencil.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::gallery_detail {

/// -1 to each neighbour, their number (inside and outside of the grid) on the diagonal.
struct LaplaceStencil {
  double center;

  KOKKOS_INLINE_FUNCTION double diagonal(const GridPoint&) const { return center; }
  KOKKOS_INLINE_FUNCTION double off_diagonal(const GridPoint&, const GridPoint&) const {
    return -1.0;
  }
};

/// -1 to each neighbour, the number of those inside of the grid on the diagonal.
struct NeumannStencil {
  Grid grid;

  KOKKOS_INLINE_FUNCTION double diagonal(const GridPoint& p) const {
    return static_cast<double>(span_of(p.x, grid.nx) + span_of(p.y, grid.ny) +
                               span_of(p.z, grid.nz) - 3);
  }
  KOKKOS_INLINE_FUNCTION double off_diagonal(const GridPoint&, const GridPoint&) const {
    return -1.0;
  }
};

/// b = 1 in the first half of all `n` rows and -1 in the last, from row `first` on: its sum is
/// exactly 0, for an odd number of rows too.
template <class Scalar, class Space>
void fill_source_and_sink(const Space& exec, const MultiVectorView<Scalar, Space>& b,
                          std::int64_t n, std::int64_t first) {
  Kokkos::parallel_for(
      "tessera::gallery::source_and_sink", Kokkos::RangePolicy<Space>(exec, 0, b.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t row) {
        const std::int64_t i = first + row;
        b(row, 0) = i < n / 2 ? Scalar(1) : (i >= n - n / 2 ? Scalar(-1) : Scalar(0));
      });
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_poisson(const Space& exec, const GalleryParameters& parameters,
                                            const RowRange& range) {
  const ProblemKind kind = parameters.problem;
  const bool flat = kind == ProblemKind::poisson2d || kind == ProblemKind::poisson2d9;
  const bool box = kind == ProblemKind::poisson2d9 || kind == ProblemKind::poisson3d27;
  const Grid grid = square_grid(parameters, flat ? 2 : 3);
  const int neighbours = flat ? (box ? 8 : 4) : (box ? 26 : 6);
  const LaplaceStencil stencil{static_cast<double>(neighbours)};
  auto problem = box ? assemble_scalar_problem<Scalar, Space, Offset>(
                           exec, BoxRows<LaplaceStencil>{grid, stencil}, range)
                     : assemble_scalar_problem<Scalar, Space, Offset>(
                           exec, CrossRows<LaplaceStencil>{grid, stencil}, range);
  problem.description =
      std::to_string(neighbours + 1) + "-point Poisson on " + to_string(grid) + " points";
  return problem;
}

template <class Scalar, class Space, class Offset>
Problem<Scalar, Space, Offset> make_neumann(const Space& exec, const GalleryParameters& parameters,
                                            const RowRange& range) {
  const int dimension = parameters.problem == ProblemKind::neumann2d ? 2 : 3;
  const Grid grid = square_grid(parameters, dimension);
  auto problem = assemble_scalar_problem<Scalar, Space, Offset>(
      exec, CrossRows<NeumannStencil>{grid, NeumannStencil{grid}}, range);
  fill_source_and_sink<Scalar, Space>(exec, problem.b, grid.size(), range.first);
  problem.positive_definite = false;
  problem.singular = true;
  problem.description = "Poisson with Neumann conditions on " + to_string(grid) + " points";
  return problem;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_poisson)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_neumann)

}  // namespace tessera::gallery_detail
