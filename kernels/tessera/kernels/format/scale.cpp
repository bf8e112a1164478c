// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/format/scale.hpp"

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::kernels {
namespace detail {

inline void require_diagonal(std::size_t length, Ordinal expected) {
  require(length == static_cast<std::size_t>(expected), [&] {
    return "d has length " + std::to_string(length) + ", expected " + std::to_string(expected);
  });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void scale_rows(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                const NonDeduced<ArrayView<const Scalar, Space>>& d) {
  detail::require_diagonal(d.extent(0), A.num_rows);
  const auto offsets = A.offsets;
  const auto values = A.values;
  Kokkos::parallel_for(
      "tessera::scale_rows", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        const Scalar factor = d(row);
        const Offset end = offsets(row + 1);
        for (Offset entry = offsets(row); entry < end; ++entry)
          values(entry) *= factor;
      });
}

template <class Scalar, class Space, class Offset>
void scale_columns(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                   const NonDeduced<ArrayView<const Scalar, Space>>& d) {
  detail::require_diagonal(d.extent(0), A.num_cols);
  const auto columns = A.columns;
  const auto values = A.values;
  Kokkos::parallel_for(
      "tessera::scale_columns", Kokkos::RangePolicy<Space>(exec, 0, A.num_entries()),
      KOKKOS_LAMBDA(const std::size_t entry) { values(entry) *= d(columns(entry)); });
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                    \
  template void scale_rows(const Space& exec, const Csr<Scalar, Space, Offset>& A,    \
                           const NonDeduced<ArrayView<const Scalar, Space>>& d);      \
  template void scale_columns(const Space& exec, const Csr<Scalar, Space, Offset>& A, \
                              const NonDeduced<ArrayView<const Scalar, Space>>& d);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
