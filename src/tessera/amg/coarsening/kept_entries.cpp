// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/kept_entries.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {
namespace detail {

/// Which entries of a row are kept.
template <class Scalar, class Space, class Offset>
struct KeptEntries {
  kernels::CsrView<Scalar, Space, Offset> A;
  double drop;

  KOKKOS_FUNCTION float magnitude(Offset k) const {
    return Kokkos::abs(static_cast<float>(A.values(k)));
  }
  template <class Keep>
  KOKKOS_FUNCTION void for_each(Ordinal i, const Keep& keep) const {
    float largest = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k)
      largest = Kokkos::max(largest, magnitude(k));
    const auto least = static_cast<float>(drop * static_cast<double>(largest));
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      // A NaN stays, for setup to find.
      if (A.columns(k) == i || !(magnitude(k) < least)) keep(A.columns(k));
    }
  }
};

/// The values of a row.
template <class Scalar, class Space, class Offset>
struct CopyKept {
  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::Csr<Scalar, Space, Offset> B;
  bool lumps;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Offset end = B.offsets(i + 1);
    Offset at = B.offsets(i);
    Offset diagonal = end;
    double dropped = 0;
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      if (at == end || B.columns(at) != A.columns(k)) {
        dropped += static_cast<double>(A.values(k));
        continue;
      }
      if (A.columns(k) == i) diagonal = at;
      B.values(at++) = A.values(k);
    }
    if (lumps && diagonal < end)
      B.values(diagonal) = static_cast<Scalar>(static_cast<double>(B.values(diagonal)) + dropped);
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> kept_pattern(const Space& exec,
                                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                                 double drop) {
  const detail::KeptEntries<Scalar, Space, Offset> kept{A, drop};
  const auto offsets = allocate<Offset>(exec, "tessera::kept_entries::offsets", A.num_rows + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
  Kokkos::parallel_for(
      "tessera::kept_entries::count", rows, KOKKOS_LAMBDA(const Ordinal i) {
        Offset count = 0;
        kept.for_each(i, [&](Ordinal) { ++count; });
        offsets(i) = count;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::kept_entries::columns", total);
  Kokkos::parallel_for(
      "tessera::kept_entries::columns", rows, KOKKOS_LAMBDA(const Ordinal i) {
        Offset at = offsets(i);
        kept.for_each(i, [&](Ordinal j) { columns(at++) = j; });
      });
  return {A.num_rows, A.num_cols, offsets, columns, {}};
}

template <class Scalar, class Space, class Offset>
void copy_kept(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A, bool lumps,
               const kernels::Csr<Scalar, Space, Offset>& B) {
  Kokkos::parallel_for("tessera::kept_entries::values",
                       Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                       detail::CopyKept<Scalar, Space, Offset>{A, B, lumps});
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, kept_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, copy_kept)

}  // namespace tessera::amg
