// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What is asked of a matrix that is distributed over processes: its rows here, its diagonal.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/tpetra/distributed_cycle.hpp"

#include <Tpetra_Operator.hpp>

#include <Teuchos_CommHelpers.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::tpetra {
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

/// The own columns and behind them `others`, by global number.
template <class Map>
Teuchos::RCP<const Map> column_map(const Map& own, const std::vector<std::int64_t>& others) {
  using GlobalOrdinal = typename Map::global_ordinal_type;
  const auto first = own.getLocalElementList();
  std::vector<GlobalOrdinal> all(first.begin(), first.end());
  all.insert(all.end(), others.begin(), others.end());
  return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                              Teuchos::arrayViewFromVector(all), own.getIndexBase(),
                              own.getComm()));
}

/// Local rows as a matrix of Tpetra; `domain` is `columns` where it is left out.
template <class Matrix>
Teuchos::RCP<Matrix> as_tpetra(
    const kernels::Csr<double, typename Matrix::execution_space, std::int64_t>& local,
    const Teuchos::RCP<const typename Matrix::map_type>& rows,
    const Teuchos::RCP<const typename Matrix::map_type>& columns,
    const Teuchos::RCP<const typename Matrix::map_type>& domain = Teuchos::null) {
  using LocalMatrix = typename Matrix::local_matrix_device_type;
  using Offsets = typename LocalMatrix::row_map_type::non_const_type;
  const Offsets offsets("tessera::tpetra::offsets", local.num_rows + 1);
  const typename LocalMatrix::index_type entries("tessera::tpetra::columns", local.num_entries());
  const typename LocalMatrix::values_type values("tessera::tpetra::values", local.num_entries());
  if (local.num_rows > 0) {
    const Kokkos::View<std::int64_t*, typename Offsets::device_type,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        same_bits(reinterpret_cast<std::int64_t*>(offsets.data()), offsets.extent(0));
    Kokkos::deep_copy(same_bits, local.offsets);
    Kokkos::deep_copy(entries, local.columns);
    Kokkos::deep_copy(values, local.values);
  }
  const LocalMatrix matrix("tessera::tpetra::matrix", local.num_rows, local.num_cols,
                           local.num_entries(), values, offsets, entries);
  return Teuchos::rcp(new Matrix(matrix, rows, columns, domain.is_null() ? columns : domain, rows));
}

/// D^-1 as a vector: 0 where the diagonal is.
template <class Vectors, class Matrix>
Teuchos::RCP<Vectors> inverse_diagonal(const Matrix& A) {
  Tpetra::Vector<double, int, typename Matrix::global_ordinal_type, typename Matrix::node_type>
      diagonal(A.getRowMap());
  A.getLocalDiagCopy(diagonal);
  const auto inverse = Teuchos::rcp(new Vectors(diagonal, Teuchos::Copy));
  const auto local = inverse->getLocalViewHost(Tpetra::Access::ReadWrite);
  for (std::size_t i = 0; i < local.extent(0); ++i)
    local(i, 0) = local(i, 0) != 0 ? 1 / local(i, 0) : 0;
  return inverse;
}

}  // namespace distributed_detail

template <class GlobalOrdinal, class Node>
bool looks_symmetric(const Tpetra::Operator<double, int, GlobalOrdinal, Node>& A) {
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  const auto map = A.getDomainMap();
  Vectors uv(map, 2);
  {
    const auto local = uv.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < local.extent(0); ++i) {
      const auto row = static_cast<double>(map->getGlobalElement(static_cast<int>(i)));
      local(i, 0) = std::sin(1 + 78.233 * row);
      local(i, 1) = std::sin(2 + 43.671 * row);
    }
  }
  Vectors products(map, 2);
  A.apply(uv, products);
  const auto u = uv.getVector(0);
  const auto v = uv.getVector(1);
  const double one = products.getVector(0)->dot(*v);
  const double other = products.getVector(1)->dot(*u);
  const double size = products.getVector(0)->norm2() * v->norm2();
  return std::abs(one - other) <= 1e-10 * size;
}

}  // namespace tessera::tpetra
