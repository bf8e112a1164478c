// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/local_numbers.hpp"

#include "tessera/distributed/numbers_of_others.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/share_checks.hpp"
#include "tessera/distributed/sorted_share.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <string>

namespace tessera::distributed {

template <class Space>
Numbered<Space> numbered(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                         const ShareOfRows<Space>& rows) {
  on_all_processes(*processes, [&] {
    check_offsets<Space>(exec, rows.offsets, rows.columns.extent(0), rows.values.extent(0));
  });
  const auto n = static_cast<Ordinal>(std::max<std::size_t>(rows.offsets.extent(0), 1) - 1);
  const auto shares = std::make_shared<const Partition>(*processes, n);
  ColumnNumbers<Space> numbers(shares->first(), n);
  SortedShare<Space> sorted;
  on_all_processes(*processes, [&] {
    if (n < shares->size())
      numbers = ColumnNumbers<Space>(
          shares->first(), n, numbers_of_others<Space>(exec, rows.columns, shares->first(), n));
    sorted = sorted_share(exec, rows, numbers, shares->size());
    if (sorted.outside != nowhere)
      refuse_share("a column is " +
                   std::to_string(entry_of<std::int64_t>(
                       exec, rows.columns, static_cast<std::size_t>(sorted.outside))) +
                   "; there are " + std::to_string(shares->size()) + " rows in all");
    if (sorted.twice != nowhere)
      refuse_twice(exec, sorted.rows, numbers, static_cast<Ordinal>(sorted.twice), shares->first());
  });
  return {matrix_of(exec, processes, sorted.rows, shares, shares, numbers), sorted.place};
}

template <class Space>
Matrix<Space> with_values(const Space& exec, const Numbered<Space>& numbered,
                          const ArrayView<const double, Space>& values) {
  Matrix<Space> made = numbered.matrix;
  on_all_processes(*made.processes, [&] {
    if (values.extent(0) != numbered.place.extent(0))
      refuse_share("there are " + std::to_string(values.extent(0)) + " values, and " +
                   std::to_string(numbered.place.extent(0)) + " entries");
    made.rows.values = values_at<Space>(exec, numbered.place, values);
  });
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, numbered)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, with_values)

}  // namespace tessera::distributed
