// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/matrix/crs_matrix.hpp"

#include <string>
#include <utility>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/error.hpp"

namespace tessera {
namespace detail {

/// The same arrays, and one offset where a matrix without rows comes without any.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> with_an_offset(const Space& exec,
                                                   kernels::Csr<Scalar, Space, Offset> A) {
  if (A.num_rows == 0 && A.offsets.extent(0) == 0) {
    A.offsets = Array<Offset, Space>(Kokkos::view_alloc(exec, "tessera::offsets"), 1);
  }
  return A;
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> with_fitting_lengths(kernels::Csr<Scalar, Space, Offset> A) {
  require(A.num_rows >= 0 && A.num_cols >= 0, [&] {
    return "the matrix is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           ", expected sizes that are not negative";
  });
  require(A.offsets.extent(0) == static_cast<std::size_t>(A.num_rows) + 1, [&] {
    return "offsets has length " + std::to_string(A.offsets.extent(0)) +
           ", expected num_rows + 1, " + std::to_string(static_cast<std::size_t>(A.num_rows) + 1);
  });
  require(A.columns.extent(0) == A.values.extent(0), [&] {
    return "columns has length " + std::to_string(A.columns.extent(0)) + " and values has length " +
           std::to_string(A.values.extent(0)) + ", expected the same";
  });
  return A;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
CrsMatrix<Scalar, Space, Offset>::CrsMatrix(const Space& exec, arrays_type arrays,
                                            std::shared_ptr<const void> owner)
    : StoredCsr<Scalar, Space, Offset>(
          exec, detail::with_fitting_lengths(detail::with_an_offset(exec, std::move(arrays))),
          std::move(owner)) {}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, CrsMatrix)

}  // namespace tessera
