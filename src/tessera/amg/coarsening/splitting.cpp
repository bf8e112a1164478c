// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/splitting.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/graph/advancing_front.hpp"
#include "tessera/kernels/graph/pmis.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

namespace tessera::amg {

template <class Space>
Splitting<Space> number_coarse_points(const Space& exec,
                                      const Array<std::int8_t, Space>& is_coarse) {
  const auto number =
      allocate<Ordinal>(exec, "tessera::splitting::coarse_number", is_coarse.extent(0));
  Ordinal num_coarse = 0;
  Kokkos::parallel_scan(
      "tessera::splitting::number", Kokkos::RangePolicy<Space>(exec, 0, number.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& count, const bool last) {
        if (last) number(i) = is_coarse(i) != 0 ? count : -1;
        count += is_coarse(i) != 0 ? 1 : 0;
      },
      num_coarse);
  exec.fence("tessera::splitting::number");
  return {number, num_coarse};
}

template <class Space>
Array<const Ordinal, Space> list_coarse_points(
    const Space& exec, const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number,
    Ordinal num_coarse) {
  const auto points = allocate<Ordinal>(exec, "tessera::splitting::coarse_points", num_coarse);
  Kokkos::parallel_for(
      "tessera::splitting::coarse_points",
      Kokkos::RangePolicy<Space>(exec, 0, coarse_number.extent(0)), KOKKOS_LAMBDA(const Ordinal i) {
        if (coarse_number(i) >= 0) points(coarse_number(i)) = i;
      });
  return points;
}

namespace detail {

/// The factors whose product counts paths between coarse points: in a coarse point's row `from` has
/// the point and what it depends on, in a point's row `to` has the coarse points that it depends
/// on. Entries are 1.
template <class Space, class Offset>
struct PathFactors {
  kernels::Csr<float, Space, Offset> from, to;
};

template <class Space, class Offset>
PathFactors<Space, Offset> path_factors(const Space& exec,
                                        const kernels::Graph<Space, Offset>& strong,
                                        const Splitting<Space>& split) {
  const Ordinal n = strong.num_nodes;
  const auto number = split.coarse_number;
  const auto from = allocate<Offset>(exec, "tessera::splitting::offsets", split.num_coarse + 1ul);
  const auto to = allocate<Offset>(exec, "tessera::splitting::offsets", n + 1ul);
  const Kokkos::RangePolicy<Space> nodes(exec, 0, n);
  Kokkos::parallel_for(
      "tessera::splitting::count_factors", nodes, KOKKOS_LAMBDA(const Ordinal i) {
        const Offset begin = strong.offsets(i);
        const Offset end = strong.offsets(i + 1);
        Offset coarse = 0;
        for (Offset k = begin; k < end; ++k)
          coarse += number(strong.columns(k)) >= 0 ? 1 : 0;
        to(i) = coarse;
        if (number(i) >= 0) from(number(i)) = 1 + end - begin;
      });
  const std::size_t from_total = kernels::counts_to_offsets<Offset, Space>(exec, from);
  const std::size_t to_total = kernels::counts_to_offsets<Offset, Space>(exec, to);
  const auto from_columns = allocate<Ordinal>(exec, "tessera::splitting::columns", from_total);
  const auto to_columns = allocate<Ordinal>(exec, "tessera::splitting::columns", to_total);
  Kokkos::parallel_for(
      "tessera::splitting::fill_factors", nodes, KOKKOS_LAMBDA(const Ordinal i) {
        const bool is_coarse = number(i) >= 0;
        Offset at = is_coarse ? from(number(i)) : 0;
        Offset at_coarse = to(i);
        if (is_coarse) from_columns(at++) = i;
        for (Offset k = strong.offsets(i); k < strong.offsets(i + 1); ++k) {
          const Ordinal j = strong.columns(k);
          if (is_coarse) from_columns(at++) = j;
          if (number(j) >= 0) to_columns(at_coarse++) = number(j);
        }
      });
  const auto from_values = allocate<float>(exec, "tessera::splitting::values", from_total);
  const auto to_values = allocate<float>(exec, "tessera::splitting::values", to_total);
  Kokkos::deep_copy(exec, from_values, 1.0F);
  Kokkos::deep_copy(exec, to_values, 1.0F);
  return {{split.num_coarse, n, from, from_columns, from_values},
          {n, split.num_coarse, to, to_columns, to_values}};
}

/// An entry off the diagonal that is at least `least`.
template <class Space, class Offset>
KOKKOS_FUNCTION bool is_edge(const kernels::Csr<float, Space, Offset>& counts, Ordinal i, Offset k,
                             float least) {
  return counts.columns(k) != i && counts.values(k) >= least;
}

/// The graph of such entries.
template <class Space, class Offset>
kernels::Graph<Space, Offset> edges_of(const Space& exec,
                                       const kernels::Csr<float, Space, Offset>& counts,
                                       float least) {
  const Ordinal n = counts.num_rows;
  const auto offsets = allocate<Offset>(exec, "tessera::splitting::offsets", n + 1ul);
  Kokkos::parallel_for(
      "tessera::splitting::count_edges", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset edges = 0;
        for (Offset k = counts.offsets(i); k < counts.offsets(i + 1); ++k)
          edges += is_edge(counts, i, k, least) ? 1 : 0;
        offsets(i) = edges;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::splitting::columns", total);
  Kokkos::parallel_for(
      "tessera::splitting::fill_edges", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset at = offsets(i);
        for (Offset k = counts.offsets(i); k < counts.offsets(i + 1); ++k) {
          if (is_edge(counts, i, k, least)) columns(at++) = counts.columns(k);
        }
      });
  return {n, offsets, columns};
}

}  // namespace detail

template <class Space, class Offset>
Splitting<Space> split_points(const Space& exec, const kernels::Dependences<Space, Offset>& found,
                              PointSplitting how) {
  return number_coarse_points(exec,
                              how == PointSplitting::pmis
                                  ? kernels::pmis(exec, found.strong, found.stays)
                                  : kernels::advancing_front(exec, found.strong, found.stays));
}

template <class Space, class Offset>
kernels::Graph<Space, Offset> coarse_paths(const Space& exec,
                                           const kernels::Graph<Space, Offset>& strong,
                                           const Splitting<Space>& split, int min_paths) {
  auto factors = detail::path_factors(exec, strong, split);
  const auto counts = kernels::spgemm(exec, factors.from.view(), factors.to.view());
  factors = {};
  return detail::edges_of(exec, counts, static_cast<float>(min_paths));
}

template <class Space, class Offset>
Splitting<Space> split_coarse_points(const Space& exec,
                                     const kernels::Dependences<Space, Offset>& found,
                                     const Splitting<Space>& first, PointSplitting how,
                                     int min_paths) {
  const auto paths = coarse_paths(exec, found.strong, first, min_paths);
  const auto number = first.coarse_number;
  const auto n = static_cast<Ordinal>(number.extent(0));
  const auto stays = found.stays;
  const auto stays_again =
      allocate<std::int8_t>(exec, "tessera::splitting::stays", first.num_coarse);
  Kokkos::parallel_for(
      "tessera::splitting::stays", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal c = number(i);
        if (c < 0) return;
        const bool alone = paths.offsets(c) == paths.offsets(c + 1);
        stays_again(c) = alone || stays(i) != 0 ? 1 : 0;
      });
  const auto second =
      split_points(exec, kernels::Dependences<Space, Offset>{paths, stays_again}, how);
  const auto number_again = allocate<Ordinal>(exec, "tessera::splitting::coarse_number", n);
  const auto second_number = second.coarse_number;
  Kokkos::parallel_for(
      "tessera::splitting::number_again", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        number_again(i) = number(i) < 0 ? -1 : second_number(number(i));
      });
  return {number_again, second.num_coarse};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, number_coarse_points)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, list_coarse_points)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, split_points)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, coarse_paths)
TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, split_coarse_points)

}  // namespace tessera::amg
