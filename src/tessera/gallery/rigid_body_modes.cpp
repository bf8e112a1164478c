// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/gallery/rigid_body_modes.hpp"

#include "tessera/gallery/detail/rigid_body_motion.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

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
  const auto rows = static_cast<Ordinal>(modes.extent(0));
  if (dimension == 2) {
    gallery_detail::fill_rigid_body_modes<2, Scalar, Space>(
        exec, gallery_detail::NodeByNode<2>{0, rows}, coordinates, middle, modes);
  } else {
    gallery_detail::fill_rigid_body_modes<3, Scalar, Space>(
        exec, gallery_detail::NodeByNode<3>{0, rows}, coordinates, middle, modes);
  }
  return modes;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, rigid_body_modes)

}  // namespace tessera
