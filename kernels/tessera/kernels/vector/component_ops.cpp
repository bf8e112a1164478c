// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/component_ops.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

/// A team for each run and column.
template <class Scalar, class Space>
struct DotOfRun {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;

  ComponentRows<Space> where;
  ArrayView<const Scalar, Space> w;
  ConstMultiVectorView<Scalar, Space> v;
  MultiVectorView<double, Space> partials;
  int num_runs;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int run = team.league_rank() % num_runs;
    const int j = team.league_rank() / num_runs;
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, where.run_start(run), where.run_start(run + 1)),
        [&](const Ordinal place, double& partial) {
          const Ordinal i = where.rows(place);
          partial += static_cast<double>(w(i)) * static_cast<double>(v(i, j));
        },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { partials(run, j) = sum; });
  }
};

/// A team for each component and column.
template <class Space>
struct SumOfRuns {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;

  ArrayView<const Ordinal, Space> first_run;
  MultiVectorView<const double, Space> partials;
  MultiVectorView<double, Space> products;
  int num_components;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int c = team.league_rank() % num_components;
    const int j = team.league_rank() / num_components;
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first_run(c), first_run(c + 1)),
        [&](const Ordinal run, double& partial) { partial += partials(run, j); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { products(c, j) = sum; });
  }
};

template <class Scalar, class Space>
struct SubtractComponents {
  ComponentRows<Space> where;
  ArrayView<const Scalar, Space> w;
  MultiVectorView<const double, Space> products;
  MultiVectorView<Scalar, Space> v;

  KOKKOS_FUNCTION void operator()(Ordinal place) const {
    const Ordinal i = where.rows(place);
    const int c = where.component(place);
    const auto weight = static_cast<double>(w(i));
    for (int j = 0; j < static_cast<int>(v.extent(1)); ++j)
      v(i, j) = static_cast<Scalar>(static_cast<double>(v(i, j)) - products(c, j) * weight);
  }
};

}  // namespace detail

template <class Scalar, class Space>
void component_dot(const Space& exec, const ComponentRows<Space>& where,
                   const NonDeduced<ArrayView<const Scalar, Space>>& w,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& v,
                   const NonDeduced<MultiVectorView<double, Space>>& partials,
                   const NonDeduced<MultiVectorView<double, Space>>& products) {
  const int runs = where.num_runs(), components = where.num_components();
  const int k = detail::columns_of(v);
  if (components == 0 || k == 0) return;
  detail::require_length("w", w.extent(0), v.extent(0));
  const int team_size = is_host_space<Space> ? 1 : 32;
  Kokkos::parallel_for("tessera::vector::component_partials",
                       Kokkos::TeamPolicy<Space>(exec, runs * k, team_size),
                       detail::DotOfRun<Scalar, Space>{where, w, v, partials, runs});
  Kokkos::parallel_for("tessera::vector::component_products",
                       Kokkos::TeamPolicy<Space>(exec, components * k, team_size),
                       detail::SumOfRuns<Space>{where.first_run, partials, products, components});
}

template <class Scalar, class Space>
void component_subtract(const Space& exec, const ComponentRows<Space>& where,
                        const NonDeduced<ArrayView<const Scalar, Space>>& w,
                        const NonDeduced<MultiVectorView<const double, Space>>& products,
                        const NonDeduced<MultiVectorView<Scalar, Space>>& v) {
  detail::require_length("w", w.extent(0), v.extent(0));
  Kokkos::parallel_for("tessera::vector::component_subtract",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(
                           exec, 0, static_cast<Ordinal>(where.rows.extent(0))),
                       detail::SubtractComponents<Scalar, Space>{where, w, products, v});
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, component_dot)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, component_subtract)

}  // namespace tessera::kernels
