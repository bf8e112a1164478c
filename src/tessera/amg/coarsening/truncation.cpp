// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/truncation.hpp"

#include "tessera/amg/coarsening/detail/cancels.hpp"
#include "tessera/amg/coarsening/detail/relative_sizes.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

/// What is kept of a row.
template <class Scalar, class Space, class Offset>
struct KeptWeights {
  RelativeSizes<Scalar, Space, Offset> sizes;
  Offset max_entries;  ///< 0: all

  KOKKOS_FUNCTION bool passes(Offset k, float least) const {
    return sizes.of(k) >= least && sizes.A.values(k) != Scalar(0);
  }
  KOKKOS_FUNCTION Offset count(Ordinal i) const {
    const float least = sizes.bound(i);
    Offset passing = 0;
    for (Offset k = sizes.A.offsets(i); k < sizes.A.offsets(i + 1); ++k)
      passing += passes(k, least) ? 1 : 0;
    return max_entries > 0 && passing > max_entries ? max_entries : passing;
  }

  /// The columns of the row's `kept` entries, in order.
  KOKKOS_FUNCTION void store(Ordinal i, Offset kept, Ordinal* columns) const {
    const float least = sizes.bound(i);
    const Last last = last_of(i, kept, least);
    for (Offset k = sizes.A.offsets(i); k < sizes.A.offsets(i + 1); ++k) {
      if (passes(k, least) && !follows(k, last)) *columns++ = sizes.A.columns(k);
    }
  }

 private:
  /// The smallest of those that are kept; of equals the last.
  struct Last {
    float size;
    Offset at;
  };
  KOKKOS_FUNCTION bool follows(Offset k, const Last& last) const {
    const float size = sizes.of(k);
    return size < last.size || (size == last.size && k > last.at);
  }
  /// Finds the largest, then the largest of what follows, as often as entries are kept.
  KOKKOS_FUNCTION Last last_of(Ordinal i, Offset kept, float least) const {
    const Offset begin = sizes.A.offsets(i);
    const Offset end = sizes.A.offsets(i + 1);
    if (max_entries == 0 || kept < max_entries) return {-1, end};  // nothing is too much
    Last last{Kokkos::Experimental::infinity_v<float>, begin - 1};
    for (Offset found = 0; found < kept; ++found) {
      Last next{-1, end};
      for (Offset k = begin; k < end; ++k) {
        if (passes(k, least) && follows(k, last) && sizes.of(k) > next.size)
          next = {sizes.of(k), k};
      }
      last = next;
    }
    return last;
  }
};

/// The values of a row of P, whose columns are among those of W's row; both ascend.
template <class Scalar, class Space, class Offset>
struct TruncatedValues {
  kernels::CsrView<Scalar, Space, Offset> W;
  kernels::Csr<Scalar, Space, Offset> P;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    double all = 0, kept = 0, size = 0;
    Offset p = P.offsets(i);
    const Offset end = P.offsets(i + 1);
    for (Offset k = W.offsets(i); k < W.offsets(i + 1); ++k) {
      const auto value = static_cast<double>(W.values(k));
      all += value;
      if (p == end || P.columns(p) != W.columns(k)) continue;
      P.values(p++) = W.values(k);
      kept += value;
      size += Kokkos::abs(value);
    }
    if (all == kept || cancels(kept, size)) return;
    for (p = P.offsets(i); p < end; ++p)
      P.values(p) = static_cast<Scalar>(static_cast<double>(P.values(p)) * (all / kept));
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> truncation_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& W, double factor,
    int max_entries) {
  const detail::KeptWeights<Scalar, Space, Offset> weights{{W, factor}, max_entries};
  const auto offsets = allocate<Offset>(exec, "tessera::truncation::offsets", W.num_rows + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, W.num_rows);
  Kokkos::parallel_for(
      "tessera::truncation::count", rows,
      KOKKOS_LAMBDA(const Ordinal i) { offsets(i) = weights.count(i); });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::truncation::columns", total);
  Kokkos::parallel_for(
      "tessera::truncation::columns", rows, KOKKOS_LAMBDA(const Ordinal i) {
        weights.store(i, offsets(i + 1) - offsets(i), columns.data() + offsets(i));
      });
  return {W.num_rows, W.num_cols, offsets, columns, {}};
}

template <class Scalar, class Space, class Offset>
void truncate_values(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& W,
                     const kernels::Csr<Scalar, Space, Offset>& P) {
  require(P.num_rows == W.num_rows && P.values.extent(0) == P.num_entries(), [&] {
    return "P has " + std::to_string(P.num_rows) + " rows and " +
           std::to_string(P.values.extent(0)) + " values; expected " + std::to_string(W.num_rows) +
           " and " + std::to_string(P.num_entries());
  });
  Kokkos::parallel_for("tessera::truncation::values",
                       Kokkos::RangePolicy<Space>(exec, 0, W.num_rows),
                       detail::TruncatedValues<Scalar, Space, Offset>{W, P});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, truncation_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, truncate_values)

}  // namespace tessera::amg
