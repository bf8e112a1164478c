// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/local_numbers.hpp"

#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/sorted_share.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

using Offset = std::int64_t;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

/// Entry i of a list.
template <class T, class Space>
T entry_of(const Space& exec, const ArrayView<const T, Space>& list, std::size_t i) {
  T entry{};
  Kokkos::deep_copy(exec, entry, Kokkos::subview(list, i));
  exec.fence("tessera::distributed::entry_of");
  return entry;
}

template <class Space>
struct Decreases {
  ArrayView<const Offset, Space> offsets;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return offsets(i + 1) < offsets(i); }
};

/// Throws unless these are offsets of rows with so many entries.
template <class Space>
void check_offsets(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                   std::size_t columns, std::size_t values) {
  if (columns != values)
    refuse("there are " + std::to_string(columns) + " columns and " + std::to_string(values) +
           " values");
  if (offsets.extent(0) > static_cast<std::size_t>(std::numeric_limits<Ordinal>::max()))
    refuse(std::to_string(offsets.extent(0) - 1) + " rows are too many for one process");
  const Offset first = offsets.extent(0) > 0 ? entry_of<Offset>(exec, offsets, 0) : 0;
  if (first != 0) refuse("the first offset is " + std::to_string(first));
  const std::size_t n = offsets.extent(0) > 0 ? offsets.extent(0) - 1 : 0;
  const Offset row = first_where(exec, n, Decreases<Space>{offsets});
  if (row != nowhere) refuse("the offsets decrease after row " + std::to_string(row));
  const Offset last = offsets.extent(0) > 0 ? entry_of<Offset>(exec, offsets, n) : 0;
  if (last != static_cast<Offset>(columns))
    refuse("the last offset is " + std::to_string(last) + ", and there are " +
           std::to_string(columns) + " columns");
}

/// Of a sorted row that has a column twice.
template <class Space>
[[noreturn]] void refuse_twice(const Space& exec, const LocalRows<Space>& rows,
                               const ColumnNumbers& numbers, Ordinal row, Offset first) {
  auto e =
      static_cast<std::size_t>(entry_of<Offset>(exec, rows.offsets, static_cast<std::size_t>(row)));
  while (entry_of<Ordinal>(exec, rows.columns, e) != entry_of<Ordinal>(exec, rows.columns, e + 1))
    ++e;
  refuse("row " + std::to_string(first + row) + " has column " +
         std::to_string(numbers.global(entry_of<Ordinal>(exec, rows.columns, e))) + " twice");
}

}  // namespace

template <class Space>
Numbered<Space> numbered(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                         const ShareOfRows<Space>& rows) {
  on_all_processes(*processes, [&] {
    check_offsets<Space>(exec, rows.offsets, rows.columns.extent(0), rows.values.extent(0));
  });
  const auto n = static_cast<Ordinal>(std::max<std::size_t>(rows.offsets.extent(0), 1) - 1);
  const auto shares = std::make_shared<const Partition>(*processes, n);
  ColumnNumbers numbers(shares->first(), n);
  SortedShare<Space> sorted;
  on_all_processes(*processes, [&] {
    if (n < shares->size())
      numbers = ColumnNumbers(shares->first(), n,
                              numbers_of_others<Space>(exec, rows.columns, shares->first(), n));
    sorted = sorted_share(exec, rows, numbers, shares->size());
    if (sorted.outside != nowhere)
      refuse("a column is " +
             std::to_string(
                 entry_of<Offset>(exec, rows.columns, static_cast<std::size_t>(sorted.outside))) +
             "; there are " + std::to_string(shares->size()) + " rows in all");
    if (sorted.twice != nowhere)
      refuse_twice(exec, sorted.rows, numbers, static_cast<Ordinal>(sorted.twice), shares->first());
  });
  return {matrix_of(processes, sorted.rows, shares, shares, numbers), sorted.place};
}

template <class Space>
Matrix<Space> with_values(const Space& exec, const Numbered<Space>& numbered,
                          const ArrayView<const double, Space>& values) {
  Matrix<Space> made = numbered.matrix;
  on_all_processes(*made.processes, [&] {
    if (values.extent(0) != numbered.place.extent(0))
      refuse("there are " + std::to_string(values.extent(0)) + " values, and " +
             std::to_string(numbered.place.extent(0)) + " entries");
    made.rows.values = values_at<Space>(exec, numbered.place, values);
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbered)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, with_values)

}  // namespace tessera::distributed
