// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/ilu/ilu.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/ilu/detail/factor_rows.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::kernels {
namespace detail {

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
