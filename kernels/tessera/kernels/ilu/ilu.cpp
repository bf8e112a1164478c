// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/ilu/ilu.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/ticket_loop.hpp"
#include "tessera/kernels/ilu/detail/eliminate.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::kernels {
namespace detail {

/// Factors a row once the rows of its entries below the diagonal are done: a task of a TicketLoop,
/// one of these entries per round.
template <class Scalar, class Offset>
struct FactorRow {
  struct Row {
    Ordinal row = -1;
    Offset at = 0, diagonal = 0;  ///< `at`: the entry below the diagonal that is next
    Scalar l = 0;
    bool stepped = false;  ///< in this round, with `l` as the entry of L
  };

  PlainIluPattern<Offset> pattern;
  RowOrder order;
  PivotRule<Scalar> pivots;
  Scalar* values;
  std::int32_t* is_done;  ///< 0 before, for each row

  KOKKOS_FUNCTION Row begin(std::uint32_t position, int, int) const {
    Row row;
    if (position >= static_cast<std::uint32_t>(order.count)) return row;
    row.row = order.row(position);
    row.at = pattern.offsets[row.row];
    row.diagonal = pattern.diagonal[row.row];
    return row;
  }
  KOKKOS_FUNCTION bool advance(Row& row, const LaneGroup& group, bool give_up) const {
    const bool is_through = row.at >= row.diagonal;
    // Each lane by itself, for what it reads of that row after.
    const bool sees = is_through || give_up || load_acquire(is_done + pattern.columns[row.at]) != 0;
    const bool goes_on = group.lanes_where(sees) == all_lanes(group);
    if (is_through) return true;
    if (!goes_on) return false;
    row.l = values[row.at] * pivots.inverse_diagonal[pattern.columns[row.at]];
    row.stepped = true;
    eliminate(pattern, group, row.row, row.at, row.l, values, values);
    return row.at + 1 >= row.diagonal;
  }
  KOKKOS_FUNCTION void finish(Row& row, const LaneGroup& group, bool publish) const {
    group.sync();
    if (row.stepped) {
      if (group.lane() == 0) values[row.at] = row.l;
      ++row.at;
      row.stepped = false;
    }
    if (!publish || row.row < 0 || group.lane() != 0) return;
    values[row.diagonal] = pivots.settle(row.row, values[row.diagonal]);
    store_release(is_done + row.row, 1);
  }
};

/// One sweep of the fixed-point iteration over all rows: `next` from `last`.
template <class Scalar, class Offset>
struct SweepRow {
  PlainIluPattern<Offset> pattern;
  Ordinal num_rows;
  PivotRule<Scalar> pivots;  ///< with the inverses of the diagonal of `next`
  const Scalar* a;  ///< A on the pattern
  const Scalar* last;  ///< null for the first guess
  const Scalar* last_inverse;
  Scalar* next;
  int lanes;
  bool divides = true;  ///< by the pivots of `last`

  template <class Space>
  void run(const Space& exec, const char* label) const {
    if (num_rows == 0) return;
    if constexpr (is_host_space<Space>) {
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, num_rows), *this);
    } else {
      const int rows_per_team = ticket_team / lanes;
      const int teams = (num_rows + rows_per_team - 1) / rows_per_team;
      Kokkos::parallel_for(label, Kokkos::TeamPolicy<Space>(exec, teams, ticket_team, 1), *this);
    }
  }
  KOKKOS_FUNCTION void operator()(const Ordinal row) const { compute(LaneGroup(1, 0), row); }
  template <class Member>
    requires requires(const Member& member) { member.team_rank(); }
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const std::int64_t thread =
        static_cast<std::int64_t>(member.league_rank()) * ticket_team + member.team_rank();
    compute(LaneGroup(lanes, member.team_rank()), thread / lanes);
  }

 private:
  KOKKOS_FUNCTION void compute(const LaneGroup& group, std::int64_t number) const {
    const auto row = static_cast<Ordinal>(number < num_rows ? number : -1);
    const Offset begin = row < 0 ? 0 : pattern.offsets[row];
    const Offset end = row < 0 ? 0 : pattern.offsets[row + 1];
    const Offset diagonal = row < 0 ? 0 : pattern.diagonal[row];
    for (Offset e = begin + group.lane(); e < end; e += group.size())
      next[e] = a[e];
    group.sync();
    const int steps = last == nullptr ? 0 : static_cast<int>(diagonal - begin);
    const int max_steps = group.warp_max(steps);
    for (int step = 0; step < max_steps; ++step) {
      if (step < steps)
        eliminate(pattern, group, row, begin + step, last[begin + step], last, next);
      group.sync();
    }
    if (divides) {
      for (Offset e = begin + group.lane(); e < diagonal; e += group.size())
        next[e] *= last_inverse[pattern.columns[e]];
    }
    if (row >= 0 && group.lane() == 0) next[diagonal] = pivots.settle(row, next[diagonal]);
  }
};

/// The steps of a factorisation. Those with lambdas are public for nvcc.
template <class Scalar, class Space, class Offset>
class Factoriser {
 public:
  Factoriser(const Space& exec, const IluFactors<Scalar, Space, Offset>& factors,
             const IluOptions& options)
      : m_exec(exec),
        m_factors(factors),
        m_options(options),
        m_n(factors.pattern.num_rows),
        m_pattern{factors.pattern.offsets.data(), factors.pattern.columns.data(),
                  factors.pattern.cut.lower_end.data()},
        m_norms(allocate<Scalar>(exec, "tessera::ilu::row_norms", m_n)),
        m_found(allocate<Scalar>(exec, "tessera::ilu::pivots", m_n)) {
    const double entries_per_row =
        static_cast<double>(factors.pattern.num_entries()) / std::max<Ordinal>(1, m_n);
    if (!is_host_space<Space>) {
      while (m_lanes < 32 && 2 * m_lanes < entries_per_row)
        m_lanes *= 2;
    }
    measure_rows();
    if (options.absolute) keep_diagonal();
  }

  void factor_exactly(const RowOrder& order) const {
    const auto is_done = allocate<std::int32_t>(m_exec, "tessera::ilu::is_done", m_n);
    const auto drawn = allocate<std::uint64_t>(m_exec, "tessera::ilu::drawn", 1);
    Kokkos::deep_copy(m_exec, is_done, 0);
    Kokkos::deep_copy(m_exec, drawn, std::uint64_t(0));
    const TicketLoop<Space, FactorRow<Scalar, Offset>> loop{
        {m_pattern, order, rule(m_factors.inverse_diagonal), m_factors.values.data(),
         is_done.data()},
        ticket_shape(m_exec, m_n, m_lanes, order.at_once),
        drawn.data()};
    loop.run(m_exec, "tessera::ilu::factor");
  }

  /// The values of the factors are A's before.
  void sweep(int sweeps) const {
    const std::size_t entries = m_factors.pattern.num_entries();
    const auto a = allocate<Scalar>(m_exec, "tessera::ilu::a", entries);
    Kokkos::deep_copy(m_exec, a, m_factors.values);
    auto next = m_factors.values;
    auto last = allocate<Scalar>(m_exec, "tessera::ilu::other", entries);
    auto next_inverse = m_factors.inverse_diagonal;
    auto last_inverse = allocate<Scalar>(m_exec, "tessera::ilu::other_inverse", m_n);
    // So that the last of them is made in the factors' own arrays.
    if (sweeps % 2 != 0) {
      std::swap(next, last);
      std::swap(next_inverse, last_inverse);
    }
    settle_diagonal(a, last_inverse);
    for (int s = 0; s <= sweeps; ++s) {
      SweepRow<Scalar, Offset>{m_pattern,
                               m_n,
                               rule(next_inverse),
                               a.data(),
                               s == 0 ? nullptr : last.data(),
                               last_inverse.data(),
                               next.data(),
                               m_lanes,
                               s < sweeps || !m_options.absolute}
          .run(m_exec, "tessera::ilu::sweep");
      std::swap(next, last);
      std::swap(next_inverse, last_inverse);
    }
    if (m_options.absolute) divide_by_pivots();
  }

  /// Of `absolute`: the pivots that are negative where the diagonal of A is not, into the report.
  void count_negative(IluReport& report) const {
    const auto pivots = rule(m_factors.inverse_diagonal);
    const auto diagonal = m_diagonal;
    constexpr Ordinal none = std::numeric_limits<Ordinal>::max();
    Ordinal first = none;
    Kokkos::parallel_reduce(
        "tessera::ilu::negative", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row, std::int64_t& negative, Ordinal& lowest) {
          if (!(diagonal(row) > 0 && pivots.found[row] < 0)) return;
          if (pivots.is_small(row, pivots.found[row])) return;
          ++negative;
          if (row < lowest) lowest = row;
        },
        report.num_turned, Kokkos::Min<Ordinal>(first));
    if (report.num_turned == 0) return;
    report.first_turned = first;
    report.first_turned_pivot = pivot_of(first);
  }

  /// L D L^T becomes L |D| L^T where the diagonal of A is positive (Gill, Murray, Ponceleon and
  /// Saunders, SIAM J. Matrix Anal. Appl. 13, 1992).
  void turn_negative_rows() const {
    const auto inverse = m_factors.inverse_diagonal;
    const auto pattern = m_pattern;
    const auto diagonal = m_diagonal;
    const ArrayView<Scalar, Space> values = m_factors.values;
    Kokkos::parallel_for(
        "tessera::ilu::turn", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row) {
          if (!(diagonal(row) > 0 && inverse(row) < 0)) return;
          inverse(row) = -inverse(row);
          for (Offset e = pattern.diagonal[row]; e < pattern.offsets[row + 1]; ++e)
            values(e) = -values(e);
        });
  }

  /// A's values become those of A + alpha D.
  void shift_diagonal(double alpha) const {
    const auto factor = static_cast<Scalar>(1 + alpha);
    const auto pattern = m_pattern;
    const auto diagonal = m_diagonal;
    const ArrayView<Scalar, Space> values = m_factors.values;
    Kokkos::parallel_for(
        "tessera::ilu::shift_diagonal", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row) {
          if (diagonal(row) > 0) values(pattern.diagonal[row]) *= factor;
        });
  }

  IluReport report() const {
    IluReport result;
    const auto pivots = rule(m_factors.inverse_diagonal);
    const auto pattern = m_pattern;
    const ArrayView<const Scalar, Space> values = m_factors.values;
    constexpr Ordinal none = std::numeric_limits<Ordinal>::max();
    Ordinal first = none;
    Kokkos::parallel_reduce(
        "tessera::ilu::report", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row, std::int64_t& small, std::int64_t& not_finite,
                      Ordinal& lowest) {
          bool is_finite = Kokkos::isfinite(pivots.found[row]);
          const bool is_small =
              is_finite && (pivots.is_small(row, pivots.found[row]) || pivots.found[row] == 0);
          // A zero that stays is told as that.
          if (!is_small || pivots.shift > 0)
            is_finite = is_finite && Kokkos::isfinite(pivots.inverse_diagonal[row]);
          for (Offset e = pattern.offsets[row]; e < pattern.offsets[row + 1]; ++e)
            is_finite = is_finite && Kokkos::isfinite(values(e));
          small += is_small ? 1 : 0;
          not_finite += is_finite ? 0 : 1;
          if ((is_small || !is_finite) && row < lowest) lowest = row;
        },
        result.num_small, result.num_not_finite, Kokkos::Min<Ordinal>(first));
    if (first == none || m_n == 0) return result;
    result.first_row = first;
    result.first_pivot = pivot_of(first);
    return result;
  }

  /// Of that row as it came out; waits.
  double pivot_of(Ordinal row) const {
    Scalar pivot = 0;
    Kokkos::deep_copy(m_exec, pivot, Kokkos::subview(m_found, row));
    m_exec.fence("tessera::ilu::report");
    return static_cast<double>(pivot);
  }

  PivotRule<Scalar> rule(const Array<Scalar, Space>& inverse) const {
    return {static_cast<Scalar>(m_options.shift), m_norms.data(), m_found.data(), inverse.data()};
  }
  void measure_rows() const {
    const auto norms = m_norms;
    const auto pattern = m_pattern;
    const ArrayView<const Scalar, Space> values = m_factors.values;
    Kokkos::parallel_for(
        "tessera::ilu::row_norms", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row) {
          Scalar largest = 0;
          for (Offset e = pattern.offsets[row]; e < pattern.offsets[row + 1]; ++e) {
            const Scalar size = Kokkos::abs(values(e));
            largest = size > largest ? size : largest;
          }
          norms(row) = largest;
        });
  }
  void keep_diagonal() {
    m_diagonal = allocate<Scalar>(m_exec, "tessera::ilu::a_diagonal", m_n);
    const auto diagonal = m_diagonal;
    const auto pattern = m_pattern;
    const ArrayView<const Scalar, Space> values = m_factors.values;
    Kokkos::parallel_for(
        "tessera::ilu::a_diagonal", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row) { diagonal(row) = values(pattern.diagonal[row]); });
  }
  /// Makes L of what the last sweep left: u_ji / u_jj, with the pivots of that sweep itself.
  void divide_by_pivots() const {
    const auto inverse = m_factors.inverse_diagonal;
    const auto pattern = m_pattern;
    const ArrayView<Scalar, Space> values = m_factors.values;
    Kokkos::parallel_for(
        "tessera::ilu::divide", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row) {
          for (Offset e = pattern.offsets[row]; e < pattern.diagonal[row]; ++e)
            values(e) *= inverse(pattern.columns[e]);
        });
  }
  /// A's own diagonal as the pivots that the first guess of L is made with.
  void settle_diagonal(const Array<Scalar, Space>& a, const Array<Scalar, Space>& inverse) const {
    const auto pivots = rule(inverse);
    const auto pattern = m_pattern;
    Kokkos::parallel_for(
        "tessera::ilu::diagonal", Kokkos::RangePolicy<Space>(m_exec, 0, m_n),
        KOKKOS_LAMBDA(const Ordinal row) { pivots.settle(row, a(pattern.diagonal[row])); });
  }

 private:
  Space m_exec;
  const IluFactors<Scalar, Space, Offset>& m_factors;
  IluOptions m_options;
  Ordinal m_n;
  PlainIluPattern<Offset> m_pattern;
  int m_lanes = 1;
  Array<Scalar, Space> m_norms, m_found;
  Array<Scalar, Space> m_diagonal;  ///< A's, for `absolute`
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
IluFactors<Scalar, Space, Offset> IluFactors<Scalar, Space, Offset>::of_pattern(
    const Space& exec, const IluPattern<Space, Offset>& pattern) {
  return {pattern, allocate<Scalar>(exec, "tessera::ilu::values", pattern.num_entries()),
          allocate<Scalar>(exec, "tessera::ilu::inverse_diagonal", pattern.num_rows)};
}

template <class Scalar, class Space, class Offset>
IluReport factor_ilu(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                     const IluFactors<Scalar, Space, Offset>& factors, const IluOptions& options,
                     const RowOrder& order) {
  fill_ilu_values(exec, factors.pattern, A, factors.values);
  const detail::Factoriser<Scalar, Space, Offset> factoriser(exec, factors, options);
  const auto factor = [&] {
    if (options.sweeps > 0) {
      factoriser.sweep(options.sweeps);
    } else {
      factoriser.factor_exactly(order);
    }
    IluReport report = factoriser.report();
    if (options.absolute) factoriser.count_negative(report);
    return report;
  };
  const IluReport report = factor();
  if (!options.absolute) return report;
  // Few of them are a change of low rank, for which CG pays by some more iterations: 54 for
  // bcsstk06, which has one. Of bcsstk09's 1083 rows 86 are so; with their signs changed it takes
  // more than 3000 iterations.
  const Ordinal few = std::max<Ordinal>(16, factors.pattern.num_rows / 50);
  if (report.num_turned > few) {
    double alpha = 1e-3;
    for (int tries = 0; tries < 16; ++tries, alpha *= 2) {
      fill_ilu_values(exec, factors.pattern, A, factors.values);
      factoriser.shift_diagonal(alpha);
      IluReport shifted = factor();
      if (shifted.num_turned > 0 || shifted.num_not_finite > 0) continue;
      shifted.num_turned = report.num_turned;
      shifted.first_turned = report.first_turned;
      shifted.first_turned_pivot = report.first_turned_pivot;
      shifted.diagonal_shift = alpha;
      // Small ones may still be negative.
      factoriser.turn_negative_rows();
      return shifted;
    }
    fill_ilu_values(exec, factors.pattern, A, factors.values);
    (void)factor();
  }
  factoriser.turn_negative_rows();
  return report;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_STRUCT, IluFactors)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, factor_ilu)

}  // namespace tessera::kernels
