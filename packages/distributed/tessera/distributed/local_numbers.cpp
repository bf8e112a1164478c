// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/local_numbers.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace tessera::distributed {
namespace {

template <class T, class Space>
std::vector<T> on_host(const Space& exec, const ArrayView<const T, Space>& given) {
  std::vector<T> copy(given.extent(0));
  const Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> view(
      copy.data(), copy.size());
  if (!copy.empty()) Kokkos::deep_copy(exec, view, given);
  exec.fence("tessera::distributed::on_host");
  return copy;
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

/// Throws unless these are offsets of rows with so many entries.
void check_offsets(const std::vector<std::int64_t>& offsets, std::size_t columns,
                   std::size_t values) {
  if (columns != values)
    refuse("there are " + std::to_string(columns) + " columns and " + std::to_string(values) +
           " values");
  if (offsets.size() > static_cast<std::size_t>(std::numeric_limits<Ordinal>::max()))
    refuse(std::to_string(offsets.size() - 1) + " rows are too many for one process");
  if (offsets.front() != 0) refuse("the first offset is " + std::to_string(offsets.front()));
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1])
      refuse("the offsets decrease after row " + std::to_string(i - 1));
  if (offsets.back() != static_cast<std::int64_t>(columns))
    refuse("the last offset is " + std::to_string(offsets.back()) + ", and there are " +
           std::to_string(columns) + " columns");
}

template <class Space>
void take_values(const Space& exec, const ArrayView<const std::int64_t, Space>& place,
                 const ArrayView<const double, Space>& values,
                 const ArrayView<double, Space>& taken) {
  Kokkos::parallel_for(
      "tessera::distributed::values",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, place.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { taken(e) = values(place(e)); });
  exec.fence("tessera::distributed::values");
}

}  // namespace

template <class Space>
Numbered<Space> numbered(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                         const ShareOfRows<Space>& rows) {
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> columns;
  on_all_processes(*processes, [&] {
    offsets = on_host<std::int64_t, Space>(exec, rows.offsets);
    columns = on_host<std::int64_t, Space>(exec, rows.columns);
    if (offsets.empty()) offsets = {0};
    check_offsets(offsets, columns.size(), rows.values.extent(0));
  });
  const auto n = static_cast<Ordinal>(offsets.size() - 1);
  const auto shares = std::make_shared<const Partition>(*processes, n);
  ColumnNumbers numbers(shares->first(), n);
  std::vector<Ordinal> local;
  std::vector<std::int64_t> place(columns.size());
  on_all_processes(*processes, [&] {
    for (const auto column : columns)
      if (column < 0 || column >= shares->size())
        refuse("a column is " + std::to_string(column) + "; there are " +
               std::to_string(shares->size()) + " rows in all");
    const auto given = numbers.add(columns);
    std::iota(place.begin(), place.end(), 0);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      std::sort(place.begin() + offsets[i], place.begin() + offsets[i + 1],
                [&](std::int64_t a, std::int64_t b) {
                  return given[static_cast<std::size_t>(a)] < given[static_cast<std::size_t>(b)];
                });
    for (const auto entry : place)
      local.push_back(given[static_cast<std::size_t>(entry)]);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto last = local.begin() + offsets[i + 1];
      const auto twice = std::adjacent_find(local.begin() + offsets[i], last);
      if (twice != last)
        refuse("row " + std::to_string(shares->first() + static_cast<std::int64_t>(i)) +
               " has column " + std::to_string(numbers.global(*twice)) + " twice");
    }
  });
  Numbered<Space> made;
  made.place = from_host(exec, place);
  const LocalRows<Space> own{n, numbers.size(), from_host(exec, offsets), from_host(exec, local),
                             allocate<double>(exec, "tessera::distributed::values", place.size())};
  made.matrix = matrix_of(processes, own, shares, shares, numbers);
  made.matrix = with_values(exec, made, rows.values);
  return made;
}

template <class Space>
Matrix<Space> with_values(const Space& exec, const Numbered<Space>& numbered,
                          const ArrayView<const double, Space>& values) {
  Matrix<Space> made = numbered.matrix;
  on_all_processes(*made.processes, [&] {
    const auto place = numbered.place;
    if (values.extent(0) != place.extent(0))
      refuse("there are " + std::to_string(values.extent(0)) + " values, and " +
             std::to_string(place.extent(0)) + " entries");
    const auto taken = allocate<double>(exec, "tessera::distributed::values", place.extent(0));
    take_values<Space>(exec, place, values, taken);
    made.rows.values = taken;
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbered)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, with_values)

}  // namespace tessera::distributed
