// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/kept_entries.hpp"

#include "tessera/amg/coarsening/detail/relative_sizes.hpp"
#include "tessera/amg/coarsening/detail/selected_entries.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::amg {
namespace detail {

/// Which entries of a row are kept.
template <class Scalar, class Space, class Offset>
struct KeptEntries {
  RelativeSizes<Scalar, Space, Offset> sizes;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal i, const Visit& visit) const {
    const auto& A = sizes.A;
    const float bound = sizes.bound(i);
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      // A NaN stays, for setup to find.
      if (A.columns(k) == i || !(sizes.of(k) < bound)) visit(k);
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
  return detail::selected_pattern(exec, "tessera::kept_entries", A.num_rows, A,
                                  detail::KeptEntries<Scalar, Space, Offset>{{A, drop}});
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
