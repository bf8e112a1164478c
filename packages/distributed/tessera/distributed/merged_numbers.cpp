// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/merged_numbers.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace tessera::distributed {
namespace {

constexpr const char* merged_label = "tessera::distributed::ColumnNumbers";

Ordinal as_ordinal(std::size_t extent) { return static_cast<Ordinal>(extent); }

template <class Space>
struct Descends {
  GlobalNumbers<Space> list;
  KOKKOS_FUNCTION void operator()(Ordinal i, int& found) const {
    if (list(i) > list(i + 1)) found = 1;
  }
};

template <class Space>
struct InvertOrder {
  GlobalNumbers<Space> list, ascending;
  Array<Ordinal, Space> place;
  KOKKOS_FUNCTION void operator()(Ordinal i) const { place(place_in(ascending, list(i))) = i; }
};

template <class Space>
struct IsNew {
  GlobalNumbers<Space> numbers, known;

  KOKKOS_FUNCTION bool is_new(Ordinal i, Ordinal& at) const {
    at = place_in(known, numbers(i));
    return at == static_cast<Ordinal>(known.extent(0)) || known(at) != numbers(i);
  }
  /// How many there are, and the place of the first one in `known`.
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal& count, Ordinal& below) const {
    Ordinal at = 0;
    if (!is_new(i, at)) return;
    ++count;
    if (at < below) below = at;
  }
};

template <class Space>
struct TakeNew {
  IsNew<Space> given;
  Array<std::int64_t, Space> taken;
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal& place, bool is_last) const {
    Ordinal at = 0;
    if (!given.is_new(i, at)) return;
    if (is_last) taken(place) = given.numbers(i);
    ++place;
  }
};

/// Entry i of both lists one behind the other goes behind those of the other one that are below it.
template <class Space>
struct MergeLists {
  NumbersInOrder<Space> known;
  GlobalNumbers<Space> added;
  Array<std::int64_t, Space> numbers;
  Array<Ordinal, Space> place;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const auto num_known = static_cast<Ordinal>(known.numbers.extent(0));
    const bool is_known = i < num_known;
    const std::int64_t number = is_known ? known.numbers(i) : added(i - num_known);
    const Ordinal to =
        is_known ? i + place_in(added, number) : i - num_known + place_in(known.numbers, number);
    numbers(to) = number;
    place(to) = is_known && known.place.extent(0) > 0 ? known.place(i) : i;
  }
};

template <class Space>
struct NumberMarked {
  NumbersInOrder<Space> given;
  ArrayView<const Ordinal, Space> marks;
  Ordinal first;
  Array<Ordinal, Space> number;

  KOKKOS_FUNCTION Ordinal place(Ordinal i) const {
    return given.place.extent(0) == 0 ? i : given.place(i);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, Ordinal& before, bool is_last) const {
    const Ordinal at = place(i);
    const bool is_marked = marks(at) != 0;
    if (is_last) number(at) = is_marked ? first + before : -1;
    if (is_marked) ++before;
  }
};

template <class Space>
struct TakeMarked {
  NumberMarked<Space> marked;
  Array<std::int64_t, Space> taken;
  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Ordinal number = marked.number(marked.place(i));
    if (number >= 0) taken(number - marked.first) = marked.given.numbers(i);
  }
};

template <class Space>
bool ascends(const Space& exec, const GlobalNumbers<Space>& list) {
  if (list.extent(0) < 2) return true;
  int found = 0;
  Kokkos::parallel_reduce("tessera::distributed::ColumnNumbers::ascends",
                          Kokkos::RangePolicy<Space>(exec, 0, as_ordinal(list.extent(0) - 1)),
                          Descends<Space>{list}, Kokkos::Max<int>(found));
  exec.fence(merged_label);
  return found <= 0;
}

/// In one pass, without a search.
template <class Space>
NewNumbers<Space> without_on_host(const Space& exec, const GlobalNumbers<Space>& numbers,
                                  const GlobalNumbers<Space>& known) {
  std::vector<std::int64_t> added;
  const std::int64_t* const first = known.data();
  const std::int64_t* const last = first + known.extent(0);
  std::set_difference(numbers.data(), numbers.data() + numbers.extent(0), first, last,
                      std::back_inserter(added));
  if (added.empty()) return {};
  const auto made = allocate<std::int64_t>(exec, merged_label, added.size());
  std::ranges::copy(added, made.data());
  return {made, static_cast<std::size_t>(std::lower_bound(first, last, added.front()) - first)};
}

template <class Space>
NewNumbers<Space> without_on_device(const Space& exec, const GlobalNumbers<Space>& numbers,
                                    const GlobalNumbers<Space>& known) {
  const Kokkos::RangePolicy<Space> range(exec, 0, as_ordinal(numbers.extent(0)));
  const IsNew<Space> is_new{numbers, known};
  Ordinal count = 0, below = 0;
  Kokkos::parallel_reduce("tessera::distributed::ColumnNumbers::count_new", range, is_new,
                          Kokkos::Sum<Ordinal>(count), Kokkos::Min<Ordinal>(below));
  exec.fence(merged_label);
  if (count == 0) return {};
  const auto made = allocate<std::int64_t>(exec, merged_label, static_cast<std::size_t>(count));
  Kokkos::parallel_scan("tessera::distributed::ColumnNumbers::take_new", range,
                        TakeNew<Space>{is_new, made});
  exec.fence(merged_label);
  return {made, static_cast<std::size_t>(below)};
}

/// In one pass, without a search.
template <class Space>
void merge_on_host(const MergeLists<Space>& lists) {
  const auto& known = lists.known;
  const std::size_t num_known = known.numbers.extent(0), num_added = lists.added.extent(0);
  for (std::size_t i = 0, k = 0, out = 0; out < num_known + num_added; ++out) {
    const bool is_known = i < num_known && (k == num_added || known.numbers(i) < lists.added(k));
    lists.numbers(out) = is_known ? known.numbers(i) : lists.added(k);
    lists.place(out) = !is_known                    ? as_ordinal(num_known + k)
                       : known.place.extent(0) == 0 ? as_ordinal(i)
                                                    : known.place(i);
    ++(is_known ? i : k);
  }
}

}  // namespace

template <class Space>
NumbersInOrder<Space> ascending_order(const Space& exec, const GlobalNumbers<Space>& list) {
  if (ascends<Space>(exec, list)) return {list, {}};
  const auto copy = allocate<std::int64_t>(exec, merged_label, list.extent(0));
  const auto place = allocate<Ordinal>(exec, merged_label, list.extent(0));
  Kokkos::deep_copy(exec, copy, list);
  const auto ascending = sorted_once<Space>(exec, copy);
  Kokkos::parallel_for("tessera::distributed::ColumnNumbers::order",
                       Kokkos::RangePolicy<Space>(exec, 0, as_ordinal(list.extent(0))),
                       InvertOrder<Space>{list, ascending, place});
  exec.fence(merged_label);
  return {ascending, place};
}

template <class Space>
NewNumbers<Space> numbers_without(const Space& exec, const GlobalNumbers<Space>& numbers,
                                  const GlobalNumbers<Space>& known) {
  if (numbers.extent(0) == 0) return {};
  if (known.extent(0) == 0) return {numbers, 0};
  if constexpr (kernels::is_host_space<Space>) {
    return without_on_host<Space>(exec, numbers, known);
  } else {
    return without_on_device<Space>(exec, numbers, known);
  }
}

template <class Space>
NumbersInOrder<Space> merged_numbers(const Space& exec, const NumbersInOrder<Space>& known,
                                     const GlobalNumbers<Space>& added) {
  const std::size_t all = known.numbers.extent(0) + added.extent(0);
  const MergeLists<Space> lists{known, added, allocate<std::int64_t>(exec, merged_label, all),
                                allocate<Ordinal>(exec, merged_label, all)};
  if constexpr (kernels::is_host_space<Space>) {
    merge_on_host<Space>(lists);
  } else {
    Kokkos::parallel_for("tessera::distributed::ColumnNumbers::merge",
                         Kokkos::RangePolicy<Space>(exec, 0, as_ordinal(all)), lists);
    exec.fence(merged_label);
  }
  return {lists.numbers, lists.place};
}

template <class Space>
NumbersInOrder<Space> kept_numbers(const Space& exec, const NumbersInOrder<Space>& given,
                                   const NonDeduced<ArrayView<const Ordinal, Space>>& marks,
                                   Ordinal first) {
  if (given.numbers.extent(0) == 0) return {};
  const Kokkos::RangePolicy<Space> range(exec, 0, as_ordinal(given.numbers.extent(0)));
  const NumberMarked<Space> marked{given, marks, first,
                                   allocate<Ordinal>(exec, merged_label, given.numbers.extent(0))};
  Ordinal count = 0;
  Kokkos::parallel_scan("tessera::distributed::ColumnNumbers::number_kept", range, marked, count);
  exec.fence(merged_label);
  const auto taken = allocate<std::int64_t>(exec, merged_label, static_cast<std::size_t>(count));
  Kokkos::parallel_for("tessera::distributed::ColumnNumbers::keep", range,
                       TakeMarked<Space>{marked, taken});
  exec.fence(merged_label);
  return {taken, marked.number};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, ascending_order)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbers_without)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, merged_numbers)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, kept_numbers)

}  // namespace tessera::distributed
