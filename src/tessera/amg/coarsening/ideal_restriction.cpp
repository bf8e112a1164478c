// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/ideal_restriction.hpp"

#include "tessera/amg/coarsening/detail/relative_sizes.hpp"
#include "tessera/amg/coarsening/detail/selected_entries.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {
namespace detail {

/// The entries of coarse points' rows in the columns of fine ones.
template <class Scalar, class Space, class Offset>
struct CoarseToFine {
  RelativeSizes<Scalar, Space, Offset> sizes;
  ArrayView<const Ordinal, Space> coarse_number;
  ArrayView<const Ordinal, Space> coarse_points;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal c, const Visit& visit) const {
    const Ordinal i = coarse_points(c);
    const auto& A = sizes.A;
    const float bound = sizes.bound_of_couplings(i);
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      if (coarse_number(A.columns(k)) < 0 && !(sizes.of(k) < bound)) visit(k);
    }
  }
};

/// -A_cf, whose rows have the order of A's.
template <class Scalar, class Space, class Offset>
void fill_A_cf(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
               IdealRestriction<Scalar, Space, Offset>& restriction) {
  auto& A_cf = restriction.minus_A_cf;
  A_cf.values = allocate<Scalar>(exec, "tessera::restriction::values", A_cf.num_entries());
  const auto pattern = A_cf.view();
  const auto values = A_cf.values;
  const auto coarse_points = restriction.coarse_points;
  Kokkos::parallel_for(
      "tessera::restriction::A_cf", Kokkos::RangePolicy<Space>(exec, 0, A_cf.num_rows),
      KOKKOS_LAMBDA(const Ordinal c) {
        Offset at = pattern.offsets(c);
        const Offset end = pattern.offsets(c + 1);
        const Ordinal i = coarse_points(c);
        for (Offset k = A.offsets(i); at < end && k < A.offsets(i + 1); ++k)
          if (A.columns(k) == pattern.columns(at)) values(at++) = -A.values(k);
      });
}

/// What is kept of a row of weights.
template <class Scalar, class Space, class Offset>
struct KeptOfRestriction {
  RelativeSizes<Scalar, Space, Offset> sizes;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal c, const Visit& visit) const {
    const auto& weights = sizes.A;
    const float bound = sizes.bound(c);
    for (Offset k = weights.offsets(c); k < weights.offsets(c + 1); ++k) {
      const float size = sizes.of(k);
      if (!(size < bound) && size != 0) visit(k);
    }
  }
};

/// The kept columns and, in its place among them, the coarse point's own.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> restriction_pattern(
    const Space& exec, const IdealRestriction<Scalar, Space, Offset>& restriction, double drop) {
  const auto weights = restriction.weights.view();
  const KeptOfRestriction<Scalar, Space, Offset> kept{{weights, drop}};
  const Ordinal num_coarse = restriction.weights.num_rows;
  const auto coarse_points = restriction.coarse_points;
  const auto offsets = allocate<Offset>(exec, "tessera::restriction::offsets", num_coarse + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, num_coarse);
  Kokkos::parallel_for(
      "tessera::restriction::count", rows, KOKKOS_LAMBDA(const Ordinal c) {
        Offset count = 1;
        kept.for_each(c, [&](Offset) { ++count; });
        offsets(c) = count;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::restriction::columns", total);
  Kokkos::parallel_for(
      "tessera::restriction::columns", rows, KOKKOS_LAMBDA(const Ordinal c) {
        const Ordinal own = coarse_points(c);
        Offset at = offsets(c);
        bool has_own = false;
        kept.for_each(c, [&](Offset k) {
          const Ordinal j = weights.columns(k);
          if (!has_own && j > own) {
            columns(at++) = own;
            has_own = true;
          }
          columns(at++) = j;
        });
        if (!has_own) columns(at) = own;
      });
  return {num_coarse, restriction.weights.num_cols, offsets, columns, {}};
}

/// Both rows ascend; the coarse point's own column is in none of the weights' rows.
template <class Scalar, class Space, class Offset>
void fill_restriction(const Space& exec, const IdealRestriction<Scalar, Space, Offset>& restriction,
                      const kernels::Csr<Scalar, Space, Offset>& R) {
  const auto weights = restriction.weights.view();
  const auto pattern = R.view();
  const auto values = R.values;
  const auto coarse_points = restriction.coarse_points;
  Kokkos::parallel_for(
      "tessera::restriction::values", Kokkos::RangePolicy<Space>(exec, 0, R.num_rows),
      KOKKOS_LAMBDA(const Ordinal c) {
        Offset k = weights.offsets(c);
        for (Offset at = pattern.offsets(c); at < pattern.offsets(c + 1); ++at) {
          const Ordinal j = pattern.columns(at);
          if (j == coarse_points(c)) {
            values(at) = 1;
            continue;
          }
          while (weights.columns(k) != j)
            ++k;
          values(at) = weights.values(k);
        }
      });
}

/// The strongest coarse neighbour's number; -1 where there is none.
template <class Scalar, class Space, class Offset>
struct StrongestCoarse {
  kernels::CsrView<Scalar, Space, Offset> A;
  ArrayView<const Ordinal, Space> coarse_number;

  KOKKOS_FUNCTION Ordinal operator()(Ordinal i) const {
    Ordinal found = coarse_number(i);
    if (found >= 0) return found;
    float largest = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal number = coarse_number(A.columns(k));
      const float size = Kokkos::abs(static_cast<float>(A.values(k)));
      if (number < 0 || !(size > largest)) continue;
      largest = size;
      found = number;
    }
    return found;
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
IdealRestriction<Scalar, Space, Offset> ideal_restriction(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, Ordinal num_coarse,
    const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& M, const RestrictionDrops& drop,
    NonDeduced<kernels::Csr<Scalar, Space, Offset>>& R) {
  IdealRestriction<Scalar, Space, Offset> result;
  result.coarse_points = list_coarse_points(exec, coarse_number, num_coarse);
  result.minus_A_cf =
      detail::selected_pattern(exec, "tessera::restriction::A_cf", num_coarse, A,
                               detail::CoarseToFine<Scalar, Space, Offset>{
                                   {A, drop.couplings}, coarse_number, result.coarse_points});
  detail::fill_A_cf(exec, A, result);
  result.weights = kernels::spgemm(exec, result.minus_A_cf.view(), M, result.plan);
  R = detail::restriction_pattern(exec, result, drop.weights);
  R.values = allocate<Scalar>(exec, "tessera::amg::values", R.num_entries());
  detail::fill_restriction(exec, result, R);
  return result;
}

template <class Scalar, class Space, class Offset>
void refill_restriction(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                        const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& M,
                        IdealRestriction<Scalar, Space, Offset>& restriction,
                        const NonDeduced<kernels::Csr<Scalar, Space, Offset>>& R) {
  auto& weights = restriction.weights;
  detail::fill_A_cf(exec, A, restriction);
  weights.values = allocate<Scalar>(exec, "tessera::restriction::weights", weights.num_entries());
  kernels::spgemm_numeric(exec, restriction.minus_A_cf.view(), M, weights, restriction.plan);
  detail::fill_restriction(exec, restriction, R);
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> one_point_prolongator(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, Ordinal num_coarse) {
  const detail::StrongestCoarse<Scalar, Space, Offset> strongest{A, coarse_number};
  const auto offsets = allocate<Offset>(exec, "tessera::prolongator::offsets", A.num_rows + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
  Kokkos::parallel_for(
      "tessera::prolongator::count", rows,
      KOKKOS_LAMBDA(const Ordinal i) { offsets(i) = strongest(i) >= 0 ? 1 : 0; });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::prolongator::columns", total);
  const auto values = allocate<Scalar>(exec, "tessera::amg::values", total);
  Kokkos::parallel_for(
      "tessera::prolongator::columns", rows, KOKKOS_LAMBDA(const Ordinal i) {
        const Ordinal found = strongest(i);
        if (found < 0) return;
        columns(offsets(i)) = found;
        values(offsets(i)) = 1;
      });
  return {A.num_rows, num_coarse, offsets, columns, values};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, ideal_restriction)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill_restriction)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, one_point_prolongator)

}  // namespace tessera::amg
