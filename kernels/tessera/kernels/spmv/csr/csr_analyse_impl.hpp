// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `analyse_spmv`.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/selection_rules.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/csr/detail/plan_facts.hpp"
#include "tessera/kernels/spmv/csr/detail/staged_mapping.hpp"
#include "tessera/kernels/spmv/detail/column_sums.hpp"
#include "tessera/kernels/spmv/detail/find_patterns.hpp"
#include "tessera/kernels/spmv/detail/staged_dot.hpp"
#include "tessera/kernels/spmv/detail/staging.hpp"
#include "tessera/kernels/spmv/selection_rules.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace tessera::kernels {
namespace detail {

/// The smallest power of two, at most the width of a warp, that leaves a lane at most about two
/// entries of a mean row.
inline int threads_for(double mean_row_length) {
  int threads = 1;
  while (threads < 32 && rules::classical_entries_per_lane * threads < mean_row_length)
    threads *= 2;
  return threads;
}

/// Entries plus row ends per team: on a device what fits a little scratch memory, on a host more
/// where there would be more than some thousand shares. It does not depend on the number of
/// threads, so that the sums do not either.
template <class Space>
std::size_t balanced_share(std::size_t steps) {
  constexpr std::size_t min_steps = 1024;
  constexpr std::size_t max_shares = 1024;
  return is_host_space<Space> ? std::max(min_steps, steps / max_shares + 1) : min_steps;
}

/// Finds the row in which each team's share begins, by bisection.
template <class Space, class Offset>
struct FindFirstRows {
  ArrayView<const Offset, Space> offsets;
  Ordinal num_rows;
  std::size_t steps, share;
  ArrayView<Ordinal, Space> first_row;

  KOKKOS_FUNCTION void operator()(int team) const {
    const std::size_t step = Kokkos::min(team * share, steps);
    Ordinal low = 0;
    Ordinal high = num_rows;
    while (low < high) {  // the number of rows i with offsets(i + 1) + i + 1 <= step
      const Ordinal middle = low + (high - low) / 2;
      const bool ended = static_cast<std::size_t>(offsets(middle + 1)) + middle + 1 <= step;
      if (ended) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    first_row(team) = low;
  }
};

template <class Space, class Offset>
void find_first_rows(const Space& exec, const ArrayView<const Offset, Space>& offsets,
                     Ordinal num_rows, std::size_t steps, std::size_t share,
                     const ArrayView<Ordinal, Space>& first_row) {
  Kokkos::parallel_for("tessera::spmv_first_rows",
                       Kokkos::RangePolicy<Space>(exec, 0, first_row.extent(0)),
                       FindFirstRows<Space, Offset>{offsets, num_rows, steps, share, first_row});
}

/// Whether more than 32 bits count the entries, which patterns do not serve.
template <class Scalar, class Space, class Offset>
bool has_too_many_entries_for_patterns(const CsrView<Scalar, Space, Offset>& A) {
  return A.num_entries > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
}

/// The most rows without a pattern: beyond it the staged kernel reads all columns.
inline Ordinal max_missed_rows(Ordinal num_rows) {
  return num_rows / rules::rows_per_missed_pattern;
}

/// Whether a plan that is not told what to do looks for patterns.
template <class Scalar, class Space, class Offset>
bool may_have_patterns(const CsrView<Scalar, Space, Offset>& A) {
  if (!has_staged_rows<Space> || !ColumnPatternScope::is_enabled() ||
      A.num_rows < rules::min_rows_for_patterns || has_too_many_entries_for_patterns(A)) {
    return false;
  }
  const double mean = static_cast<double>(A.num_entries) / A.num_rows;
  return mean >= rules::shortest_mean_for_patterns && mean <= rules::longest_mean_for_patterns;
}

/// The search for patterns, queued; empty where `searches` is false.
template <class Scalar, class Space, class Offset>
ColumnPatterns<Space> queue_search(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                   bool searches, const StagedMapping& asked, Ordinal max_missed) {
  if (!searches || A.num_rows == 0) return {};
  return search_patterns(exec, ColumnsOf<Space, Offset>(A),
                         staged_mapping(A, asked, true).rows_per_part(), max_missed);
}

/// What a staged kernel wants to know.
template <class Scalar, class Space, class Offset>
void plan_staging(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                  const StagedMapping& asked, bool has_patterns, const PlanFacts& facts,
                  CsrSpmvPlan<Space>& plan) {
  const StagedMapping mapping = staged_mapping(A, asked, has_patterns);
  plan.staged_lanes = mapping.lanes;
  plan.staged_rows = mapping.rows;
  // More than 32 bits count does not fit into shared memory either.
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 16;
  plan.part_entries =
      static_cast<std::int32_t>(std::min(largest_part(A, asked, has_patterns, facts), most));
  if (A.num_rows == A.num_cols) {
    plan.workspace = allocate<std::byte>(exec, "tessera::spmv_workspace",
                                         staged_dot_bytes(exec, A.num_rows, plan.staged_lanes));
  }
}

/// A plan of checked arguments, for a pattern whose facts are known. `search` has found what column
/// patterns are made of.
template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> make_plan(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                             CsrSpmvAlgorithm algorithm, const StagedMapping& asked,
                             const PlanFacts& facts, const ColumnPatterns<Space>& search) {
  CsrSpmvPlan<Space> plan;
  const bool has_patterns = algorithm == CsrSpmvAlgorithm::column_patterns && A.num_rows > 0;
  plan.pattern = PlannedPattern(place_of(A, has_patterns), facts.rows.fingerprint);
  if (A.num_rows == 0) return plan;
  [[maybe_unused]] const double mean = static_cast<double>(A.num_entries) / A.num_rows;
  if constexpr (!is_host_space<Space>) plan.threads_per_row = threads_for(mean);
  if (has_patterns) {
    plan.patterns = search;
    finish_patterns(exec, ColumnsOf<Space, Offset>(A),
                    staged_mapping(A, asked, true).rows_per_part(), facts.rows.longest,
                    plan.patterns);
  }
  if (algorithm == CsrSpmvAlgorithm::staged || has_patterns) {
    plan.algorithm = algorithm;
    if (has_staged_rows<Space>) plan_staging(exec, A, asked, has_patterns, facts, plan);
    return plan;
  }
  if (algorithm == CsrSpmvAlgorithm::classical) return plan;

  const std::size_t steps = A.num_entries + A.num_rows;
  plan.algorithm = algorithm;
  plan.entries_per_team = balanced_share<Space>(steps);
  const std::size_t teams = (steps - 1) / plan.entries_per_team + 1;
  plan.first_row = allocate<Ordinal>(exec, "tessera::spmv_first_row", teams + 1);
  // Sized for double, so that the plan serves the same pattern in any precision.
  plan.workspace = allocate<std::byte>(exec, "tessera::spmv_workspace",
                                       2 * teams * max_columns_at_once * sizeof(double));
  find_first_rows<Space, Offset>(exec, A.offsets, A.num_rows, steps, plan.entries_per_team,
                                 plan.first_row);
  return plan;
}

/// The number of threads has no say in the choice, so that it has none in the order of the sums.
template <class Scalar, class Space, class Offset>
CsrSpmvAlgorithm suitable_algorithm(const CsrView<Scalar, Space, Offset>& A, const PlanFacts& facts,
                                    const ColumnPatterns<Space>& search) {
  const double mean = A.num_rows == 0 ? 0.0 : static_cast<double>(A.num_entries) / A.num_rows;
  const auto longest = static_cast<double>(facts.rows.longest);
  if (longest > rules::longest_even_row && longest > rules::longest_even_row_over_mean * mean)
    return CsrSpmvAlgorithm::load_balanced;
  if (!has_staged_rows<Space>) return CsrSpmvAlgorithm::classical;
  const bool was_searched = missed_rows(search) != nullptr;
  return was_searched && facts.missed_rows <= max_missed_rows(A.num_rows)
             ? CsrSpmvAlgorithm::column_patterns
             : CsrSpmvAlgorithm::staged;
}

/// Plans for several matrices, each by the algorithm that suits it: waits once.
template <int count, class Scalar, class Space, class Offset>
std::array<CsrSpmvPlan<Space>, count> suitable_plans(
    const Space& exec, const std::array<CsrView<Scalar, Space, Offset>, count>& matrices) {
  const StagedMapping chosen{0, 0};
  std::array<ColumnPatterns<Space>, count> searches;
  for (std::size_t p = 0; p < count; ++p) {
    searches[p] = queue_search(exec, matrices[p], may_have_patterns(matrices[p]), chosen,
                               max_missed_rows(matrices[p].num_rows));
  }
  const auto facts = plan_facts<count>(exec, matrices, searches, chosen);
  std::array<CsrSpmvPlan<Space>, count> plans;
  for (std::size_t p = 0; p < count; ++p) {
    const auto algorithm = suitable_algorithm(matrices[p], facts.of[p], searches[p]);
    plans[p] = make_plan(exec, matrices[p], algorithm, chosen, facts.of[p], searches[p]);
  }
  return plans;
}

}  // namespace detail

template <class Space>
bool has_staged_csr_spmv() {
  return detail::has_staged_rows<Space>;
}

template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  return detail::suitable_plans<1, Scalar, Space, Offset>(exec, {A})[0];
}

template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                CsrSpmvAlgorithm algorithm, int lanes, int rows) {
  require(algorithm != CsrSpmvAlgorithm::staged || has_staged_csr_spmv<Space>(), [] {
    return "algorithm = staged, but " + std::string(Space::name()) +
           " was not compiled for a GPU with bulk copies; use classical or load_balanced";
  });
  const detail::StagedMapping asked{lanes, rows};
  detail::require_mapping(algorithm, asked);
  const bool has_patterns = algorithm == CsrSpmvAlgorithm::column_patterns;
  require(!has_patterns || !detail::has_too_many_entries_for_patterns(A), [&] {
    return "algorithm = column_patterns for a matrix of " + std::to_string(A.num_entries) +
           " entries, expected no more than 32 bits count; use another one";
  });
  const auto search = detail::queue_search(exec, A, has_patterns, asked, A.num_rows);
  const auto facts = detail::plan_facts<1, Scalar, Space, Offset>(exec, {A}, {search}, asked);
  return detail::make_plan(exec, A, algorithm, asked, facts.of[0], search);
}

}  // namespace tessera::kernels
