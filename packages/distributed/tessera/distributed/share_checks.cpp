// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/share_checks.hpp"

#include "tessera/distributed/first_where.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <limits>

namespace tessera::distributed {

void refuse_share(const std::string& message) { throw Error(ErrorKind::precondition, message); }

namespace {

using Offset = std::int64_t;

template <class Space>
struct Decreases {
  ArrayView<const Offset, Space> offsets;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return offsets(i + 1) < offsets(i); }
};

}  // namespace

template <class Space>
void check_offsets(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                   std::size_t columns, std::size_t values) {
  if (columns != values)
    refuse_share("there are " + std::to_string(columns) + " columns and " + std::to_string(values) +
                 " values");
  if (offsets.extent(0) > static_cast<std::size_t>(std::numeric_limits<Ordinal>::max()))
    refuse_share(std::to_string(offsets.extent(0) - 1) + " rows are too many for one process");
  const Offset first = offsets.extent(0) > 0 ? entry_of<Offset>(exec, offsets, 0) : 0;
  if (first != 0) refuse_share("the first offset is " + std::to_string(first));
  const std::size_t n = offsets.extent(0) > 0 ? offsets.extent(0) - 1 : 0;
  const Offset row = first_where(exec, n, Decreases<Space>{offsets});
  if (row != nowhere) refuse_share("the offsets decrease after row " + std::to_string(row));
  const Offset last = offsets.extent(0) > 0 ? entry_of<Offset>(exec, offsets, n) : 0;
  if (last != static_cast<Offset>(columns))
    refuse_share("the last offset is " + std::to_string(last) + ", and there are " +
                 std::to_string(columns) + " columns");
}

template <class Space>
void refuse_twice(const Space& exec, const LocalRows<Space>& rows,
                  const ColumnNumbers<Space>& numbers, Ordinal row, Offset first) {
  auto e =
      static_cast<std::size_t>(entry_of<Offset>(exec, rows.offsets, static_cast<std::size_t>(row)));
  while (entry_of<Ordinal>(exec, rows.columns, e) != entry_of<Ordinal>(exec, rows.columns, e + 1))
    ++e;
  refuse_share("row " + std::to_string(first + row) + " has column " +
               std::to_string(numbers.global(exec, entry_of<Ordinal>(exec, rows.columns, e))) +
               " twice");
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, check_offsets)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, refuse_twice)

}  // namespace tessera::distributed
