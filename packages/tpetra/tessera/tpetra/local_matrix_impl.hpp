// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera reads of a matrix of Tpetra: its rows on this process, as its own numbers them.
#pragma once

#include "tessera/distributed/diagonal_block.hpp"
#include "tessera/distributed/distributed_operator.hpp"
#include "tessera/distributed/matrix.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/tpetra/processes.hpp"

#include <Tpetra_CrsMatrix.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace tessera::tpetra {

using distributed::DistributedOperator;

namespace distributed_detail {

/// A's rows on this process with the columns of A's column map; valid as long as A.
template <class Matrix>
auto local_view(const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto local = A.getLocalMatrixDevice();
  const auto& rows = local.graph.row_map;
  return kernels::CsrView<double, Space, std::int64_t>{
      static_cast<Ordinal>(local.numRows()),
      static_cast<Ordinal>(local.numCols()),
      local.graph.entries.extent(0),
      ArrayView<const std::int64_t, Space>(reinterpret_cast<const std::int64_t*>(rows.data()),
                                           rows.extent(0)),
      ArrayView<const Ordinal, Space>(local.graph.entries.data(), local.graph.entries.extent(0)),
      ArrayView<const double, Space>(local.values.data(), local.values.extent(0))};
}

/// For each column of A's column map its number in A's domain map on this process, -1 for other
/// processes'.
template <class Matrix>
auto own_columns(const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto& columns = *A.getColMap();
  const auto& domain = *A.getDomainMap();
  const auto count = static_cast<Ordinal>(columns.getLocalNumElements());
  const Kokkos::View<Ordinal*, Kokkos::HostSpace> numbers("tessera::tpetra::own_columns", count);
  for (Ordinal j = 0; j < count; ++j)
    numbers(j) = domain.getLocalElement(columns.getGlobalElement(j));
  const Space exec;
  const auto on_device = allocate<Ordinal>(exec, "tessera::tpetra::own_columns", count);
  Kokkos::deep_copy(exec, on_device, numbers);
  return on_device;
}

/// For each column of A's column map its place among what A's importer brings from other processes,
/// -1 for this process's own.
template <class Matrix>
auto ghost_columns(const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto count = static_cast<Ordinal>(A.getColMap()->getLocalNumElements());
  const Kokkos::View<Ordinal*, Kokkos::HostSpace> numbers("tessera::tpetra::ghost_columns", count);
  Kokkos::deep_copy(numbers, -1);
  const auto importer = A.getGraph()->getImporter();
  if (!importer.is_null()) {
    Ordinal place = 0;
    for (const int column : importer->getRemoteLIDs())
      numbers(column) = place++;
  }
  const Space exec;
  const auto on_device = allocate<Ordinal>(exec, "tessera::tpetra::ghost_columns", count);
  Kokkos::deep_copy(exec, on_device, numbers);
  return on_device;
}

/// Whether A's columns are all this process's own, in the domain map's order.
template <class Matrix>
bool has_own_columns_alone(const Matrix& A) {
  const auto importer = A.getGraph()->getImporter();
  if (importer.is_null()) return true;
  const auto columns = A.getColMap()->getLocalNumElements();
  return importer->getNumSameIDs() == columns && A.getDomainMap()->getLocalNumElements() == columns;
}

}  // namespace distributed_detail

namespace distributed_levels_detail {

/// A's rows on this process for Tessera's kernels.
template <class Working, class Matrix>
std::shared_ptr<const SparseOperator<Working, typename Matrix::execution_space>> distributed(
    const typename Matrix::execution_space& exec, const Teuchos::RCP<const Matrix>& A,
    const StorageParameters& storage) {
  using Space = typename Matrix::execution_space;
  using Given = kernels::Csr<double, Space, std::int64_t>;
  const auto view = distributed_detail::local_view(*A);
  distributed::Exchange<Working, Space> exchange(plan_of(exec, A->getGraph()->getImporter()));
  const Given ghost = distributed::kept_columns(exec, view, distributed_detail::ghost_columns(*A),
                                                exchange.num_remote());
  Given own;
  std::shared_ptr<const void> owner;
  if (distributed_detail::has_own_columns_alone(*A)) {
    own = distributed::shared_rows(view);
    owner = std::make_shared<Teuchos::RCP<const Matrix>>(A);
  } else {
    own = distributed::kept_columns(exec, view, distributed_detail::own_columns(*A),
                                    static_cast<Ordinal>(A->getDomainMap()->getLocalNumElements()));
  }
  return std::make_shared<DistributedOperator<Working, Space>>(exec, own, ghost,
                                                               std::move(exchange), storage, owner);
}

/// Numbers the columns of A's column map: own ones as the rows, the others behind them.
template <class Space>
struct NumberColumns {
  Array<Ordinal, Space> own, ghost;
  Ordinal rows;
  Array<Ordinal, Space> numbers;

  KOKKOS_FUNCTION void operator()(Ordinal j) const {
    numbers(j) = ghost(j) >= 0 ? rows + ghost(j) : own(j);
  }
};

/// Numbers from `first` on, as doubles.
template <class Space>
struct NumberFrom {
  distributed::Partition::Global first;
  MultiVector<double, Space> numbers;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    numbers(i, 0) = static_cast<double>(first + i);
  }
};

/// Such numbers that have come.
template <class Space>
struct NumberOf {
  ArrayView<const double, Space> come;
  Array<std::int64_t, Space> numbers;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    numbers(i) = static_cast<std::int64_t>(come(i));
  }
};

/// The numbers of the columns of all entries.
template <class Columns, class Space>
struct NumberEntries {
  Columns given;
  Array<Ordinal, Space> numbers, columns;

  KOKKOS_FUNCTION void operator()(std::size_t e) const { columns(e) = numbers(given(e)); }
};

/// A whole row of A on this process, its own columns numbered as its rows, the others behind them;
/// offsets and values are A's.
template <class Matrix>
kernels::Csr<double, typename Matrix::execution_space, std::int64_t> whole_rows(
    const typename Matrix::execution_space& exec, const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto own = distributed_detail::own_columns(A);
  const auto ghost = distributed_detail::ghost_columns(A);
  const auto rows = static_cast<Ordinal>(A.getDomainMap()->getLocalNumElements());
  const auto numbers = allocate<Ordinal>(exec, "tessera::tpetra::numbers", own.extent(0));
  Kokkos::parallel_for("tessera::tpetra::numbers",
                       Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(own.extent(0))),
                       NumberColumns<Space>{own, ghost, rows, numbers});
  // The column map may lack own columns that have no entry.
  const auto importer = A.getGraph()->getImporter();
  const auto others = importer.is_null() ? 0 : static_cast<Ordinal>(importer->getNumRemoteIDs());
  auto whole = distributed::shared_rows(distributed_detail::local_view(A));
  const auto given = whole.columns;
  const auto columns = allocate<Ordinal>(exec, "tessera::tpetra::columns",
                                         static_cast<std::size_t>(given.extent(0)));
  Kokkos::parallel_for(
      "tessera::tpetra::columns",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, given.extent(0)),
      NumberEntries<decltype(whole.columns), Space>{given, numbers, columns});
  whole.columns = columns;
  whole.num_cols = rows + others;
  return whole;
}

/// Global numbers from the base on.
template <class Given, class Space>
struct NumbersFromBase {
  Given given;
  Array<std::int64_t, Space> numbers;
  std::int64_t base;

  KOKKOS_INLINE_FUNCTION void operator()(const std::size_t i) const {
    numbers(i) = static_cast<std::int64_t>(given(i)) - base;
  }
};

}  // namespace distributed_levels_detail

/// The global numbers of the map's rows here, from its index base on; none where these are the
/// processes' rows one after the other.
template <class Space, class Map>
distributed::GivenNumbers<Space> numbers_of(const Space& exec, const Map& map) {
  if (map.isContiguous()) return std::nullopt;
  const auto given = map.getMyGlobalIndicesDevice();
  const auto numbers = allocate<std::int64_t>(exec, "tessera::tpetra::numbers", given.extent(0));
  const distributed_levels_detail::NumbersFromBase<std::decay_t<decltype(given)>, Space> count{
      given, numbers, static_cast<std::int64_t>(map.getIndexBase())};
  Kokkos::parallel_for(
      "tessera::tpetra::numbers",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, given.extent(0)), count);
  exec.fence("tessera::tpetra::numbers");
  return numbers;
}

/// The matrix for the levels of `tessera::distributed`, in rows numbered through by process. The
/// arrays are A's where it has no column of another process here. Collective.
template <class Matrix>
distributed::Matrix<typename Matrix::execution_space> matrix_of(
    const typename Matrix::execution_space& exec, const Teuchos::RCP<const Matrix>& A) {
  using Space = typename Matrix::execution_space;
  distributed::Matrix<Space> made;
  if (A.is_null()) return made;
  const auto own = static_cast<Ordinal>(A->getDomainMap()->getLocalNumElements());
  made.processes = communicator_of(A->getRowMap()->getComm());
  made.row_shares = std::make_shared<distributed::Partition>(
      *made.processes, static_cast<Ordinal>(A->getRowMap()->getLocalNumElements()));
  made.column_shares = std::make_shared<distributed::Partition>(*made.processes, own);
  const auto importer = A->getGraph()->getImporter();
  if (!importer.is_null()) {
    // Ghosts are behind all own columns, whatever their places in Tpetra's column map.
    distributed::HaloLists lists;
    distributed::on_all_processes(*made.processes, [&] { lists = halo_lists_of(*importer); });
    made.halo = distributed::halo_plan(exec, made.processes, *made.column_shares, lists);
    // Their numbers come from those who have them, as doubles that hold each.
    const auto first = made.column_shares->first();
    distributed::Exchange<double, Space> exchange(made.halo);
    MultiVector<double, Space> numbers;
    Array<std::int64_t, Space> ghosts;
    distributed::on_all_processes(*made.processes, [&] {
      exchange.reserve(1, false);
      ghosts = allocate<std::int64_t>(exec, "tessera::tpetra::ghosts",
                                      static_cast<std::size_t>(exchange.num_remote()));
      numbers = allocate_multivector<double>(exec, "tessera::tpetra::numbers",
                                             static_cast<std::size_t>(own));
    });
    Kokkos::parallel_for("tessera::tpetra::numbers", Kokkos::RangePolicy<Space>(exec, 0, own),
                         distributed_levels_detail::NumberFrom<Space>{first, numbers});
    exchange.begin(exec, numbers);
    const auto come = exchange.end(exec);
    Kokkos::parallel_for("tessera::tpetra::ghosts",
                         Kokkos::RangePolicy<Space>(exec, 0, exchange.num_remote()),
                         distributed_levels_detail::NumberOf<Space>{come, ghosts});
    exec.fence("tessera::tpetra::matrix_of");
    made.ghosts = ghosts;
  }
  distributed::on_all_processes(*made.processes, [&] {
    if (distributed_detail::has_own_columns_alone(*A)) {
      made.rows = distributed::shared_rows(distributed_detail::local_view(*A));
      made.rows.num_cols = own;
    } else {
      made.rows = distributed_levels_detail::whole_rows(exec, *A);
    }
    made.owner = std::make_shared<Teuchos::RCP<const Matrix>>(A);
    exec.fence("tessera::tpetra::matrix_of");
  });
  return made;
}

/// The same of a matrix that levels are made for: with Tpetra's numbers of its rows. Collective.
template <class Matrix>
distributed::Matrix<typename Matrix::execution_space> finest_of(
    const typename Matrix::execution_space& exec, const Teuchos::RCP<const Matrix>& A) {
  auto made = matrix_of(exec, A);
  if (!made.has_share()) return made;
  distributed::on_all_processes(*made.processes,
                                [&] { made.given_numbers = numbers_of(exec, *A->getRowMap()); });
  return made;
}

}  // namespace tessera::tpetra
