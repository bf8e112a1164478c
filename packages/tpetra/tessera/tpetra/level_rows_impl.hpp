// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera's kernels read of a level's matrix and vectors: the rows on this process.
#pragma once

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/tpetra/diagonal_block.hpp"
#include "tessera/tpetra/distributed_matrix_impl.hpp"
#include "tessera/tpetra/distributed_operator.hpp"

#include <memory>
#include <utility>

namespace tessera::tpetra {
namespace distributed_levels_detail {

/// A's rows on this process for Tessera's kernels.
template <class Working, class Matrix>
std::shared_ptr<const SparseOperator<Working, typename Matrix::execution_space>> distributed(
    const typename Matrix::execution_space& exec, const Teuchos::RCP<const Matrix>& A,
    const StorageParameters& storage) {
  using Space = typename Matrix::execution_space;
  using Given = kernels::Csr<double, Space, std::int64_t>;
  const auto view = distributed_detail::local_view(*A);
  Exchange<Working, Space> exchange(A->getGraph()->getImporter());
  const Given ghost =
      kept_columns(exec, view, distributed_detail::ghost_columns(*A), exchange.num_remote());
  Given own;
  std::shared_ptr<const void> owner;
  if (distributed_detail::has_own_columns_alone(*A)) {
    own = {view.num_rows, static_cast<Ordinal>(A->getDomainMap()->getLocalNumElements()),
           Array<const std::int64_t, Space>(view.offsets.data(), view.offsets.extent(0)),
           Array<const Ordinal, Space>(view.columns.data(), view.columns.extent(0)),
           Array<double, Space>(const_cast<double*>(view.values.data()), view.values.extent(0))};
    owner = std::make_shared<Teuchos::RCP<const Matrix>>(A);
  } else {
    own = kept_columns(exec, view, distributed_detail::own_columns(*A),
                       static_cast<Ordinal>(A->getDomainMap()->getLocalNumElements()));
  }
  return std::make_shared<DistributedOperator<Working, Space>>(exec, own, ghost,
                                                               std::move(exchange), storage, owner);
}

/// A whole row of A on this process, its own columns numbered as its rows, the others behind them.
template <class Working, class Matrix>
kernels::Csr<Working, typename Matrix::execution_space, std::int64_t> whole_rows(
    const typename Matrix::execution_space& exec, const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto own = distributed_detail::own_columns(A);
  const auto ghost = distributed_detail::ghost_columns(A);
  const auto rows = static_cast<Ordinal>(A.getDomainMap()->getLocalNumElements());
  const auto numbers = allocate<Ordinal>(exec, "tessera::tpetra::numbers", own.extent(0));
  Kokkos::parallel_for(
      "tessera::tpetra::numbers",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(own.extent(0))),
      KOKKOS_LAMBDA(const Ordinal j) { numbers(j) = ghost(j) >= 0 ? rows + ghost(j) : own(j); });
  // The column map may lack own columns that have no entry.
  const auto importer = A.getGraph()->getImporter();
  const auto others = importer.is_null() ? 0 : static_cast<Ordinal>(importer->getNumRemoteIDs());
  return kernels::convert_values<Working>(
      exec, kept_columns(exec, distributed_detail::local_view(A), numbers, rows + others));
}

/// The vector's part on this process.
template <class Working, class Space, class Vectors>
Array<Working, Space> local_copy(const Space& exec, const Vectors& v) {
  const auto copy = allocate<Working>(exec, "tessera::tpetra::diagonal", v.getLocalLength());
  if (copy.extent(0) > 0)
    kernels::copy(exec,
                  ConstMultiVectorView<double, Space>(
                      as_multivector(v.getLocalViewDevice(Tpetra::Access::ReadOnly))),
                  MultiVectorView<Working, Space>(as_multivector(copy)));
  return copy;
}

}  // namespace distributed_levels_detail
}  // namespace tessera::tpetra
