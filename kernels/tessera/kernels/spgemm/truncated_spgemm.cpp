// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/truncated_spgemm.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/spgemm/detail/count_rows_by_group.hpp"
#include "tessera/kernels/spgemm/detail/estimate_rows.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"
#include "tessera/kernels/spgemm/detail/truncate_rows_by_group.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::kernels {
namespace spgemm_detail {

/// What became of the rows of a pass.
struct TruncatedSums {
  std::int64_t entries = 0;
  Ordinal outgrown = 0;  ///< rows that found no room

  KOKKOS_INLINE_FUNCTION TruncatedSums& operator+=(const TruncatedSums& other) {
    entries += other.entries;
    outgrown += other.outgrown;
    return *this;
  }
};

template <class Space, class Offset>
struct SumTruncated {
  ArrayView<const Offset, Space> counts;

  KOKKOS_FUNCTION void operator()(Ordinal row, TruncatedSums& sums) const {
    const Offset count = counts(row);
    sums.entries += count < 0 ? 0 : count;
    sums.outgrown += count < 0 ? 1 : 0;
  }
};

template <class Space, class Offset>
struct ListOutgrown {
  ArrayView<const Offset, Space> counts;
  ArrayView<Ordinal, Space> rows;

  KOKKOS_FUNCTION void operator()(Ordinal row, Ordinal& position, bool final) const {
    if (counts(row) >= 0) return;
    if (final) rows(position) = row;
    ++position;
  }
};

/// Rows with room for `width` entries each become rows without gaps.
template <class Scalar, class Space, class Offset>
struct CloseGaps {
  std::size_t width;
  ArrayView<const Ordinal, Space> wide_columns;
  ArrayView<const Scalar, Space> wide_values;
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(std::size_t place) const {
    const auto row = static_cast<Ordinal>(place / width);
    const Offset to = offsets(row) + static_cast<Offset>(place % width);
    if (to >= offsets(row + 1)) return;
    columns(to) = wide_columns(place);
    values(to) = wide_values(place);
  }
};

/// The steps of a truncated product, and what they share.
template <class Scalar, class Space, class Offset>
class TruncatedSpgemm {
 public:
  using View = CsrView<Scalar, Space, Offset>;

  TruncatedSpgemm(const Space& exec, const View& A, const View& B, const TableEstimate& how,
                  const TruncatedRows<Scalar, Space, Offset>& result)
      : m_exec(exec),
        m_A(A),
        m_B(B),
        m_how(how),
        m_result(result),
        m_lanes_of_a(lanes_for<Space>(mean_length(A.columns.extent(0), A.offsets.extent(0)))),
        m_lanes_of_b(lanes_for<Space>(mean_length(B.columns.extent(0), B.offsets.extent(0)))) {}

  /// How many entries are kept; nothing where rows are too long.
  std::optional<std::int64_t> truncate() {
    if (m_A.num_rows < m_how.min_sampled_rows) {
      // Launches are what few rows cost: one table size for all needs no other.
      const RowBin all = bin_of(max_log2_by_group - 1, m_A.num_rows);
      if (!suits(all)) return std::nullopt;
      fill(all, {}, {});
    } else if (!fill_by_estimates()) {
      return std::nullopt;
    }
    TruncatedSums sums = sums_of_rows();
    if (sums.outgrown == 0) return sums.entries;
    const RowBin again = bin_of(max_log2_by_group, sums.outgrown);
    if (!suits(again)) return std::nullopt;
    if (m_rows.extent(0) == 0)
      m_rows = allocate<Ordinal>(m_exec, "tessera::spgemm::rows", sums.outgrown);
    Kokkos::parallel_scan("tessera::spgemm::list_outgrown", rows_policy(),
                          ListOutgrown<Space, Offset>{m_result.counts, m_rows});
    fill(again, m_rows, {});
    sums = sums_of_rows();
    if (sums.outgrown > 0) return std::nullopt;
    return sums.entries;
  }

 private:
  using Fill = TruncateRowsByGroup<Scalar, Space, Offset>;

  Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>> rows_policy() const {
    return {m_exec, 0, m_A.num_rows};
  }
  static RowBin bin_of(int log2_slots, Ordinal count) {
    RowBin bin;
    bin.log2_slots = log2_slots;
    bin.count = count;
    return bin;
  }

  bool fill_by_estimates() {
    const RowWorkspace<Space> work(m_exec, m_A.num_rows);
    if (!estimate(work.bounds)) return false;
    m_rows = work.rows;
    const ArrayView<const Ordinal, Space> estimates = work.bounds;
    const SizeHistogram histogram =
        histogram_of_sizes<Space>(m_exec, TableFill::three_quarters, estimates);
    const RowBins<Space> bins = bin_rows<Space>(m_exec, TableFill::three_quarters, histogram,
                                                max_log2_numeric<Scalar, Space>(), estimates,
                                                m_rows, log2_slots_of_smallest_bin);
    if (!std::all_of(bins.bins.begin(), bins.bins.end(),
                     [&](const RowBin& bin) { return suits(bin); }))
      return false;
    for (const RowBin& bin : bins.bins)
      fill(bin, bins.rows, estimates);
    return true;
  }

  /// False where the sample has no room.
  bool estimate(const ArrayView<Ordinal, Space>& estimates) const {
    constexpr Ordinal max_sampled = 2048;
    using Sample = SampleRows<Space, Offset>;
    if (!fits_by_group<Space>(m_lanes_of_a, Sample::row_bytes())) return false;
    const auto sums = allocate<std::uint64_t>(m_exec, "tessera::spgemm::sample", num_sampled_sums);
    Kokkos::deep_copy(m_exec, sums, std::uint64_t(0));
    const RowBin sampled = bin_of(max_log2_by_group, std::min(max_sampled, m_A.num_rows));
    const int width = width_of_terms<Space>(
        mean_length(m_B.columns.extent(0), m_B.offsets.extent(0)), m_lanes_of_a);
    launch_by_group(m_exec, "tessera::spgemm::sample",
                    Sample{m_A.offsets,
                           m_A.columns,
                           m_B.offsets,
                           m_B.columns,
                           sampled,
                           {sampled.count, m_A.num_rows},
                           m_lanes_of_a,
                           width,
                           sums},
                    sampled.count, m_lanes_of_a, Sample::row_bytes());
    for_each_row(
        m_exec, "tessera::spgemm::estimate", m_A.num_rows, m_lanes_of_a,
        EstimateRows<Space, Offset>{
            {m_A.offsets, m_A.columns, m_B.offsets}, m_B.num_cols, m_how, sums, estimates});
    return true;
  }

  int lanes_of(const RowBin& bin) const {
    return std::max(m_lanes_of_b, lanes_for<Space>(std::ldexp(1.0, bin.log2_slots - 4)));
  }
  bool suits(const RowBin& bin) const {
    return bin.in_scratch && bin.log2_slots <= max_log2_by_group &&
           fits_by_group<Space>(lanes_of(bin), Fill::row_bytes(bin.log2_slots));
  }
  void fill(const RowBin& bin, const ArrayView<const Ordinal, Space>& rows,
            const ArrayView<const Ordinal, Space>& estimates) const {
    const int lanes = lanes_of(bin);
    launch_by_group(m_exec, "tessera::spgemm::fill_truncated",
                    Fill{m_A, m_B, rows, estimates, m_result, bin, lanes}, bin.count, lanes,
                    Fill::row_bytes(bin.log2_slots));
  }
  /// Waits for the device.
  TruncatedSums sums_of_rows() const {
    TruncatedSums sums;
    Kokkos::parallel_reduce("tessera::spgemm::sum_truncated", rows_policy(),
                            SumTruncated<Space, Offset>{m_result.counts}, sums);
    return sums;
  }

  Space m_exec;
  View m_A, m_B;
  TableEstimate m_how;
  TruncatedRows<Scalar, Space, Offset> m_result;
  Array<Ordinal, Space> m_rows;  ///< binned, or outgrown
  int m_lanes_of_a, m_lanes_of_b;
};

}  // namespace spgemm_detail

template <class Scalar, class Space, class Offset>
std::optional<Csr<Scalar, Space, Offset>> truncated_spgemm(const Space& exec,
                                                           const CsrView<Scalar, Space, Offset>& A,
                                                           const CsrView<Scalar, Space, Offset>& B,
                                                           const RowTruncation& truncation,
                                                           const TableEstimate& estimate) {
  using namespace spgemm_detail;
  require_inner_dimension(A, B);
  const int width = truncation.max_entries;
  if (A.num_rows == 0 || width < 1 || width > RowTruncation::max_kept) return std::nullopt;
  const auto num_rows = static_cast<std::size_t>(A.num_rows);
  const std::size_t places = num_rows * static_cast<std::size_t>(width);
  const auto offsets = allocate<Offset>(exec, "tessera::spgemm::offsets", num_rows + 1);
  const auto wide_columns = allocate<Ordinal>(exec, "tessera::spgemm::wide_columns", places);
  const auto wide_values = allocate<Scalar>(exec, "tessera::spgemm::wide_values", places);
  const auto total = TruncatedSpgemm<Scalar, Space, Offset>(
                         exec, A, B, estimate, {truncation, offsets, wide_columns, wide_values})
                         .truncate();
  if (!total) return std::nullopt;
  require_countable<Offset>(*total, "the truncated product");
  counts_to_offsets_async<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::spgemm::columns", *total);
  const auto values = allocate<Scalar>(exec, "tessera::spgemm::values", *total);
  Kokkos::parallel_for(
      "tessera::spgemm::close_gaps",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, places),
      CloseGaps<Scalar, Space, Offset>{static_cast<std::size_t>(width), wide_columns, wide_values,
                                       offsets, columns, values});
  return Csr<Scalar, Space, Offset>{A.num_rows, B.num_cols, offsets, columns, values};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, truncated_spgemm)

}  // namespace tessera::kernels
