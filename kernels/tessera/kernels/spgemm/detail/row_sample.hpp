// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Some rows of a pattern on the host, and how they follow one another.
#pragma once

#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/pinned_buffer.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::kernels::spgemm_detail {

/// Which rows of a pattern are looked at, and where they are written.
template <class Space, class Offset>
struct SampledRows {
  /// Of rows whose columns are more, the columns are copied after them.
  static constexpr std::size_t max_rows = 512, max_columns = 8192;

  ArrayView<const Offset, Space> offsets;
  ArrayView<const Ordinal, Space> columns;
  std::size_t first = 0, num_rows = 0;
  std::int64_t* found_offsets = nullptr;  ///< of the matrix, num_rows + 1
  Ordinal* found_columns = nullptr;

  SampledRows() = default;
  /// Rows from the middle, enough for the lines of a grid; of long rows fewer, as the host compares
  /// them. Written to `memory`, of `bytes()`.
  SampledRows(const ArrayView<const Offset, Space>& all_offsets,
              const ArrayView<const Ordinal, Space>& all_columns, std::byte* memory)
      : offsets(all_offsets),
        columns(all_columns),
        found_offsets(reinterpret_cast<std::int64_t*>(memory)),
        found_columns(reinterpret_cast<Ordinal*>(found_offsets + max_rows + 1)) {
    const std::size_t rows = offsets.extent(0) - 1;
    if (rows == 0) return;
    const std::size_t mean = columns.extent(0) / rows + 1;
    num_rows = std::min(rows, std::clamp<std::size_t>(4096 / mean, 64, max_rows));
    first = (rows - num_rows) / 2;
  }

  static std::size_t bytes() {
    return (max_rows + 1) * sizeof(std::int64_t) + max_columns * sizeof(Ordinal);
  }
  KOKKOS_FUNCTION std::size_t num_steps() const {
    return num_rows == 0 ? 0 : num_rows + 1 + max_columns;
  }

  KOKKOS_FUNCTION void write(std::size_t step) const {
    if (step <= num_rows) {
      found_offsets[step] = static_cast<std::int64_t>(offsets(first + step));
      return;
    }
    const std::size_t k = step - num_rows - 1;
    const std::size_t begin = offsets(first);
    const std::size_t end = offsets(first + num_rows);
    if (begin + k < end) found_columns[k] = columns(begin + k);
  }
};

/// Writes the sampled rows of two patterns.
template <class Space, class Offset>
struct WriteSamples {
  SampledRows<Space, Offset> a, b;

  KOKKOS_FUNCTION void operator()(std::size_t step) const {
    const std::size_t steps_of_a = a.num_steps();
    if (step < steps_of_a) {
      a.write(step);
    } else {
      b.write(step - steps_of_a);
    }
  }
};

/// Some rows of a pattern on the host.
class RowSample {
 public:
  RowSample() = default;
  /// Of what was written; waits once more where the columns are many.
  template <class Space, class Offset>
  RowSample(const Space& exec, const SampledRows<Space, Offset>& rows) {
    if (rows.num_rows == 0) return;
    const std::int64_t begin = rows.found_offsets[0];
    const auto num_columns = static_cast<std::size_t>(rows.found_offsets[rows.num_rows] - begin);
    for (std::size_t i = 0; i <= rows.num_rows; ++i)
      m_offsets.push_back(static_cast<std::size_t>(rows.found_offsets[i] - begin));
    if (num_columns <= SampledRows<Space, Offset>::max_columns) {
      m_columns.assign(rows.found_columns, rows.found_columns + num_columns);
      return;
    }
    const auto first = static_cast<std::size_t>(begin);
    const auto some_columns = copy_to_host(
        exec, Kokkos::subview(rows.columns, Kokkos::make_pair(first, first + num_columns)));
    m_columns.assign(some_columns.data(), some_columns.data() + num_columns);
  }

  /// How rows `distance` apart mostly follow one another.
  RowShift shift_of(Ordinal distance) const {
    RowShift result{distance, 0, 0};
    const auto size = std::max<Ordinal>(1, static_cast<Ordinal>(m_offsets.size())) - 1;
    if (size <= distance) return result;
    std::map<Ordinal, Ordinal> counts;
    for (Ordinal row = distance; row < size; ++row)
      if (const auto shift = shift_between(row - distance, row)) ++counts[*shift];
    Ordinal most = 0;
    for (const auto& [shift, count] : counts) {
      if (count <= most) continue;
      most = count;
      result.shift = shift;
    }
    result.share = static_cast<double>(most) / (size - distance);
    return result;
  }

 private:
  /// Nothing where the rows are empty or not of one pattern.
  std::optional<Ordinal> shift_between(Ordinal from, Ordinal to) const {
    const std::size_t a = m_offsets[from], b = m_offsets[to];
    const std::size_t length = m_offsets[from + 1] - a;
    if (length == 0 || m_offsets[to + 1] - b != length) return std::nullopt;
    const Ordinal shift = m_columns[b] - m_columns[a];
    for (std::size_t k = 1; k < length; ++k)
      if (m_columns[b + k] - m_columns[a + k] != shift) return std::nullopt;
    return shift;
  }

  std::vector<std::size_t> m_offsets;
  std::vector<Ordinal> m_columns;
};

/// How rows of A follow one another, and those of B that they meet.
struct ShiftsOfFactors {
  RowShift a, b;

  double share() const { return std::min(a.share, b.share); }
};

/// Samples of two patterns, the second left empty where it is the first; waits for the device once.
template <class Space, class Offset>
std::pair<RowSample, RowSample> sample_rows(const Space& exec,
                                            const ArrayView<const Offset, Space>& a_offsets,
                                            const ArrayView<const Ordinal, Space>& a_columns,
                                            const ArrayView<const Offset, Space>& b_offsets,
                                            const ArrayView<const Ordinal, Space>& b_columns,
                                            bool same_factors) {
  using Rows = SampledRows<Space, Offset>;
  const PinnedBuffer memory(2 * Rows::bytes());
  WriteSamples<Space, Offset> write{Rows(a_offsets, a_columns, memory.data()), {}};
  if (!same_factors) write.b = Rows(b_offsets, b_columns, memory.data() + Rows::bytes());
  Kokkos::parallel_for("tessera::spgemm::sample_rows",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(
                           exec, 0, write.a.num_steps() + write.b.num_steps()),
                       write);
  exec.fence("tessera::spgemm: the sampled rows are on the host");
  return {RowSample(exec, write.a), RowSample(exec, write.b)};
}

/// The distance in A by which most rows follow, in both factors and without going back.
inline ShiftsOfFactors best_shifts(const RowSample& A, const RowSample& B) {
  constexpr Ordinal largest_distance = 6;
  constexpr double clearly = 0.05;
  ShiftsOfFactors best;
  for (Ordinal distance = 1; distance <= largest_distance; ++distance) {
    ShiftsOfFactors shifts{A.shift_of(distance), {0, 0, 1}};
    if (shifts.a.shift < 0) continue;
    if (shifts.a.shift > 0) shifts.b = B.shift_of(shifts.a.shift);
    if (shifts.share() > best.share() + clearly) best = shifts;
  }
  return best;
}

}  // namespace tessera::kernels::spgemm_detail
