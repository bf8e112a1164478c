// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/row_samples.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"
#include "tessera/solve/selection_rules.hpp"

namespace tessera {
namespace detail {

/// Whether a row is coupled to one whose diagonal entry is of another size.
template <class Scalar, class Space, class Offset>
struct IsJumpingRow {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const Scalar, Space> diagonal;
  double factor;  ///< `rules::factor_of_jumping_rows`, which no device sees

  KOKKOS_FUNCTION bool is_long(Ordinal i) const {
    return A.offsets(i + 1) - A.offsets(i) > max_length_of_sample;
  }
  KOKKOS_FUNCTION double size_of_diagonal(Ordinal i) const {
    return Kokkos::fabs(static_cast<double>(diagonal(i)));
  }
  KOKKOS_FUNCTION bool operator()(Ordinal i) const {
    if (is_long(i)) return false;
    const double own = size_of_diagonal(i);
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      if (A.values(e) == 0 || is_long(j)) continue;
      const double other = size_of_diagonal(j);
      if (own > factor * other || other > factor * own) return true;
    }
    return false;
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
double sampled_skew_share(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  using detail::SkewSums;
  constexpr Offset max_length = detail::max_length_of_sample;
  const detail::SampledRows sample = detail::sample_of_skew(A.num_rows);
  const auto sums = kernels::ordered_sum<SkewSums>(
      exec, "tessera::inspect::skew", sample.count,
      KOKKOS_LAMBDA(const std::uint32_t k, SkewSums& sum) {
        const auto i = static_cast<Ordinal>(sample.row(k));
        if (A.offsets(i + 1) - A.offsets(i) > max_length) return;
        double diagonal = 0;
        SkewSums row;
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
          const Ordinal j = A.columns(e);
          const auto value = static_cast<double>(A.values(e));
          if (j == i) diagonal += value;
          if (j == i || A.offsets(j + 1) - A.offsets(j) > max_length) continue;
          double transposed = 0;
          for (Offset f = A.offsets(j); f < A.offsets(j + 1); ++f)
            if (A.columns(f) == i) transposed += static_cast<double>(A.values(f));
          row.add(value, transposed);
        }
        sum.add_over(diagonal, row);
      });
  return sums.magnitudes > 0 ? sums.differences / sums.magnitudes : 0;
}

template <class Scalar, class Space, class Offset>
double sampled_repeated_rows(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const detail::SampledRows sample(A.num_rows);
  if (sample.count == 0) return 0;
  const double repeated = kernels::ordered_sum<double>(
      exec, "tessera::inspect::repeated", sample.count,
      KOKKOS_LAMBDA(const std::uint32_t k, double& sum) {
        const auto i = static_cast<Ordinal>(sample.row(k));
        if (i == 0) return;
        const Offset begin = A.offsets(i), before = A.offsets(i - 1);
        const Offset length = A.offsets(i + 1) - begin;
        if (length != begin - before) return;
        for (Offset e = 0; e < length; ++e)
          if (A.columns(begin + e) != A.columns(before + e) + 1) return;
        sum += 1;
      });
  return repeated / sample.count;
}

template <class Scalar, class Space, class Offset>
double sampled_jumping_rows(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const detail::SampledRows sample(A.num_rows);
  if (sample.count == 0) return 0;
  const auto diagonal = allocate<Scalar>(exec, "tessera::inspect::diagonal", A.num_rows);
  kernels::extract_diagonal(exec, A, diagonal);
  const detail::IsJumpingRow<Scalar, Space, Offset> jumps{A, diagonal,
                                                          rules::factor_of_jumping_rows};
  const double jumping = kernels::ordered_sum<double>(
      exec, "tessera::inspect::jumping", sample.count,
      KOKKOS_LAMBDA(const std::uint32_t k, double& sum) {
        sum += jumps(static_cast<Ordinal>(sample.row(k))) ? 1.0 : 0.0;
      });
  return jumping / sample.count;
}

template <class Scalar, class Space, class Offset>
bool has_hubs(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const kernels::HubTest<Space, Offset> is_hub{
      A.offsets, 1, kernels::longest_ordinary_row(A.num_rows, A.num_entries)};
  Ordinal hubs = 0;
  Kokkos::parallel_reduce(
      "tessera::inspect::hubs", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& count) { count += is_hub(i) ? 1 : 0; }, hubs);
  exec.fence("tessera::inspect::hubs");
  return hubs > 0;
}

template <class Scalar, class Space, class Offset>
double share_of_long_rows(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  if (A.num_rows == 0) return 0;
  const double mean = static_cast<double>(A.num_entries) / A.num_rows;
  const double longest = rules::length_of_long_rows * mean;
  Ordinal long_rows = 0;
  Kokkos::parallel_reduce(
      "tessera::inspect::long_rows", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Ordinal& count) {
        count += static_cast<double>(A.offsets(i + 1) - A.offsets(i)) > longest ? 1 : 0;
      },
      long_rows);
  exec.fence("tessera::inspect::long_rows");
  return static_cast<double>(long_rows) / A.num_rows;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, share_of_long_rows)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, has_hubs)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sampled_jumping_rows)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sampled_skew_share)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sampled_repeated_rows)

}  // namespace tessera
