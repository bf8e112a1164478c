// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/bsr/bsr_spmv.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/spmv/detail/column_dots.hpp"
#include "tessera/kernels/spmv/detail/column_sums.hpp"
#include "tessera/kernels/spmv/detail/epilogues.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels {
namespace detail {

/// A row of the blocks of its block row, times `N` columns of x: lane after lane an entry, so that
/// those of a group read a block's row side by side, and groups beside it the block's other rows.
template <int N, class Scalar, class Offset, class Epilogue>
struct RowOfBlocksProduct {
  const Offset* offsets;
  const Ordinal* columns;
  const Scalar* values;
  const Scalar* x;  ///< from the first of the columns on
  std::size_t ldx;
  Ordinal block_size;
  int first_column;
  Epilogue epilogue;

  KOKKOS_FUNCTION void operator()(const Ordinal row) const { (*this)(LaneGroup(1, 0), row); }

  /// Without a row, -1, to keep step with the groups beside.
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, const Ordinal row) const {
    const Ordinal block_row = row < 0 ? 0 : row / block_size;
    const Ordinal row_in_block = row - block_row * block_size;
    const Offset end = row < 0 ? 0 : offsets[block_row + 1];
    // Every group.size() entries on, without a division for each.
    const Ordinal blocks_on = group.size() / block_size;
    const Ordinal columns_on = group.size() - blocks_on * block_size;
    Offset block = (row < 0 ? 0 : offsets[block_row]) + group.lane() / block_size;
    Ordinal column = group.lane() % block_size;
    ColumnSums<Scalar, N> sums;
    while (block < end) {
      const std::size_t first = (static_cast<std::size_t>(block) * block_size + row_in_block) *
                                static_cast<std::size_t>(block_size);
      const Scalar value = values[first + column];
      const std::size_t entry =
          static_cast<std::size_t>(columns[block]) * static_cast<std::size_t>(block_size) + column;
      for (int c = 0; c < N; ++c)
        sums.value[c] += value * x[entry + c * ldx];
      block += blocks_on;
      column += columns_on;
      if (column >= block_size) {
        column -= block_size;
        ++block;
      }
    }
    for (int c = 0; c < N; ++c) {
      const Scalar sum = group.sum(sums.value[c]);
      if (row >= 0 && group.lane() == 0) epilogue(row, first_column + c, sum);
    }
  }
};

/// Lanes of a device that share a row: each has four to eight of its entries, on average. 0 on a
/// host.
template <class Scalar, class Space, class Offset>
int lanes_of_a_row(const BsrView<Scalar, Space, Offset>& A) {
  if (is_host_space<Space>) return 0;
  const double entries_per_row =
      static_cast<double>(A.num_entries()) / std::max<Ordinal>(1, A.num_rows());
  int lanes = 1;
  while (lanes < 32 && 8 * lanes < entries_per_row)
    lanes *= 2;
  return lanes;
}

/// Calls epilogue(row, column, (A x)(row, column)) for every row and every column of `x`.
template <class Scalar, class Space, class Offset, class Epilogue>
void sweep(const Space& exec, const char* label, const BsrView<Scalar, Space, Offset>& A,
           const ConstMultiVectorView<Scalar, Space>& x, const Epilogue& epilogue) {
  const int lanes = lanes_of_a_row(A);
  for_column_groups(static_cast<int>(x.extent(1)), [&](auto columns, int first) {
    const RowOfBlocksProduct<columns.value, Scalar, Offset, Epilogue> product{
        A.offsets.data(), A.columns.data(), A.values.data(), x.data() + first * x.stride(1),
        x.stride(1),      A.block_size,     first,           epilogue};
    for_each_row(exec, label, A.num_rows(), lanes, product);
  });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void bsr_spmv(const Space& exec, NonDeduced<Scalar> alpha, const BsrView<Scalar, Space, Offset>& A,
              const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
              const NonDeduced<MultiVectorView<Scalar, Space>>& y) {
  require_whole(A);
  detail::require_shape(x, "x", A.num_cols(), x.extent(1));
  detail::require_shape(y, "y", A.num_rows(), x.extent(1));
  if (alpha == Scalar(0)) {
    detail::scale_in_place<Scalar, Space>(exec, beta, y);
    return;
  }
  detail::sweep(exec, "tessera::spmv", A, x,
                detail::ScaleAdd<Scalar>{alpha, beta, detail::Columns<Scalar>(y)});
}

template <class Scalar, class Space, class Offset>
void bsr_residual(const Space& exec, const BsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& b,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& r) {
  require_whole(A);
  detail::require_shape(x, "x", A.num_cols(), x.extent(1));
  detail::require_shape(b, "b", A.num_rows(), x.extent(1));
  detail::require_shape(r, "r", A.num_rows(), x.extent(1));
  detail::sweep(
      exec, "tessera::residual", A, x,
      detail::SubtractFrom<Scalar>{detail::Columns<const Scalar>(b), detail::Columns<Scalar>(r)});
}

template <class Scalar, class Space, class Offset>
void bsr_spmv_dot(const Space& exec, const BsrView<Scalar, Space, Offset>& A,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& y,
                  const NonDeduced<ArrayView<Scalar, Space>>& result) {
  require(A.num_block_rows == A.num_block_cols, [&] {
    return "A has " + std::to_string(A.num_block_rows) + " by " + std::to_string(A.num_block_cols) +
           " blocks, expected a square A";
  });
  detail::require_result(result, x.extent(1));
  bsr_spmv(exec, Scalar(1), A, x, Scalar(0), y);
  detail::dot_columns<Scalar, Space>(exec, x, y, result);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                                \
  template void bsr_spmv(const Space&, NonDeduced<Scalar>, const BsrView<Scalar, Space, Offset>&, \
                         const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,                  \
                         NonDeduced<Scalar>, const NonDeduced<MultiVectorView<Scalar, Space>>&);  \
  template void bsr_residual(const Space&, const BsrView<Scalar, Space, Offset>&,                 \
                             const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,              \
                             const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,              \
                             const NonDeduced<MultiVectorView<Scalar, Space>>&);                  \
  template void bsr_spmv_dot(const Space&, const BsrView<Scalar, Space, Offset>&,                 \
                             const NonDeduced<ConstMultiVectorView<Scalar, Space>>&,              \
                             const NonDeduced<MultiVectorView<Scalar, Space>>&,                   \
                             const NonDeduced<ArrayView<Scalar, Space>>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
