// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/detail/row_bins.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/detail/row_products.hpp"

template <>
struct Kokkos::reduction_identity<tessera::kernels::spgemm_detail::SizeHistogram> {
  KOKKOS_FORCEINLINE_FUNCTION static tessera::kernels::spgemm_detail::SizeHistogram sum() {
    return {};
  }
};

namespace tessera::kernels::spgemm_detail {

template <class Space>
struct CountSizes {
  TableFill fill;
  ArrayView<const Ordinal, Space> sizes;

  KOKKOS_FUNCTION void operator()(Ordinal row, SizeHistogram& sum) const {
    sum.add(fill, sizes(row));
  }
};

template <class Space>
SizeHistogram histogram_of_sizes(const Space& exec, TableFill fill,
                                 const ArrayView<const Ordinal, Space>& sizes) {
  SizeHistogram result;
  Kokkos::parallel_reduce(
      "tessera::spgemm::histogram",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, sizes.extent(0)),
      CountSizes<Space>{fill, sizes}, Kokkos::Sum<SizeHistogram>(result));
  return result;
}

/// The first steps are rows, the others what follows them.
template <class Space>
struct CountSizesOfRuns {
  TableFill fill;
  ArrayView<const Ordinal, Space> sizes;
  ArrayView<const Ordinal, Space> run_of;

  KOKKOS_FUNCTION void operator()(std::size_t step, SizesOfRuns& sum) const {
    const std::size_t num_runs = sizes.extent(0);
    if (step < num_runs) {
      sum.histogram.add(fill, sizes(step));
    } else {
      sum.entries += sizes(run_of(step - num_runs));
    }
  }
};

template <class Space>
SizesOfRuns sizes_of_runs(const Space& exec, TableFill fill,
                          const ArrayView<const Ordinal, Space>& sizes,
                          const ArrayView<const Ordinal, Space>& run_of) {
  SizesOfRuns result;
  Kokkos::parallel_reduce("tessera::spgemm::sizes_of_runs",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(
                              exec, 0, sizes.extent(0) + run_of.extent(0)),
                          CountSizesOfRuns<Space>{fill, sizes, run_of}, result);
  return result;
}

/// Lists the rows of the classes from first_class to last_class.
template <class Space>
struct ListRowsOfBin {
  TableFill fill;
  int first_class, last_class;
  ArrayView<const Ordinal, Space> sizes;
  ArrayView<Ordinal, Space> rows;
  Ordinal first;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& position, bool final) const {
    const int mine = size_class(fill, sizes(row));
    if (mine < first_class || mine > last_class) return;
    if (final) rows(first + position) = row;
    ++position;
  }
};

template <class Space>
RowBins<Space> bin_rows(const Space& exec, TableFill fill, const SizeHistogram& histogram,
                        int max_log2_slots, const ArrayView<const Ordinal, Space>& sizes,
                        const Array<Ordinal, Space>& memory, int log2_slots_of_smallest) {
  RowBins<Space> result{group_classes(histogram, max_log2_slots, log2_slots_of_smallest), {}};
  if (result.bins.size() < 2) return result;
  const bool has_room = memory.extent(0) == sizes.extent(0);
  result.rows =
      has_room ? memory : allocate<Ordinal>(exec, "tessera::spgemm::rows", sizes.extent(0));
  for (const RowBin& bin : result.bins) {
    Kokkos::parallel_scan(
        "tessera::spgemm::list_rows",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, sizes.extent(0)),
        ListRowsOfBin<Space>{fill, bin.first_class, bin.last_class, sizes, result.rows, bin.first});
  }
  return result;
}

template <class Space, class Offset>
struct BoundRow {
  RowProducts<Space, Offset> products_of;
  std::int64_t num_cols;
  ArrayView<Ordinal, Space> bounds;

  KOKKOS_FUNCTION void operator()(Ordinal row) const { bound(LaneGroup(1, 0), row); }
  KOKKOS_FUNCTION void operator()(const LaneGroup& group, Ordinal row) const { bound(group, row); }

 private:
  KOKKOS_FUNCTION void bound(const LaneGroup& group, Ordinal row) const {
    const std::int64_t products = products_of(group, row);
    if (row >= 0 && group.lane() == 0)
      bounds(row) = static_cast<Ordinal>(products < num_cols ? products : num_cols);
  }
};

template <class Space, class Offset>
void bound_row_sizes(const Space& exec, const ArrayView<const Offset, Space>& a_offsets,
                     const ArrayView<const Ordinal, Space>& a_columns,
                     const ArrayView<const Offset, Space>& b_offsets, Ordinal num_cols,
                     const ArrayView<Ordinal, Space>& bounds) {
  const auto num_rows = static_cast<Ordinal>(bounds.extent(0));
  if (num_rows == 0) return;
  for_each_row(exec, "tessera::spgemm::bound", num_rows,
               lanes_for<Space>(static_cast<double>(a_columns.extent(0)) / num_rows),
               BoundRow<Space, Offset>{{a_offsets, a_columns, b_offsets}, num_cols, bounds});
}

template <class Space, class Offset>
struct SumCounts {
  ArrayView<const Ordinal, Space> counts;
  ArrayView<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal row, Offset& sum, bool final) const {
    if (final) offsets(row) = sum;
    if (row < static_cast<Ordinal>(counts.extent(0))) sum += counts(row);
  }
};

template <class Space, class Offset>
void offsets_from_counts(const Space& exec, const ArrayView<const Ordinal, Space>& counts,
                         const ArrayView<Offset, Space>& offsets) {
  Kokkos::parallel_scan(
      "tessera::spgemm::offsets",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, offsets.extent(0)),
      SumCounts<Space, Offset>{counts, offsets});
}

template <class Space>
struct SumSizes {
  ArrayView<const Ordinal, Space> sizes;

  KOKKOS_FUNCTION void operator()(Ordinal row, std::int64_t& sum) const { sum += sizes(row); }
};

template <class Space>
std::int64_t sum_of_sizes(const Space& exec, const ArrayView<const Ordinal, Space>& sizes) {
  std::int64_t total = 0;
  Kokkos::parallel_reduce(
      "tessera::spgemm::sum_of_sizes",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, sizes.extent(0)),
      SumSizes<Space>{sizes}, total);
  return total;
}

std::vector<RowBin> group_classes(const SizeHistogram& histogram, int max_log2_slots,
                                  int log2_slots_of_smallest) {
  Ordinal num_rows = 0;
  for (const Ordinal rows : histogram.rows)
    num_rows += rows;
  const Ordinal few = std::max<Ordinal>(2048, num_rows / 16);

  std::vector<RowBin> bins;
  Ordinal first = 0;
  for (int c = 0; c < num_classes; ++c) {
    const Ordinal rows = histogram.rows[c];
    if (rows == 0) continue;
    const int log2_slots = smallest_log2_slots + c;
    const bool in_scratch = c < num_classes - 1 && log2_slots <= max_log2_slots;
    const auto joins_last = [&](const RowBin& last) {
      if (!last.in_scratch || (in_scratch && log2_slots <= log2_slots_of_smallest)) return true;
      return in_scratch && last.count < few && log2_slots - last.log2_slots <= 2;
    };
    const bool joins = !bins.empty() && joins_last(bins.back());
    if (!joins) bins.push_back({log2_slots, in_scratch, c, c, first, 0});
    bins.back().log2_slots = log2_slots;
    bins.back().last_class = c;
    bins.back().count += rows;
    first += rows;
  }
  return bins;
}

#define TESSERA_INSTANTIATE_SPACE(SPACE)                                                    \
  template SizeHistogram histogram_of_sizes(const SPACE&, TableFill,                        \
                                            const ArrayView<const Ordinal, SPACE>&);        \
  template SizesOfRuns sizes_of_runs(const SPACE&, TableFill,                               \
                                     const ArrayView<const Ordinal, SPACE>&,                \
                                     const ArrayView<const Ordinal, SPACE>&);               \
  template std::int64_t sum_of_sizes(const SPACE&, const ArrayView<const Ordinal, SPACE>&); \
  template RowBins<SPACE> bin_rows(const SPACE&, TableFill, const SizeHistogram&, int,      \
                                   const ArrayView<const Ordinal, SPACE>&,                  \
                                   const Array<Ordinal, SPACE>&, int);                      \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t)                                           \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                                                  \
  template void bound_row_sizes(                                                                   \
      const SPACE&, const ArrayView<const OFFSET, SPACE>&, const ArrayView<const Ordinal, SPACE>&, \
      const ArrayView<const OFFSET, SPACE>&, Ordinal, const ArrayView<Ordinal, SPACE>&);           \
  template void offsets_from_counts(const SPACE&, const ArrayView<const Ordinal, SPACE>&,          \
                                    const ArrayView<OFFSET, SPACE>&);

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SPACE)
#undef TESSERA_INSTANTIATE_OFFSET
#undef TESSERA_INSTANTIATE_SPACE

}  // namespace tessera::kernels::spgemm_detail
