// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The transpose of a matrix that is distributed over processes, in rows of each.
#pragma once

#include "tessera/tpetra/distributed_cycle_impl.hpp"
#include "tessera/tpetra/distributed_matrix_impl.hpp"
#include "tessera/tpetra/distributed_rows.hpp"
#include "tessera/tpetra/on_all_processes.hpp"

#include <Tpetra_RowMatrixTransposer.hpp>

#include <map>
#include <numeric>
#include <vector>

namespace tessera::tpetra::distributed_detail {

template <class Matrix>
Teuchos::RCP<const Matrix> transpose_of(const Teuchos::RCP<const Matrix>& A) {
  Tpetra::RowMatrixTransposer<double, int, typename Matrix::global_ordinal_type,
                              typename Matrix::node_type>
      transposer(A);
  return transposer.createTranspose();
}

/// Global numbers of what the matrix's importer brings from others, in that order.
template <class Matrix>
std::vector<typename Matrix::global_ordinal_type> remote_columns(const Matrix& A) {
  std::vector<typename Matrix::global_ordinal_type> columns;
  const auto importer = A.getGraph()->getImporter();
  if (importer.is_null()) return columns;
  for (const int column : importer->getRemoteLIDs())
    columns.push_back(A.getColMap()->getGlobalElement(column));
  return columns;
}

/// A^T in rows of this process, over whose unknowns A's rows and columns are. Collective.
template <class Matrix>
DistributedTranspose<typename Matrix::execution_space> transposed_rows(
    const typename Matrix::execution_space& exec, const Teuchos::RCP<const Matrix>& A,
    int block_size) {
  using Space = typename Matrix::execution_space;
  const auto At = transpose_of(A);
  const auto importer = At->getGraph()->getImporter();
  DistributedTranspose<Space> result{
      {{},
       block_size,
       Exchange<double, Space>(importer),
       RowExchange<Space>(importer, RowExchange<Space>::Direction::forward),
       {}},
      {},
      0};
  on_all_processes(*A->getRowMap()->getComm(), [&] {
    result.rows.A = distributed_levels_detail::whole_rows<double>(exec, *At);
    exec.fence("tessera::tpetra::transposed_rows");
    const auto own = static_cast<Ordinal>(A->getDomainMap()->getLocalNumElements());
    const auto known = remote_columns(*A);
    std::map<typename Matrix::global_ordinal_type, Ordinal> number;
    Ordinal next = own;
    for (const auto column : known)
      number.emplace(column, next++);
    result.columns_of_A.resize(static_cast<std::size_t>(own));
    std::iota(result.columns_of_A.begin(), result.columns_of_A.end(), 0);
    for (const auto column : remote_columns(*At)) {
      const auto place = number.emplace(column, next);
      if (place.second) ++next;
      result.columns_of_A.push_back(place.first->second);
    }
    result.num_columns = next;
  });
  return result;
}

/// Its values again, for new ones of A in the pattern of before. Collective.
template <class Matrix>
void take_transposed_values(const typename Matrix::execution_space& exec,
                            const Teuchos::RCP<const Matrix>& A,
                            const DistributedRows<typename Matrix::execution_space>& rows) {
  const auto At = transpose_of(A);
  on_all_processes(*A->getRowMap()->getComm(), [&] {
    rows.transposed->rows.A = distributed_levels_detail::whole_rows<double>(exec, *At);
    exec.fence("tessera::tpetra::take_transposed_values");
  });
}

}  // namespace tessera::tpetra::distributed_detail
