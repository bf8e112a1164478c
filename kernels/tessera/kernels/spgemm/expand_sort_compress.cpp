// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/expand_sort_compress.hpp"

#include <bit>

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/offset_overflow.hpp"
#include "tessera/kernels/spgemm/detail/radix_sort.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"
#include "tessera/kernels/spgemm/detail/slices.hpp"

namespace tessera::kernels {
namespace spgemm_detail {

/// Writes all products of one entry of A, in the order of A and then of B.
template <class Scalar, class Space, class Offset>
struct ExpandEntry {
  CsrView<Scalar, Space, Offset> A, B;
  SliceMark begin, end;
  int column_bits;
  ArrayView<const std::int64_t, Space> starts;
  ArrayView<SortKey, Space> keys;
  ArrayView<Scalar, Space> products;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    // The last row that starts at k or before it: empty rows have no entry to be found by.
    const std::int64_t row = lower_bound(A.offsets, begin.row, end.row, k + 1) - 1;
    const SortKey row_key = static_cast<SortKey>(row - begin.row) << column_bits;
    const Ordinal middle = A.columns(k);
    const Scalar factor = A.values(k);
    std::int64_t place = starts(k) - begin.product;
    for (Offset j = B.offsets(middle); j < B.offsets(middle + 1); ++j, ++place) {
      keys(place) = row_key | static_cast<SortKey>(B.columns(j));
      products(place) = factor * B.values(j);
    }
  }
};

/// heads(p) = where the p-th run of equal keys begins.
template <class Space>
struct ListHeads {
  ArrayView<const SortKey, Space> keys;
  ArrayView<std::int64_t, Space> heads;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& position, bool final) const {
    if (i > 0 && keys(i) == keys(i - 1)) return;
    if (final) heads(position) = i;
    ++position;
  }
};

/// Sums each run.
template <class Scalar, class Space>
struct CompressRun {
  ArrayView<const SortKey, Space> keys;
  ArrayView<const Scalar, Space> products;
  ArrayView<const std::int64_t, Space> heads;
  std::int64_t num_products, num_runs;
  int column_bits;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(std::int64_t run) const {
    const std::int64_t begin = heads(run);
    const std::int64_t end = run + 1 < num_runs ? heads(run + 1) : num_products;
    Scalar sum = products(begin);
    for (std::int64_t i = begin + 1; i < end; ++i)
      sum += products(i);
    columns(run) = static_cast<Ordinal>(keys(begin) & ((SortKey(1) << column_bits) - 1));
    values(run) = sum;
  }
};

/// sizes(row) = the number of runs among the products of the row, which sorting keeps together.
template <class Space, class Offset>
struct CountRuns {
  ArrayView<const Offset, Space> a_offsets;
  ArrayView<const std::int64_t, Space> starts;
  ArrayView<const std::int64_t, Space> heads;
  std::int64_t first_product, num_runs;
  ArrayView<Ordinal, Space> sizes;

  KOKKOS_FUNCTION void operator()(Ordinal row) const {
    const std::int64_t begin = starts(a_offsets(row)) - first_product;
    const std::int64_t end = starts(a_offsets(row + 1)) - first_product;
    const std::int64_t first_run = lower_bound(heads, 0, num_runs, begin);
    sizes(row) = static_cast<Ordinal>(lower_bound(heads, first_run, num_runs, end) - first_run);
  }
};

template <class Scalar, class Space>
struct SlicePiece {
  Array<Ordinal, Space> columns;
  Array<Scalar, Space> values;
};

/// Prefix sums of products over the entries of A.
template <class Scalar, class Space, class Offset>
Array<std::int64_t, Space> product_starts(const Space& exec,
                                          const CsrView<Scalar, Space, Offset>& A,
                                          const CsrView<Scalar, Space, Offset>& B) {
  const auto starts =
      allocate<std::int64_t>(exec, "tessera::spgemm::product_starts", A.num_entries + 1);
  Kokkos::parallel_scan(
      "tessera::spgemm::product_starts",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, A.num_entries + 1),
      StartProducts<Space, Offset>{A.columns, B.offsets, starts});
  return starts;
}

/// The marks of all slices and one past the last, on the host.
template <class Scalar, class Space, class Offset>
std::vector<SliceMark> slices_of(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                 const Array<std::int64_t, Space>& starts, std::int64_t workspace) {
  if (A.num_rows == 0) return {};
  std::int64_t total = 0;
  Kokkos::deep_copy(exec, total, Kokkos::subview(starts, A.num_entries));
  exec.fence("tessera::spgemm: the number of products is on the host");
  // Any two neighbours exceed the workspace together.
  const std::int64_t most = std::min<std::int64_t>(A.num_rows, 2 * (total / workspace) + 1);
  const auto marks = allocate<SliceMark>(exec, "tessera::spgemm::slices", most + 1);
  const auto num_slices = allocate<Ordinal>(exec, "tessera::spgemm::num_slices", 1);
  Kokkos::parallel_for(
      "tessera::spgemm::mark_slices", Kokkos::RangePolicy<Space>(exec, 0, 1),
      MarkSlices<Space, Offset>{A.num_rows, workspace, A.offsets, starts, marks, num_slices});
  const auto host_marks = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, marks);
  const auto host_num = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, num_slices);
  Kokkos::deep_copy(exec, host_marks, marks);
  Kokkos::deep_copy(exec, host_num, num_slices);
  exec.fence("tessera::spgemm: the slices are on the host");
  return {host_marks.data(), host_marks.data() + host_num(0) + 1};
}

/// Expands, sorts and compresses one slice.
template <class Scalar, class Space, class Offset>
SlicePiece<Scalar, Space> multiply_slice(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                         const CsrView<Scalar, Space, Offset>& B,
                                         const SliceMark& begin, const SliceMark& end,
                                         const Array<std::int64_t, Space>& starts,
                                         SortBuffers<Scalar, Space>& buffers,
                                         const Array<std::int64_t, Space>& heads,
                                         const Array<Ordinal, Space>& sizes) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t num_products = end.product - begin.product;
  const int column_bits = std::bit_width(static_cast<unsigned>(std::max(B.num_cols - 1, 0)));
  const int row_bits = std::bit_width(static_cast<unsigned>(end.row - begin.row - 1));
  Kokkos::parallel_for("tessera::spgemm::expand", Policy(exec, begin.entry, end.entry),
                       ExpandEntry<Scalar, Space, Offset>{A, B, begin, end, column_bits, starts,
                                                          buffers.keys, buffers.values});
  radix_sort(exec, buffers, num_products, column_bits + row_bits);

  std::int64_t num_runs = 0;
  Kokkos::parallel_scan("tessera::spgemm::list_heads", Policy(exec, 0, num_products),
                        ListHeads<Space>{buffers.keys, heads}, num_runs);
  exec.fence("tessera::spgemm: the number of entries of a slice is on the host");
  SlicePiece<Scalar, Space> piece{
      allocate<Ordinal>(exec, "tessera::spgemm::slice_columns", num_runs),
      allocate<Scalar>(exec, "tessera::spgemm::slice_values", num_runs)};
  Kokkos::parallel_for(
      "tessera::spgemm::compress", Policy(exec, 0, num_runs),
      CompressRun<Scalar, Space>{buffers.keys, buffers.values, heads, num_products, num_runs,
                                 column_bits, piece.columns, piece.values});
  Kokkos::parallel_for(
      "tessera::spgemm::count_runs",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, begin.row, end.row),
      CountRuns<Space, Offset>{A.offsets, starts, heads, begin.product, num_runs, sizes});
  return piece;
}

/// C = [C(slice 0, :); C(slice 1, :); …]
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> concatenate(const Space& exec, Ordinal num_rows, Ordinal num_cols,
                                       const Array<Ordinal, Space>& sizes,
                                       const std::vector<SlicePiece<Scalar, Space>>& pieces) {
  std::size_t total = 0;
  for (const auto& piece : pieces)
    total += piece.columns.extent(0);
  require_countable<Offset>(static_cast<std::int64_t>(total), "the product");
  const auto offsets = allocate<Offset>(exec, "tessera::spgemm::offsets", num_rows + 1);
  offsets_from_counts<Space, Offset>(exec, sizes, offsets);
  if (pieces.size() == 1) return {num_rows, num_cols, offsets, pieces[0].columns, pieces[0].values};
  const auto columns = allocate<Ordinal>(exec, "tessera::spgemm::columns", total);
  const auto values = allocate<Scalar>(exec, "tessera::spgemm::values", total);
  std::size_t begin = 0;
  for (const auto& piece : pieces) {
    const auto range = Kokkos::make_pair(begin, begin + piece.columns.extent(0));
    Kokkos::deep_copy(exec, Kokkos::subview(columns, range), piece.columns);
    Kokkos::deep_copy(exec, Kokkos::subview(values, range), piece.values);
    begin = range.second;
  }
  return {num_rows, num_cols, offsets, columns, values};
}

}  // namespace spgemm_detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> expand_sort_compress_spgemm(const Space& exec,
                                                       const CsrView<Scalar, Space, Offset>& A,
                                                       const CsrView<Scalar, Space, Offset>& B,
                                                       std::int64_t workspace_products) {
  using namespace spgemm_detail;
  require_inner_dimension(A, B);
  require(workspace_products > 0, [&] {
    return "workspace_products is to be positive, but is " + std::to_string(workspace_products);
  });
  const auto starts = product_starts(exec, A, B);
  const std::vector<SliceMark> slices = slices_of(exec, A, starts, workspace_products);
  std::int64_t capacity = 0;
  for (std::size_t s = 0; s + 1 < slices.size(); ++s)
    capacity = std::max(capacity, slices[s + 1].product - slices[s].product);
  SortBuffers<Scalar, Space> buffers(exec, capacity);
  const auto heads = allocate<std::int64_t>(exec, "tessera::spgemm::heads", capacity);
  const auto sizes = allocate<Ordinal>(exec, "tessera::spgemm::sizes", A.num_rows);
  std::vector<SlicePiece<Scalar, Space>> pieces;
  for (std::size_t s = 0; s + 1 < slices.size(); ++s)
    pieces.push_back(
        multiply_slice(exec, A, B, slices[s], slices[s + 1], starts, buffers, heads, sizes));
  return concatenate<Scalar, Space, Offset>(exec, A.num_rows, B.num_cols, sizes, pieces);
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template Csr<SCALAR, SPACE, OFFSET> expand_sort_compress_spgemm(                                \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&, \
      std::int64_t);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
