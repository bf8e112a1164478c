// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/gallery/rigid_body_modes.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera {
namespace gallery_detail {

/// The middle of the range that column `d` spans; minima and maxima do not depend on the order of
/// the reduction.
template <class Scalar, class Space>
Scalar middle_of_column(const Space& exec, const ConstMultiVectorView<Scalar, Space>& coordinates,
                        int d) {
  using MinMax = Kokkos::MinMax<Scalar>;
  typename MinMax::value_type range;
  Kokkos::parallel_reduce(
      "tessera::rigid_body_modes::middle",
      Kokkos::RangePolicy<Space>(exec, 0, coordinates.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i, typename MinMax::value_type& update) {
        const Scalar x = coordinates(i, d);
        if (x < update.min_val) update.min_val = x;
        if (x > update.max_val) update.max_val = x;
      },
      MinMax(range));
  return (range.min_val + range.max_val) / 2;
}

template <class Scalar, class Space>
void fill_modes_2d(const Space& exec, const ConstMultiVectorView<Scalar, Space>& coordinates,
                   const Kokkos::Array<Scalar, 3>& middle,
                   const MultiVectorView<Scalar, Space>& modes) {
  Kokkos::parallel_for(
      "tessera::rigid_body_modes::fill_2d",
      Kokkos::RangePolicy<Space>(exec, 0, coordinates.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i) {
        const Scalar x = coordinates(i, 0) - middle[0];
        const Scalar y = coordinates(i, 1) - middle[1];
        for (int c = 0; c < 2; ++c) {
          for (int m = 0; m < 2; ++m)
            modes(2 * i + c, m) = c == m ? 1 : 0;
        }
        modes(2 * i, 2) = -y;
        modes(2 * i + 1, 2) = x;
      });
}

template <class Scalar, class Space>
void fill_modes_3d(const Space& exec, const ConstMultiVectorView<Scalar, Space>& coordinates,
                   const Kokkos::Array<Scalar, 3>& middle,
                   const MultiVectorView<Scalar, Space>& modes) {
  Kokkos::parallel_for(
      "tessera::rigid_body_modes::fill_3d",
      Kokkos::RangePolicy<Space>(exec, 0, coordinates.extent(0)),
      KOKKOS_LAMBDA(const std::int64_t i) {
        Scalar x[3];
        for (int d = 0; d < 3; ++d)
          x[d] = coordinates(i, d) - middle[d];
        for (int c = 0; c < 3; ++c) {
          for (int m = 0; m < 3; ++m)
            modes(3 * i + c, m) = c == m ? 1 : 0;
        }
        // Rotation about axis a: the unit vector of a, crossed with x.
        for (int a = 0; a < 3; ++a) {
          const int u = (a + 1) % 3;
          const int v = (a + 2) % 3;
          modes(3 * i + a, 3 + a) = 0;
          modes(3 * i + u, 3 + a) = -x[v];
          modes(3 * i + v, 3 + a) = x[u];
        }
      });
}

}  // namespace gallery_detail

template <class Scalar, class Space>
MultiVector<Scalar, Space> rigid_body_modes(
    const Space& exec, const NonDeduced<ConstMultiVectorView<Scalar, Space>>& coordinates) {
  const auto dimension = coordinates.extent(1);
  require(dimension == 2 || dimension == 3, [&] {
    return "coordinates has " + std::to_string(dimension) + " columns, expected 2 or 3";
  });
  const std::size_t num_modes = dimension == 2 ? 3 : 6;
  auto modes = allocate_multivector<Scalar>(exec, "tessera::rigid_body_modes",
                                            dimension * coordinates.extent(0), num_modes);
  if (coordinates.extent(0) == 0) return modes;
  Kokkos::Array<Scalar, 3> middle{};
  for (std::size_t d = 0; d < dimension; ++d) {
    middle[d] =
        gallery_detail::middle_of_column<Scalar, Space>(exec, coordinates, static_cast<int>(d));
  }
  if (dimension == 2) {
    gallery_detail::fill_modes_2d<Scalar, Space>(exec, coordinates, middle, modes);
  } else {
    gallery_detail::fill_modes_3d<Scalar, Space>(exec, coordinates, middle, modes);
  }
  return modes;
}

#define TESSERA_INSTANTIATE(Scalar, Space)                             \
  template MultiVector<Scalar, Space> rigid_body_modes<Scalar, Space>( \
      const Space&, const NonDeduced<ConstMultiVectorView<Scalar, Space>>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
