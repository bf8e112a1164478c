// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/sorted_numbers.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <Kokkos_Sort.hpp>

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

template <class Space>
using NumberRange = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>;

/// Whether a place of a sorted list is the first one of its number.
template <class Space>
struct IsFirstOfNumber {
  Array<std::int64_t, Space> sorted;
  KOKKOS_FUNCTION bool operator()(std::size_t e) const {
    return e == 0 || sorted(e) != sorted(e - 1);
  }
};

/// Each of sorted numbers once, in an array that has room for no more.
template <class Space>
GlobalNumbers<Space> once_each(const Space& exec, const Array<std::int64_t, Space>& sorted) {
  const IsFirstOfNumber<Space> is_first{sorted};
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::sorted_numbers::count", NumberRange<Space>(exec, 0, sorted.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, std::size_t& sum) { sum += is_first(e) ? 1 : 0; }, count);
  exec.fence("tessera::distributed::sorted_numbers");
  const auto distinct = allocate<std::int64_t>(exec, "tessera::distributed::numbers", count);
  Kokkos::parallel_scan(
      "tessera::distributed::sorted_numbers::once", NumberRange<Space>(exec, 0, sorted.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, std::size_t& place, const bool is_last) {
        if (!is_first(e)) return;
        if (is_last) distinct(place) = sorted(e);
        ++place;
      });
  exec.fence("tessera::distributed::sorted_numbers");
  return distinct;
}

template <class Space>
GlobalNumbers<Space> copied_numbers(const Space& exec, const std::int64_t* begin,
                                    const std::int64_t* end) {
  const auto copy = allocate<std::int64_t>(exec, "tessera::distributed::numbers",
                                           static_cast<std::size_t>(end - begin));
  std::copy(begin, end, copy.data());
  return copy;
}

template <class Space>
struct PlaceAmong {
  GlobalNumbers<Space> sorted, numbers;
  Ordinal first;
  Array<Ordinal, Space> places;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    places(i) = first + place_in(sorted, numbers(i));
  }
};

}  // namespace

template <class Space>
GlobalNumbers<Space> sorted_once(const Space& exec, const Array<std::int64_t, Space>& numbers) {
  if (numbers.extent(0) == 0) return numbers;
  if constexpr (kernels::is_host_space<Space>) {
    exec.fence("tessera::distributed::sorted_numbers");
    std::int64_t* const begin = numbers.data();
    std::int64_t* const end = begin + numbers.extent(0);
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    return copied_numbers(exec, begin, std::unique(begin, end));
  } else {
    Kokkos::sort(exec, numbers);
    return once_each<Space>(exec, numbers);
  }
}

template <class Space>
Array<std::int64_t, Space> divided_numbers(const Space& exec, const GlobalNumbers<Space>& numbers,
                                           int divisor) {
  const auto divided =
      allocate<std::int64_t>(exec, "tessera::distributed::divided_numbers", numbers.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::divided_numbers", NumberRange<Space>(exec, 0, numbers.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { divided(i) = numbers(i) / divisor; });
  exec.fence("tessera::distributed::divided_numbers");
  return divided;
}

template <class Space>
Array<std::int64_t, Space> joined_numbers(const Space& exec, const GlobalNumbers<Space>& a,
                                          const GlobalNumbers<Space>& b) {
  const std::size_t first = a.extent(0), all = first + b.extent(0);
  const auto both = allocate<std::int64_t>(exec, "tessera::distributed::numbers", all);
  if (first > 0)
    Kokkos::deep_copy(exec, Kokkos::subview(both, std::make_pair(std::size_t(0), first)), a);
  if (all > first) Kokkos::deep_copy(exec, Kokkos::subview(both, std::make_pair(first, all)), b);
  exec.fence("tessera::distributed::sorted_numbers");
  return both;
}

template <class Space>
GlobalNumbers<Space> united(const Space& exec, const GlobalNumbers<Space>& a,
                            const GlobalNumbers<Space>& b) {
  return sorted_once<Space>(exec, joined_numbers<Space>(exec, a, b));
}

template <class Space>
Ordinal num_below(const Space& exec, const GlobalNumbers<Space>& sorted, std::int64_t number) {
  if (sorted.extent(0) == 0) return 0;
  if constexpr (kernels::is_host_space<Space>) {
    exec.fence("tessera::distributed::sorted_numbers");
    return place_in(sorted, number);
  } else {
    Ordinal place = 0;
    const auto given = sorted;
    Kokkos::parallel_reduce(
        "tessera::distributed::num_below", Kokkos::RangePolicy<Space>(exec, 0, 1),
        KOKKOS_LAMBDA(const int, Ordinal& sum) { sum += place_in(given, number); }, place);
    exec.fence("tessera::distributed::num_below");
    return place;
  }
}

template <class Space>
Array<Ordinal, Space> places_among(const Space& exec, const GlobalNumbers<Space>& sorted,
                                   const GlobalNumbers<Space>& numbers, Ordinal first) {
  if (numbers.extent(0) == 0) return {};
  const auto places =
      allocate<Ordinal>(exec, "tessera::distributed::places_among", numbers.extent(0));
  Kokkos::parallel_for("tessera::distributed::places_among",
                       NumberRange<Space>(exec, 0, numbers.extent(0)),
                       PlaceAmong<Space>{sorted, numbers, first, places});
  exec.fence("tessera::distributed::places_among");
  return places;
}

template <class Space>
Array<Ordinal, Space> counts_below(const Space& exec, const GlobalNumbers<Space>& sorted,
                                   const GlobalNumbers<Space>& numbers) {
  const std::size_t count = numbers.extent(0);
  const auto all = static_cast<Ordinal>(sorted.extent(0));
  const auto below = allocate<Ordinal>(exec, "tessera::distributed::counts_below", count + 1);
  Kokkos::parallel_for(
      "tessera::distributed::counts_below", NumberRange<Space>(exec, 0, count + 1),
      KOKKOS_LAMBDA(const std::size_t i) {
        below(i) = i < count ? place_in(sorted, numbers(i)) : all;
      });
  exec.fence("tessera::distributed::counts_below");
  return below;
}

template <class Space>
bool are_same(const Space& exec, const GlobalNumbers<Space>& a, const GlobalNumbers<Space>& b) {
  if (a.extent(0) != b.extent(0)) return false;
  if (a.extent(0) == 0 || a.data() == b.data()) return true;
  int differ = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::are_same", NumberRange<Space>(exec, 0, a.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, int& found) {
        if (a(i) != b(i)) found = 1;
      },
      Kokkos::Max<int>(differ));
  exec.fence("tessera::distributed::are_same");
  return differ <= 0;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, sorted_once)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, divided_numbers)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, joined_numbers)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, united)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, num_below)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, places_among)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, counts_below)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, are_same)

}  // namespace tessera::distributed
