// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera's kernels read of a level's matrix and vectors: the rows on this process, and their
/// scaling.
#pragma once

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/tpetra/diagonal_block.hpp"
#include "tessera/tpetra/distributed_matrix_impl.hpp"
#include "tessera/tpetra/distributed_operator.hpp"

#include <cmath>
#include <memory>
#include <utility>

namespace tessera::tpetra::distributed_detail {

/// The largest magnitude of A's entries on all processes. Collective.
template <class Matrix>
double largest_entry(const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto values = local_view(A).values;
  double own = 0;
  const Space exec;
  Kokkos::parallel_reduce(
      "tessera::tpetra::largest_entry", Kokkos::RangePolicy<Space>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, double& most) {
        const double magnitude = Kokkos::abs(values(e));
        if (magnitude > most) most = magnitude;
      },
      Kokkos::Max<double>(own));
  exec.fence("tessera::tpetra::largest_entry");
  own = std::max(own, 0.0);  // of no entries
  double largest = 0;
  Teuchos::reduceAll(*A.getRowMap()->getComm(), Teuchos::REDUCE_MAX, own, Teuchos::outArg(largest));
  return largest;
}

/// 2^exponent A, in A's pattern. Collective.
template <class Matrix>
Teuchos::RCP<const Matrix> times_power_of_two(const Matrix& A, int exponent) {
  using Space = typename Matrix::execution_space;
  using LocalMatrix = typename Matrix::local_matrix_device_type;
  const auto local = A.getLocalMatrixDevice();
  const typename LocalMatrix::values_type values("tessera::tpetra::values", local.values.extent(0));
  const auto given = local_view(A).values;
  const double first = std::ldexp(1.0, exponent / 2);
  const double second = std::ldexp(1.0, exponent - exponent / 2);
  const Space exec;
  Kokkos::parallel_for(
      "tessera::tpetra::times_power_of_two", Kokkos::RangePolicy<Space>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { values(e) = given(e) * first * second; });
  exec.fence("tessera::tpetra::times_power_of_two");
  const LocalMatrix scaled("tessera::tpetra::matrix", local.numCols(), values, local.graph);
  return Teuchos::rcp(
      new Matrix(scaled, A.getRowMap(), A.getColMap(), A.getDomainMap(), A.getRangeMap()));
}

/// The even exponent e by which 2^-e A has entries of about 1; 0 where float has room for A's
/// anyway. Collective.
template <class Matrix>
int exponent_for_float(const Matrix& A) {
  constexpr int room = 40;
  const double largest = largest_entry(A);
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest) / 2 * 2;
  return std::abs(exponent) > room ? exponent : 0;
}

}  // namespace tessera::tpetra::distributed_detail

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
