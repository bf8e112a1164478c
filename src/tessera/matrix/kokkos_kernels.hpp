// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices of Kokkos Kernels (and so Tpetra's local matrices) as Tessera's, without copying.
#pragma once

#include "tessera/kernels/format/mbsr/bsr_to_csr.hpp"
#include "tessera/matrix/crs_matrix.hpp"

#include <memory>
#include <type_traits>

#if defined(TESSERA_HAVE_KOKKOSKERNELS)
#include <KokkosSparse_BsrMatrix.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#endif

namespace tessera {
namespace detail {

/// Tessera's offset type for one of Kokkos Kernels: the signed integer of the same width, which may
/// name the same memory.
template <class SizeType>
using OffsetFor =
    std::conditional_t<sizeof(SizeType) == sizeof(std::int64_t), std::int64_t, std::int32_t>;

/// The types of Tessera that fit a matrix of Kokkos Kernels.
template <class Matrix>
struct CrsMatrixFor {
  using Scalar = typename Matrix::non_const_value_type;
  using Space = typename Matrix::execution_space;
  using SizeType = typename Matrix::non_const_size_type;
  using Offset = OffsetFor<SizeType>;
  using type = CrsMatrix<Scalar, Space, Offset>;
  static_assert(std::is_same_v<typename Matrix::non_const_ordinal_type, Ordinal>,
                "Tessera's ordinals are 32-bit signed integers");
  static_assert(std::is_same_v<std::make_signed_t<SizeType>, Offset>,
                "offsets are integers of 32 or 64 bits");
  static_assert(!std::is_const_v<typename Matrix::value_type>,
                "a matrix whose values are const cannot be shared");
};

}  // namespace detail

/// `A`, a `KokkosSparse::CrsMatrix` with 32-bit ordinals, as Tessera's. Shares its Views and keeps
/// them alive; 64-bit unsigned offsets (Tpetra's `size_t`) are read as signed. Throws where A's
/// arrays are longer or shorter than its sizes say.
template <class Matrix>
auto from_kokkos_kernels(const typename Matrix::execution_space& exec, const Matrix& A) ->
    typename detail::CrsMatrixFor<Matrix>::type {
  using Result = typename detail::CrsMatrixFor<Matrix>::type;
  using Space = typename Matrix::execution_space;
  using Offset = typename Result::offset_type;
  const auto owner = std::make_shared<const Matrix>(A);
  const auto& rows = owner->graph.row_map;
  const Array<const Offset, Space> offsets(reinterpret_cast<const Offset*>(rows.data()),
                                           rows.extent(0));
  return Result(exec,
                typename Result::arrays_type{static_cast<Ordinal>(A.numRows()),
                                             static_cast<Ordinal>(A.numCols()), offsets,
                                             owner->graph.entries, owner->values},
                owner);
}

/// `A`, a `KokkosSparse::Experimental::BsrMatrix` with 32-bit ordinals, as a view that
/// `kernels::bsr_to_csr` copies into rows, from where `kernels::csr_to_mbsr` makes tiles. Shares
/// its Views without keeping them alive.
template <class Matrix>
auto view_of_kokkos_kernels_blocks(const Matrix& A) {
  using Types = detail::CrsMatrixFor<Matrix>;
  using Space = typename Types::Space;
  using Offset = typename Types::Offset;
  const auto& rows = A.graph.row_map;
  return kernels::BsrView<typename Types::Scalar, Space, Offset>{
      static_cast<Ordinal>(A.numRows()),
      static_cast<Ordinal>(A.numCols()),
      static_cast<int>(A.blockDim()),
      A.graph.entries.extent(0),
      ArrayView<const Offset, Space>(reinterpret_cast<const Offset*>(rows.data()), rows.extent(0)),
      A.graph.entries,
      A.values};
}

}  // namespace tessera
