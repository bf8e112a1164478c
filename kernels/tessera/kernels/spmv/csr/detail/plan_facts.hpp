// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a plan has to know of a pattern: one pass over the offsets of its rows.
#pragma once

#include "tessera/kernels/spmv/csr/detail/staged_mapping.hpp"
#include "tessera/kernels/spmv/detail/find_patterns.hpp"
#include "tessera/kernels/spmv/detail/staging.hpp"
#include "tessera/kernels/spmv/pattern_fingerprint_impl.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tessera::kernels::detail {

/// What one pass over a pattern finds out for its plan.
struct PlanFacts {
  RowFacts rows;
  std::int64_t largest_part = 0;  ///< entries of the part that has most, where rows are staged
  std::int64_t missed_rows = 0;  ///< that have no column pattern, where these were searched

  KOKKOS_INLINE_FUNCTION PlanFacts& operator+=(const PlanFacts& other) {
    rows += other.rows;
    largest_part = Kokkos::max(largest_part, other.largest_part);
    missed_rows += other.missed_rows;
    return *this;
  }
};

/// The same of several patterns: a reduction's value.
template <int count>
struct FactsOfPatterns {
  PlanFacts of[count];

  KOKKOS_INLINE_FUNCTION FactsOfPatterns& operator+=(const FactsOfPatterns& other) {
    for (int p = 0; p < count; ++p)
      of[p] += other.of[p];
    return *this;
  }
};

/// Looks at the rows of several patterns, one pattern after the other.
template <class Space, class Offset, int count>
struct FindPlanFacts {
  ArrayView<const Offset, Space> offsets[count];
  Ordinal num_rows[count];
  Ordinal rows_per_part[count];
  const std::uint64_t* missed_rows[count];

  KOKKOS_FUNCTION void operator()(const std::int64_t at, FactsOfPatterns<count>& mine) const {
    std::int64_t first = 0;
    // Unrolled with constant indices, so that the facts stay in registers.
    for (int p = 0; p < count; ++p) {
      const std::int64_t row = at - first;
      if (row >= 0 && row < num_rows[p]) {
        mine.of[p] += facts(offsets[p], num_rows[p], rows_per_part[p], static_cast<Ordinal>(row));
        if (row == 0 && missed_rows[p] != nullptr)
          mine.of[p].missed_rows += static_cast<std::int64_t>(*missed_rows[p]);
      }
      first += num_rows[p];
    }
  }

 private:
  KOKKOS_FUNCTION static PlanFacts facts(const ArrayView<const Offset, Space>& rows,
                                         [[maybe_unused]] Ordinal num_rows_of_it,
                                         [[maybe_unused]] Ordinal part, Ordinal row) {
    PlanFacts result{facts_of_row(rows, row), 0, 0};
    if constexpr (has_staged_rows<Space>) {
      if (row % part == 0) {
        const Ordinal to = Kokkos::min(num_rows_of_it - row, part) + row;
        result.largest_part = static_cast<std::int64_t>(rows(to) - rows(row));
      }
    }
    return result;
  }
};

/// One pass over the row offsets of all `patterns`, distributed as `asked`, and what `searches` of
/// their columns have found; waits for it.
template <int count, class Scalar, class Space, class Offset>
FactsOfPatterns<count> plan_facts(const Space& exec,
                                  const std::array<CsrView<Scalar, Space, Offset>, count>& patterns,
                                  const std::array<ColumnPatterns<Space>, count>& searches,
                                  const StagedMapping& asked) {
  FindPlanFacts<Space, Offset, count> find;
  std::int64_t num_rows = 0;
  for (int p = 0; p < count; ++p) {
    find.offsets[p] = patterns[p].offsets;
    find.num_rows[p] = patterns[p].num_rows;
    find.rows_per_part[p] = staged_mapping(patterns[p], asked, false).rows_per_part();
    find.missed_rows[p] = missed_rows(searches[p]);
    num_rows += patterns[p].num_rows;
  }
  FactsOfPatterns<count> facts;
  if (num_rows == 0) return facts;
  Kokkos::parallel_reduce(
      "tessera::spmv_row_facts",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, num_rows), find, facts);
  return facts;
}

/// Entries of the largest part, where parts have more rows than those that `facts` is of.
template <class Scalar, class Space, class Offset>
std::int64_t largest_part(const CsrView<Scalar, Space, Offset>& A, const StagedMapping& asked,
                          bool has_patterns, const PlanFacts& facts) {
  const auto times = std::max(1, staged_mapping(A, asked, has_patterns).rows_per_part() /
                                     staged_mapping(A, asked, false).rows_per_part());
  return std::min(times * facts.largest_part, static_cast<std::int64_t>(A.num_entries));
}

}  // namespace tessera::kernels::detail
