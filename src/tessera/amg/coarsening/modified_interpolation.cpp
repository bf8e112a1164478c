// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/modified_interpolation.hpp"

#include "tessera/amg/coarsening/detail/cancels.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {
namespace detail {

/// Visits the fine points that a fine one passes through.
template <class Space, class Offset>
struct FineDependences {
  kernels::Graph<Space, Offset> strong;
  Array<const Ordinal, Space> coarse_number;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal i, const Visit& visit) const {
    if (coarse_number(i) >= 0) return;
    for (Offset k = strong.offsets(i); k < strong.offsets(i + 1); ++k) {
      const Ordinal j = strong.columns(k);
      if (coarse_number(j) < 0 && strong.offsets(j) < strong.offsets(j + 1)) visit(j);
    }
  }
};

/// Makes a row of M and of N.
template <class Scalar, class Space, class Offset>
struct ModifiedWeights {
  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::Csr<Scalar, Space, Offset> M, N;
  kernels::Graph<Space, Offset> fine;
  Array<const Ordinal, Space> coarse_number;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Offset own = M.offsets(i);
    if (!is_relevant(i)) return;
    for (Offset n = N.offsets(i); n < N.offsets(i + 1); ++n)
      N.values(n) = 0;
    if (coarse_number(i) >= 0) {
      M.values(own) = 1;
      N.values(N.offsets(i)) = 1;
      return;
    }
    const double divisor = distribute_row(i);
    double size = 0;
    for (Offset n = N.offsets(i); n < N.offsets(i + 1); ++n)
      size += Kokkos::abs(static_cast<double>(N.values(n)));
    M.values(own) = static_cast<Scalar>(-inverse_for_weights(divisor, size));
  }

 private:
  /// Not of a fine point that depends on nothing: relaxation leaves it no error to speak of.
  KOKKOS_FUNCTION bool is_relevant(Ordinal i) const { return M.offsets(i) < M.offsets(i + 1); }

  /// Adds to N what goes to coarse points; returns d_i.
  KOKKOS_FUNCTION double distribute_row(Ordinal i) const {
    double divisor = 0;
    Offset n = N.offsets(i);
    Offset f = fine.offsets(i);
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      const auto value = static_cast<double>(A.values(e));
      if (n < N.offsets(i + 1) && N.columns(n) == coarse_number(j)) {
        add(n++, value);
      } else if (f < fine.offsets(i + 1) && fine.columns(f) == j) {
        ++f;
        divisor += distribute(i, j, value);
      } else if (is_relevant(j)) {
        divisor += value;
      }
    }
    return divisor;
  }

  /// Adds to N's row i what k passes on of i's coupling to it; returns what it does not.
  KOKKOS_FUNCTION double distribute(Ordinal i, Ordinal k, double coupling) const {
    double diagonal = 0;
    double negative = 0;
    double positive = 0;
    for (Offset e = A.offsets(k); e < A.offsets(k + 1); ++e) {
      const Ordinal j = A.columns(e);
      const auto value = static_cast<double>(A.values(e));
      if (j == k) {
        diagonal += value;
      } else if (place_in_row(i, j) < N.offsets(i + 1)) {
        (value < 0 ? negative : positive) += value;
      }
    }
    const double sum = diagonal < 0 ? positive : negative;
    if (sum == 0) return coupling;
    for (Offset e = A.offsets(k); e < A.offsets(k + 1); ++e) {
      const auto value = static_cast<double>(A.values(e));
      if (diagonal < 0 ? !(value > 0) : !(value < 0)) continue;
      const Offset n = place_in_row(i, A.columns(e));
      if (n < N.offsets(i + 1)) add(n, coupling * (value / sum));
    }
    return 0;
  }

  /// Where N's row i has the point j; its end where it has not. Rows may be unsorted.
  KOKKOS_FUNCTION Offset place_in_row(Ordinal i, Ordinal j) const {
    const Ordinal number = coarse_number(j);
    Offset n = number < 0 ? N.offsets(i + 1) : N.offsets(i);
    while (n < N.offsets(i + 1) && N.columns(n) != number)
      ++n;
    return n;
  }

  KOKKOS_FUNCTION void add(Offset n, double term) const {
    N.values(n) = static_cast<Scalar>(static_cast<double>(N.values(n)) + term);
  }
};

}  // namespace detail

template <class Space, class Offset>
kernels::Graph<Space, Offset> fine_dependences(const Space& exec,
                                               const kernels::Graph<Space, Offset>& strong,
                                               const Array<const Ordinal, Space>& coarse_number) {
  const Ordinal n = strong.num_nodes;
  const detail::FineDependences<Space, Offset> rows{strong, coarse_number};
  const auto offsets = allocate<Offset>(exec, "tessera::interpolation::fine_offsets", n + 1ul);
  Kokkos::parallel_for(
      "tessera::interpolation::fine_count", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset count = 0;
        rows.for_each(i, [&](Ordinal) { ++count; });
        offsets(i) = count;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::interpolation::fine_columns", total);
  Kokkos::parallel_for(
      "tessera::interpolation::fine_columns", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset at = offsets(i);
        rows.for_each(i, [&](Ordinal j) { columns(at++) = j; });
      });
  return {n, offsets, columns};
}

template <class Scalar, class Space, class Offset>
void fill_modified_interpolation(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 const InterpolationFactors<Scalar, Space, Offset>& factors) {
  Kokkos::parallel_for("tessera::interpolation::modified_weights",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                       detail::ModifiedWeights<Scalar, Space, Offset>{
                           A, factors.M, factors.N, factors.fine, factors.coarse_number});
}

TESSERA_FOR_EACH_GRAPH(TESSERA_INSTANTIATE_FUNCTION, fine_dependences)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_modified_interpolation)

}  // namespace tessera::amg
