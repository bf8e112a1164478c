// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/point_sets.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <string>

namespace tessera {

template <class Space>
PointSets<Space> make_point_sets(const Space& exec,
                                 const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number,
                                 RelaxationPoints points) {
  const auto n = coarse_number.extent(0);
  const auto set_of = allocate<Ordinal>(exec, "tessera::smoother::set_of", n);
  const Ordinal of_coarse = points == RelaxationPoints::cf ? 0 : 1;
  Kokkos::parallel_for(
      "tessera::smoother::set_of", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        set_of(i) = coarse_number(i) >= 0 ? of_coarse : 1 - of_coarse;
      });
  return {set_of, points == RelaxationPoints::f ? 1 : 2};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, make_point_sets)

std::string_view relaxation_points_name(RelaxationPoints points) {
  for (const auto& known : relaxation_points_names)
    if (known.value == points) return known.name;
  return {};
}

void check_points(const SmootherParameters& p) {
  if (p.points == RelaxationPoints::all) return;
  const std::string asked =
      "amg.smoother.points = " + std::string(relaxation_points_name(p.points));
  switch (p.type) {
    case SmootherType::automatic:
    case SmootherType::jacobi:
    case SmootherType::l1_jacobi:
      return;
    case SmootherType::gauss_seidel:
      if (p.gauss_seidel.order == GaussSeidelOrder::colours) return;
      throw Error(ErrorKind::configuration,
                  asked +
                      " is not for amg.smoother.gauss_seidel.order = natural, which takes rows "
                      "as they are numbered; use order = colours");
    default:
      throw Error(ErrorKind::configuration,
                  asked + " is not for amg.smoother.type = " + std::string(smoother_name(p.type)) +
                      "; use jacobi, l1_jacobi or gauss_seidel, or points = all");
  }
}

}  // namespace tessera
