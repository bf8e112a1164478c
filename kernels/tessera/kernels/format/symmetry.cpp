// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/symmetry.hpp"

#include "tessera/kernels/format/detail/merge_rows.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

struct Asymmetry {
  double difference = 0;
  double entry = 0;
  std::int64_t unmatched = 0;

  KOKKOS_INLINE_FUNCTION Asymmetry& operator+=(const Asymmetry& other) {
    if (other.difference > difference || Kokkos::isnan(other.difference)) {
      difference = other.difference;
    }
    entry = Kokkos::max(entry, other.entry);
    unmatched += other.unmatched;
    return *this;
  }
};

template <class Scalar, class Space, class Offset>
Asymmetry compare_rows(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                       const CsrView<Scalar, Space, Offset>& B) {
  Asymmetry all;
  Kokkos::parallel_reduce(
      "tessera::measure_symmetry", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row, Asymmetry& mine) {
        merge_rows(A, B, row, [&](Ordinal, Scalar a, bool in_a, Scalar b, bool in_b) {
          const double difference = a == b ? 0.0 : static_cast<double>(a) - static_cast<double>(b);
          mine += Asymmetry{Kokkos::abs(difference), Kokkos::abs(static_cast<double>(a)),
                            in_a == in_b ? 0 : 1};
        });
      },
      all);
  return all;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
Symmetry measure_symmetry(const Space& exec, const CsrView<Scalar, Space, Offset>& A) {
  if (A.num_rows != A.num_cols) return {};
  const Csr<Scalar, Space, Offset> transposed = transpose(exec, A);
  Csr<Scalar, Space, Offset> sorted;
  const bool ready = rows_sorted(exec, A);
  if (!ready) sorted = sort_rows(exec, A);
  const detail::Asymmetry all =
      detail::compare_rows(exec, ready ? A : sorted.view(), transposed.view());
  return {true, all.unmatched == 0, all.difference, all.entry};
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template Symmetry measure_symmetry(const Space& exec, const CsrView<Scalar, Space, Offset>& A);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)

#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
