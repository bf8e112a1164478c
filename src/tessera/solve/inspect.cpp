// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/inspect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/graph/full_blocks.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"
#include "tessera/matrix/symmetry_probe.hpp"
#include "tessera/solve/fact_sums.hpp"
#include "tessera/solve/row_samples.hpp"
#include "tessera/solve/selection_rules.hpp"
#include "tessera/solve/streamlines.hpp"

namespace tessera {
namespace detail {

/// What the entries of a row add up to.
struct RowOfFacts {
  double diagonal = 0;
  double beside_diagonal = 0;
  double positive = 0;  ///< magnitudes beside the diagonal
  double negative = 0;

  /// Signs are hard to foretell: no branch asks for them.
  KOKKOS_FUNCTION void add(bool on_diagonal, double value) {
    const double beside = on_diagonal ? 0.0 : value;
    diagonal += on_diagonal ? value : 0.0;
    beside_diagonal += beside;
    positive += beside > 0 ? beside : 0.0;
    negative += beside > 0 ? 0.0 : Kokkos::fabs(beside);
  }
};

template <class Scalar, class Space, class Offset>
struct SumFacts {
  kernels::CsrView<Scalar, Space, Offset> A;
  double round_off;
  double decided_share;  ///< `rules::decided_share`, which no device sees

  KOKKOS_FUNCTION void operator()(const Ordinal i, FactSums& sum) const {
    RowOfFacts row;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k)
      row.add(A.columns(k) == i, static_cast<double>(A.values(k)));
    add(row, sum);
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i, FactSums& sum) const {
    const Offset end = i < 0 ? 0 : A.offsets(i + 1);
    RowOfFacts row;
    for (Offset k = (i < 0 ? 0 : A.offsets(i)) + group.lane(); k < end; k += group.size())
      row.add(A.columns(k) == i, static_cast<double>(A.values(k)));
    row = {group.sum(row.diagonal), group.sum(row.beside_diagonal), group.sum(row.positive),
           group.sum(row.negative)};
    if (i >= 0 && group.lane() == 0) add(row, sum);
  }

 private:
  KOKKOS_FUNCTION void add(const RowOfFacts& row, FactSums& sum) const {
    const double d = row.diagonal;
    const double magnitudes = row.positive + row.negative;
    sum.rows_not_zero += Kokkos::fabs(d + row.beside_diagonal) > round_off * Kokkos::fabs(d);
    sum.zero_rows += d == 0 && magnitudes == 0;
    sum.decided += d > 0 && d + row.beside_diagonal >= decided_share * d;
    sum.positive += d > 0;
    sum.negative += d < 0;
    if (d != 0) {
      sum.couplings += magnitudes / Kokkos::fabs(d);
      sum.positive_couplings += (d > 0 ? row.positive : row.negative) / Kokkos::fabs(d);
      sum.greatest_sum =
          Kokkos::fmax(sum.greatest_sum, Kokkos::fabs(d + row.beside_diagonal) / Kokkos::fabs(d));
    }
    sum.remainders +=
        remainder(Kokkos::fabs(d + row.beside_diagonal), Kokkos::fabs(d) + magnitudes);
    const bool coupled = magnitudes > round_off * Kokkos::fabs(d);
    sum.coupled_zeros += coupled && d == 0;
    sum.coupled_positive += coupled && d > 0;
    sum.coupled_negative += coupled && d < 0;
    sum.least = Kokkos::fmin(sum.least, Kokkos::fabs(d));
    sum.greatest = Kokkos::fmax(sum.greatest, Kokkos::fabs(d));
  }
  /// In whole units of 2^-20.
  KOKKOS_FUNCTION static double remainder(double size_of_sum, double magnitudes) {
    if (!(magnitudes > 0)) return 0;
    return Kokkos::floor(0x1p20 * (Kokkos::isfinite(magnitudes) ? size_of_sum / magnitudes : 1.0));
  }
};

/// `MatrixFacts::same_unknown_share` for blocks of so many rows.
template <class Scalar, class Space, class Offset>
double share_of_same_unknown(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                             int block_rows) {
  const auto sums = kernels::ordered_sum<BlockCouplings>(
      exec, "tessera::inspect::blocks", A.num_rows,
      KOKKOS_LAMBDA(const Ordinal i, BlockCouplings& sum) {
        double diagonal = 0;
        BlockCouplings row;
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
          const Ordinal j = A.columns(e);
          const double size = Kokkos::fabs(static_cast<double>(A.values(e)));
          if (i == j) diagonal += size;
          if (i / block_rows == j / block_rows) continue;
          row.add(i % block_rows == j % block_rows, size);
        }
        sum.add_over(diagonal, row);
      });
  return sums.all > 0 ? sums.same / sums.all : 0;
}

/// The largest entry of a vector v, and the largest of A v over the diagonal.
struct ImageSize {
  double of_vector = 0;
  double of_image = 0;

  KOKKOS_FUNCTION ImageSize& operator+=(const ImageSize& o) {
    of_vector = Kokkos::fmax(of_vector, o.of_vector);
    of_image = Kokkos::fmax(of_image, o.of_image);
    return *this;
  }
};

/// The same of several columns: a reduction's value.
template <int most>
struct ImageSizes {
  ImageSize of[most];

  KOKKOS_FUNCTION ImageSizes& operator+=(const ImageSizes& o) {
    for (int j = 0; j < most; ++j)
      of[j] += o.of[j];
    return *this;
  }
};

/// Columns `first` and those after it, at most `most`; waits for the device.
template <int most, class Scalar, class Space>
ImageSizes<most> image_sizes(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v,
                             const ConstMultiVectorView<Scalar, Space>& Av,
                             const ArrayView<const Scalar, Space>& diagonal, int first) {
  ImageSizes<most> sizes;
  const int count = std::min(most, static_cast<int>(v.extent(1)) - first);
  Kokkos::parallel_reduce(
      "tessera::inspect::image_size", Kokkos::RangePolicy<Space>(exec, 0, v.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i, ImageSizes<most>& sum) {
        const double size = Kokkos::fabs(static_cast<double>(diagonal(i)));
        for (int j = 0; j < most; ++j) {
          if (j >= count) continue;
          const double y = Kokkos::fabs(static_cast<double>(Av(i, first + j)));
          const double ratio = y / size;
          // fmax would pass a NaN over, and an empty row is 0 over 0.
          const double counted =
              Kokkos::isfinite(ratio) ? ratio : Kokkos::Experimental::infinity_v<double>;
          sum.of[j] +=
              ImageSize{Kokkos::fabs(static_cast<double>(v(i, first + j))), y == 0 ? 0 : counted};
        }
      },
      sizes);
  return sizes;
}

/// Appends those of columns `first` to `first + most` that A annihilates but for round-off.
template <int most, class Scalar, class Space>
void find_annihilated(const Space& exec, const ConstMultiVectorView<Scalar, Space>& v,
                      const ConstMultiVectorView<Scalar, Space>& Av,
                      const ArrayView<const Scalar, Space>& diagonal, int first,
                      std::vector<int>& columns) {
  const auto sizes = image_sizes<most, Scalar, Space>(exec, v, Av, diagonal, first);
  const double round_off = 64 * std::numeric_limits<Scalar>::epsilon();
  for (int j = 0; j < most; ++j) {
    const ImageSize& size = sizes.of[j];
    if (size.of_vector > 0 && size.of_image <= round_off * size.of_vector) {
      columns.push_back(first + j);
    }
  }
}

/// Whether a device's choice depends on how unknowns are numbered: elsewhere it takes no time for
/// that.
bool asks_for_numbering(const MatrixFacts& facts) {
  const bool has_few = facts.positive_couplings <= rules::few_positive_couplings;
  if (facts.symmetric)
    return !has_few && facts.entries <= rules::max_entries_in_the_plane * facts.rows;
  return has_few && facts.full_blocks == 1 &&
         facts.skew_share < rules::skew_share_of_classical_on_devices;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
FactSums sum_facts(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const char* const label = "tessera::inspect::sums";
  const detail::SumFacts<Scalar, Space, Offset> facts{
      A, 64 * Kokkos::Experimental::epsilon_v<Scalar>, rules::decided_share};
  const int lanes = kernels::lanes_per_row(A);
  if (lanes == 0) return kernels::ordered_sum<FactSums>(exec, label, A.num_rows, facts);
  FactSums sums;
  kernels::sum_of_rows<FactSums>(exec, label, A.num_rows, lanes, facts, sums);
  return sums;
}

template <class Scalar, class Space, class Offset>
MatrixFacts inspect(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                    const kernels::CsrSpmvPlan<Space>& plan) {
  require(A.num_rows == A.num_cols, [&] {
    return "the matrix must be square, it is " + std::to_string(A.num_rows) + " by " +
           std::to_string(A.num_cols);
  });
  const auto sums = sum_facts(exec, A);

  MatrixFacts facts;
  facts.rows = A.num_rows;
  facts.entries = static_cast<double>(A.columns.extent(0));
  const double n = A.num_rows;
  facts.symmetric = looks_symmetric(exec, A, plan);
  facts.positive_diagonal = sums.positive == n;
  facts.negative_diagonal = sums.negative == n && n > 0;
  facts.coupled_zeros = static_cast<Ordinal>(sums.coupled_zeros);
  facts.coupled_signs_differ = sums.coupled_positive > 0 && sums.coupled_negative > 0;
  facts.zero_row_sums = sums.rows_not_zero == 0 && n > 0;
  facts.zero_rows = static_cast<Ordinal>(sums.zero_rows);
  facts.positive_but_for_zero_rows = sums.positive > 0 && sums.positive + sums.zero_rows == n;
  facts.decided_rows = static_cast<Ordinal>(sums.decided);
  facts.positive_couplings = sums.couplings > 0 ? sums.positive_couplings / sums.couplings : 0;
  facts.smallest_diagonal = n > 0 ? sums.least : 0;
  facts.largest_diagonal = sums.greatest;
  facts.largest_row_sum = sums.greatest_sum;
  facts.row_remainder = n > 0 ? 0x1p-20 * sums.remainders / n : 0;
  facts.on_host = kernels::is_host_space<Space>;
  facts.is_whole = true;
  if (!facts.symmetric) facts.full_blocks = kernels::find_full_blocks(exec, A);
  if (facts.full_blocks > 1)
    facts.same_unknown_share = detail::share_of_same_unknown(exec, A, facts.full_blocks);
  if (!facts.symmetric) facts.skew_share = sampled_skew_share(exec, A);
  if (facts.symmetric && facts.positive_couplings > rules::few_positive_couplings &&
      facts.largest_diagonal > rules::span_of_jumps * facts.smallest_diagonal)
    facts.jumping_rows = sampled_jumping_rows(exec, A);
  if (facts.on_host || detail::asks_for_numbering(facts)) {
    facts.repeated_rows = sampled_repeated_rows(exec, A);
    facts.has_hubs = has_hubs(exec, A);
  }
  if constexpr (kernels::is_host_space<Space>) {
    facts.long_rows = share_of_long_rows(exec, A);
    if (facts.skew_share >= rules::skew_share_of_streamlines &&
        facts.rows >= rules::rows_of_streamlines)
      facts.long_streamlines = sampled_long_streamlines(A);
  }
  return facts;
}

template <class Scalar, class Space, class Offset>
std::vector<int> nullspace_columns(const Space& exec,
                                   const kernels::CsrView<Scalar, Space, Offset>& A,
                                   const kernels::CsrSpmvPlan<Space>& plan,
                                   const ConstMultiVectorView<Scalar, Space>& vectors) {
  require(vectors.extent(0) == static_cast<std::size_t>(A.num_cols), [&] {
    return "near-nullspace vectors must have as many rows as the matrix, " +
           std::to_string(A.num_cols) + ", they have " + std::to_string(vectors.extent(0));
  });
  const auto y =
      allocate_multivector<Scalar>(exec, "tessera::inspect::y", A.num_rows, vectors.extent(1));
  const auto diagonal = allocate<Scalar>(exec, "tessera::inspect::diagonal", A.num_rows);
  kernels::spmv(exec, plan, Scalar(1), A, vectors, Scalar(0), y);
  kernels::extract_diagonal(exec, A, diagonal);
  std::vector<int> columns;
  const auto count = static_cast<int>(vectors.extent(1));
  if (count == 1) {
    detail::find_annihilated<1, Scalar, Space>(exec, vectors, y, diagonal, 0, columns);
  } else {
    constexpr int at_once = 6;  // rigid body modes
    for (int first = 0; first < count; first += at_once)
      detail::find_annihilated<at_once, Scalar, Space>(exec, vectors, y, diagonal, first, columns);
  }
  return columns;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, sum_facts)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, inspect)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, nullspace_columns)

}  // namespace tessera
