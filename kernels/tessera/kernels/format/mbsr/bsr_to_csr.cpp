// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/mbsr/bsr_to_csr.hpp"

#include <limits>
#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

/// Writes one row of entries.
template <class Scalar, class Space, class Offset>
struct RowOfBlocks {
  BsrView<Scalar, Space, Offset> A;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;

  KOKKOS_INLINE_FUNCTION void operator()(Ordinal row) const {
    const Ordinal size = A.block_size;
    const Offset begin = A.offsets(row / size);
    const Offset end = A.offsets(row / size + 1);
    const Ordinal r = row % size;
    Offset next = begin * size * size + r * size * (end - begin);
    offsets(row) = next;
    if (row == size * A.num_block_rows - 1) offsets(row + 1) = end * size * size;
    for (Offset block = begin; block < end; ++block) {
      const std::size_t first = (static_cast<std::size_t>(block) * size + r) * size;
      for (Ordinal c = 0; c < size; ++c, ++next) {
        columns(next) = A.columns(block) * size + c;
        values(next) = A.values(first + c);
      }
    }
  }
};

/// Throws unless `count` things, named by `what`, can be counted by `Integer`.
template <class Integer>
void require_integers(std::size_t count, const char* what) {
  require(count <= static_cast<std::size_t>(std::numeric_limits<Integer>::max()), [&] {
    return "A has " + std::to_string(count) + " " + what + ", more than " +
           std::to_string(8 * sizeof(Integer)) + " bits can count";
  });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> bsr_to_csr(const Space& exec, const BsrView<Scalar, Space, Offset>& A) {
  require(A.block_size >= 1, [&] {
    return "A has blocks of size " + std::to_string(A.block_size) + ", expected 1 or more";
  });
  const std::size_t size = A.block_size;
  const std::size_t num_entries = A.num_entries();
  detail::require_integers<Ordinal>(size * A.num_block_rows, "rows");
  detail::require_integers<Ordinal>(size * A.num_block_cols, "columns");
  detail::require_integers<Offset>(num_entries, "entries");
  const Ordinal num_rows = A.num_rows();
  require(A.offsets.extent(0) == A.num_block_rows + 1ul && A.columns.extent(0) >= A.num_blocks &&
              A.values.extent(0) >= num_entries,
          [&] {
            return "A has offsets, columns and values of lengths " +
                   std::to_string(A.offsets.extent(0)) + ", " +
                   std::to_string(A.columns.extent(0)) + " and " +
                   std::to_string(A.values.extent(0)) + ", too few for " +
                   std::to_string(A.num_block_rows) + " block rows and " +
                   std::to_string(A.num_blocks) + " blocks";
          });
  const detail::RowOfBlocks<Scalar, Space, Offset> work{
      A, allocate<Offset>(exec, "tessera::offsets", num_rows + 1ul),
      allocate<Ordinal>(exec, "tessera::columns", num_entries),
      allocate<Scalar>(exec, "tessera::values", num_entries)};
  if (num_rows == 0) Kokkos::deep_copy(exec, work.offsets, Offset(0));
  Kokkos::parallel_for("tessera::bsr_to_csr", Kokkos::RangePolicy<Space>(exec, 0, num_rows), work);
  return {num_rows, A.num_cols(), work.offsets, work.columns, work.values};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, bsr_to_csr)

}  // namespace tessera::kernels
