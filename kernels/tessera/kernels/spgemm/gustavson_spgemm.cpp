// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/throwing_parallel_for.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/spgemm/detail/chunks.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"
#include "tessera/kernels/spgemm/detail/row_order.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"
#include "tessera/kernels/spgemm/detail/whole_blocks.hpp"

namespace tessera::kernels {
namespace spgemm_detail {

/// A mark a column for each thread: where the column's entry lies. Unsigned, as a distance between
/// marks may wrap.
template <class Space, class Offset>
struct ThreadMarks {
  using Mark = std::make_unsigned_t<Offset>;

  ThreadToken<Space> token;
  Array<Mark, Space> marks;
  std::size_t num_cols;

  ThreadMarks(const Space& exec, Ordinal columns)
      : token(exec),
        marks(allocate<Mark>(exec, "tessera::spgemm::marks",
                             static_cast<std::size_t>(token.size()) * columns)),
        num_cols(columns) {
    Kokkos::deep_copy(exec, marks, ~Mark(0));
  }

  Mark* of_thread(int id) const { return marks.data() + id * num_cols; }
};

/// The rows of a chunk, end to end.
template <class Scalar>
struct ChunkRows {
  std::vector<Ordinal> columns;
  std::vector<Scalar> values;
};

/// What a thread keeps from one row, and from one chunk, to the next.
template <class Scalar, class Mark>
struct ThreadRows {
  ChunkRows<Scalar> row;  ///< one row, its columns in the order in which they first occur
  ChunkRows<Scalar> chunk;  ///< as many as the chunk has products
  RowOrder order;
  Mark next_mark = 0;  ///< the marks of earlier rows are less
};

/// Sums and sorts the rows of a chunk in one pass. With `width` above 1 B is of whole blocks of so
/// many columns: a mark, an entry of the order and a column stand for a block each.
template <class Scalar, class Space, class Offset, int width = 1>
struct MultiplyChunk {
  using Mark = typename ThreadMarks<Space, Offset>::Mark;
  using Work = ThreadRows<Scalar, Mark>;

  CsrView<Scalar, Space, Offset> A, B;
  ThreadMarks<Space, Offset> marks;
  Work* works;  ///< one per thread
  ChunkRows<Scalar>* chunks;  ///< one a chunk
  ArrayView<Ordinal, Space> sizes;
  bool sorts;

  void operator()(Ordinal chunk) const {
    const int id = marks.token.acquire();
    Work& work = works[id];
    const Ordinal first = chunk * rows_per_chunk;
    const Ordinal last = first + std::min(rows_per_chunk, A.num_rows - first);
    make_room(work, first, last);
    std::size_t filled = 0;
    for (Ordinal row = first; row < last; ++row) {
      Ordinal* const columns = work.chunk.columns.data() + filled;
      Scalar* const values = work.chunk.values.data() + filled;
      Mark* const mark = marks.of_thread(id);
      Ordinal size = 0;
      if (sorts) {
        Ordinal* const columns_as_met = work.row.columns.data();
        Scalar* const values_as_met = work.row.values.data();
        size = sum_row(row, work, mark, columns_as_met, values_as_met);
        work.order.sort(columns_as_met, size, columns);
        work.order.template gather<width>(values_as_met, size, values);
      } else {
        size = sum_row(row, work, mark, columns, values);
      }
      write_columns_of_blocks(columns, size);
      sizes(row) = size * width;
      filled += static_cast<std::size_t>(size) * width;
    }
    chunks[chunk].columns.assign(work.chunk.columns.data(), work.chunk.columns.data() + filled);
    chunks[chunk].values.assign(work.chunk.values.data(), work.chunk.values.data() + filled);
    marks.token.release(id);
  }

  /// Grows the buffers to the numbers of products, or columns if these are fewer, and one more,
  /// which a sum may be begun in.
  void make_room(Work& work, Ordinal first, Ordinal last) const {
    std::size_t of_chunk = 0, of_row = 0;
    for (Ordinal row = first; row < last; ++row) {
      std::size_t products = 0;
      for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k)
        products += B.offsets(A.columns(k) + 1) - B.offsets(A.columns(k));
      products = std::min<std::size_t>(products, B.num_cols);
      of_chunk += products;
      of_row = std::max(of_row, products);
    }
    grow(work.chunk, of_chunk + 1);
    if (!sorts) return;
    grow(work.row, of_row + 1);
    work.order.reserve(of_row);
  }

  static void grow(ChunkRows<Scalar>& rows, std::size_t size) {
    if (rows.columns.size() >= size) return;
    rows.columns.resize(size);
    rows.values.resize(size);
  }

  /// From the first column of each block all of them.
  static void write_columns_of_blocks(Ordinal* columns, Ordinal num_blocks) {
    if constexpr (width == 1) return;
    for (Ordinal b = num_blocks; b-- > 0;) {
      const Ordinal first = columns[b];
      for (Ordinal c = 0; c < width; ++c)
        columns[b * width + c] = first + c;
    }
  }

  /// Returns the row's blocks. A mark of another row of this thread points outside this row.
  Ordinal sum_row(Ordinal row, Work& work, Mark* mark, Ordinal* row_columns,
                  Scalar* row_values) const {
    const Ordinal* const b_columns = B.columns.data();
    const Scalar* const b_values = B.values.data();
    const Mark begin = work.next_mark;
    Mark size = 0;
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      const Ordinal middle = A.columns(k);
      const Scalar factor = A.values(k);
      const Offset end = B.offsets(middle + 1);
      for (Offset j = B.offsets(middle); j < end; j += width) {
        const Ordinal column = b_columns[j];
        const Mark position = mark[column] - begin;
        if constexpr (width == 1) {
          // Without a branch: which columns are new is hard to foretell. -0 adds nothing to any
          // number, and keeps the sign of a zero.
          const Mark place = position < size ? position : size;
          mark[column] = begin + place;
          row_columns[place] = column;
          row_values[size] = Scalar(-0.0);
          row_values[place] += factor * b_values[j];
          size += place == size ? 1 : 0;
        } else if (position < size) {
          for (int c = 0; c < width; ++c)
            row_values[position * width + c] += factor * b_values[j + c];
        } else {
          mark[column] = begin + size;
          row_columns[size] = column;
          for (int c = 0; c < width; ++c)
            row_values[size * width + c] = factor * b_values[j + c];
          ++size;
        }
      }
    }
    work.next_mark = begin + size;
    return static_cast<Ordinal>(size);
  }
};

/// Copies the rows of a chunk to their place.
template <class Scalar, class Space, class Offset>
struct PlaceChunk {
  const ChunkRows<Scalar>* chunks;
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;

  void operator()(Ordinal chunk) const {
    const Offset begin = offsets(chunk * rows_per_chunk);
    std::copy(chunks[chunk].columns.begin(), chunks[chunk].columns.end(), columns.data() + begin);
    std::copy(chunks[chunk].values.begin(), chunks[chunk].values.end(), values.data() + begin);
  }
};

/// Sums the rows of a chunk into the pattern of C.
template <class Scalar, class Space, class Offset>
struct RefillChunk {
  using Mark = typename ThreadMarks<Space, Offset>::Mark;

  CsrView<Scalar, Space, Offset> A, B, C;
  ThreadMarks<Space, Offset> marks;
  ArrayView<Scalar, Space> values;

  void operator()(Ordinal chunk) const {
    const int id = marks.token.acquire();
    const Ordinal first = chunk * rows_per_chunk;
    const Ordinal last = first + std::min(rows_per_chunk, A.num_rows - first);
    for (Ordinal row = first; row < last; ++row)
      refill(row, marks.of_thread(id));
    marks.token.release(id);
  }

  void refill(Ordinal row, Mark* mark) const {
    for (Offset entry = C.offsets(row); entry < C.offsets(row + 1); ++entry) {
      mark[C.columns(entry)] = static_cast<Mark>(entry);
      values(entry) = Scalar(0);
    }
    const Ordinal* const b_columns = B.columns.data();
    const Scalar* const b_values = B.values.data();
    Scalar* const c_values = values.data();
    for (Offset k = A.offsets(row); k < A.offsets(row + 1); ++k) {
      const Ordinal middle = A.columns(k);
      const Scalar factor = A.values(k);
      const Offset end = B.offsets(middle + 1);
      for (Offset j = B.offsets(middle); j < end; ++j)
        c_values[mark[b_columns[j]]] += factor * b_values[j];
    }
  }
};

}  // namespace spgemm_detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> gustavson_spgemm(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            RowsOfProduct rows) {
  using namespace spgemm_detail;
  require_inner_dimension(A, B);
  const ThreadMarks<Space, Offset> marks(exec, B.num_cols);
  std::vector<ThreadRows<Scalar, typename ThreadMarks<Space, Offset>::Mark>> works(
      marks.token.size());
  const auto policy = chunk_policy(exec, A.num_rows);
  std::vector<ChunkRows<Scalar>> chunks(policy.end());
  const auto sizes = allocate<Ordinal>(exec, "tessera::spgemm::sizes", A.num_rows);
  const auto multiply = [&]<int width>(std::integral_constant<int, width>) {
    throwing_parallel_for(
        "tessera::spgemm::multiply", policy,
        MultiplyChunk<Scalar, Space, Offset, width>{A, B, marks, works.data(), chunks.data(), sizes,
                                                    rows == RowsOfProduct::sorted});
  };
  if (has_blocks(exec, B, 6))
    multiply(std::integral_constant<int, 6>());
  else if (has_blocks(exec, B, 3))
    multiply(std::integral_constant<int, 3>());
  else
    multiply(std::integral_constant<int, 1>());
  const std::int64_t total = sum_of_sizes<Space>(exec, sizes);
  require_countable<Offset>(total, "the product");

  const auto offsets = allocate<Offset>(exec, "tessera::spgemm::offsets", A.num_rows + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::spgemm::columns", total);
  const auto values = allocate<Scalar>(exec, "tessera::spgemm::values", total);
  offsets_from_counts<Space, Offset>(exec, sizes, offsets);
  Kokkos::parallel_for("tessera::spgemm::place", policy,
                       PlaceChunk<Scalar, Space, Offset>{chunks.data(), offsets, columns, values});
  exec.fence("tessera::spgemm: the rows of the chunks end here");
  return {A.num_rows, B.num_cols, offsets, columns, values};
}

template <class Scalar, class Space, class Offset>
void gustavson_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                       const CsrView<Scalar, Space, Offset>& B,
                       const Csr<Scalar, Space, Offset>& C) {
  using namespace spgemm_detail;
  const ThreadMarks<Space, Offset> marks(exec, B.num_cols);
  Kokkos::parallel_for("tessera::spgemm::refill", chunk_policy(exec, A.num_rows),
                       RefillChunk<Scalar, Space, Offset>{A, B, C.view(), marks, C.values});
  exec.fence("tessera::spgemm: the marks of the threads end here");
}

TESSERA_DETAIL_MATRICES_HOST(TESSERA_INSTANTIATE_FUNCTION, gustavson_spgemm)
TESSERA_DETAIL_MATRICES_HOST(TESSERA_INSTANTIATE_FUNCTION, gustavson_numeric)

}  // namespace tessera::kernels
