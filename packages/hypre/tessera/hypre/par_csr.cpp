// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hypre/par_csr.hpp"

#include "tessera/operator/error.hpp"

#include <string>
#include <type_traits>

namespace tessera::hypre {
namespace {

static_assert(std::is_same_v<HYPRE_Complex, double>,
              "Tessera takes hypre's matrices where its numbers are doubles");

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::precondition, message);
}

bool is_on_host(HYPRE_MemoryLocation location) {
  return hypre_GetActualMemLocation(location) != hypre_MEMORY_DEVICE;
}

/// Of n rows.
std::size_t num_entries(const hypre_CSRMatrix& part, HYPRE_Int n) {
  const HYPRE_Int* const offsets = hypre_CSRMatrixI(&part);
  return offsets == nullptr ? 0 : static_cast<std::size_t>(offsets[n]);
}

/// The row's entries to `at` in `rows`; returns the place behind them.
std::size_t write_row(const hypre_CSRMatrix& part, HYPRE_Int row, const HYPRE_BigInt* numbers,
                      HYPRE_BigInt first, std::size_t at, HostRows& rows) {
  const HYPRE_Int* const offsets = hypre_CSRMatrixI(&part);
  if (offsets == nullptr) return at;  // without entries hypre need not have the arrays
  const HYPRE_Int* const columns = hypre_CSRMatrixJ(&part);
  const HYPRE_Complex* const values = hypre_CSRMatrixData(&part);
  for (HYPRE_Int e = offsets[row]; e < offsets[row + 1]; ++e, ++at) {
    rows.columns[at] = numbers != nullptr ? numbers[columns[e]] : first + columns[e];
    rows.values[at] = values[e];
  }
  return at;
}

}  // namespace

HostRows rows_of(hypre_ParCSRMatrix* A) {
  const hypre_CSRMatrix* const diag = hypre_ParCSRMatrixDiag(A);
  const hypre_CSRMatrix* const offd = hypre_ParCSRMatrixOffd(A);
  if (diag == nullptr || offd == nullptr)
    refuse("the matrix has no entries yet; assemble it first (HYPRE_IJMatrixAssemble)");
  const auto text = [](auto number) { return std::to_string(static_cast<long long>(number)); };
  if (hypre_ParCSRMatrixGlobalNumRows(A) != hypre_ParCSRMatrixGlobalNumCols(A))
    refuse("the matrix is " + text(hypre_ParCSRMatrixGlobalNumRows(A)) + " by " +
           text(hypre_ParCSRMatrixGlobalNumCols(A)) + "; a solver is for a square one");
  const HYPRE_Int n = hypre_CSRMatrixNumRows(diag);
  const HYPRE_BigInt first = hypre_ParCSRMatrixFirstColDiag(A);
  if (hypre_CSRMatrixNumCols(diag) != n || hypre_ParCSRMatrixFirstRowIndex(A) != first)
    refuse("this process has the " + text(n) + " rows from " +
           text(hypre_ParCSRMatrixFirstRowIndex(A)) + " on and the " +
           text(hypre_CSRMatrixNumCols(diag)) + " columns from " + text(first) +
           " on; both have to be shared out in the same way");
  if (!is_on_host(hypre_CSRMatrixMemoryLocation(diag)) ||
      !is_on_host(hypre_CSRMatrixMemoryLocation(offd)))
    refuse(
        "the matrix lies in a device's memory; bring it to the host's by "
        "HYPRE_IJMatrixMigrate(matrix, HYPRE_MEMORY_HOST), or build it there");
  const HYPRE_BigInt* const others = hypre_ParCSRMatrixColMapOffd(A);
  const bool has_others = hypre_CSRMatrixNumCols(offd) > 0;
  HostRows rows;
  rows.offsets.reserve(static_cast<std::size_t>(n) + 1);
  const auto entries = num_entries(*diag, n) + (has_others ? num_entries(*offd, n) : 0);
  rows.columns.resize(entries);
  rows.values.resize(entries);
  std::size_t at = 0;
  for (HYPRE_Int i = 0; i < n; ++i) {
    at = write_row(*diag, i, nullptr, first, at, rows);
    if (has_others) at = write_row(*offd, i, others, 0, at, rows);
    rows.offsets.push_back(static_cast<std::int64_t>(at));
  }
  return rows;
}

double* entries_of(hypre_ParVector* vector, std::int64_t rows, const char* name) {
  const std::string called = name;
  if (vector == nullptr) refuse(called + " is a null pointer");
  const hypre_Vector* const own = hypre_ParVectorLocalVector(vector);
  if (own == nullptr) refuse(called + " has no entries yet; assemble it first");
  if (hypre_VectorNumVectors(own) != 1)
    refuse(called + " has " + std::to_string(hypre_VectorNumVectors(own)) +
           " columns; take one at a time");
  if (static_cast<std::int64_t>(hypre_VectorSize(own)) != rows)
    refuse(called + " has " + std::to_string(hypre_VectorSize(own)) +
           " entries on this process, expected " + std::to_string(rows));
  if (!is_on_host(hypre_VectorMemoryLocation(own)))
    refuse(called +
           " lies in a device's memory; bring it to the host's by "
           "HYPRE_IJVectorMigrate(vector, HYPRE_MEMORY_HOST), or build it there");
  return hypre_VectorData(own);
}

}  // namespace tessera::hypre
