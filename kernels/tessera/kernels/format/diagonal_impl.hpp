// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition of `extract_diagonal`.
#pragma once

#include "tessera/kernels/error.hpp"
#include "tessera/kernels/format/diagonal.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
void extract_diagonal(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                      const NonDeduced<ArrayView<Scalar, Space>>& d) {
  require(d.extent(0) == static_cast<std::size_t>(A.num_rows), [&] {
    return "d has length " + std::to_string(d.extent(0)) + ", expected " +
           std::to_string(A.num_rows);
  });
  Kokkos::parallel_for(
      "tessera::extract_diagonal", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal row) {
        Scalar diagonal = 0;
        const Offset end = A.offsets(row + 1);
        for (Offset entry = A.offsets(row); entry < end; ++entry) {
          if (A.columns(entry) == row) {
            diagonal = A.values(entry);
            break;
          }
        }
        d(row) = diagonal;
      });
}

}  // namespace tessera::kernels
