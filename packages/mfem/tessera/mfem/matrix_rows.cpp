// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/mfem/matrix_rows.hpp"

#include "tessera/hypre/par_csr.hpp"
#include "tessera/operator/error.hpp"

#include <string>

namespace tessera::mfem {

hypre::HostRows rows_of(const ::mfem::HypreParMatrix& A) {
  A.HostRead();
  auto rows = hypre::rows_of(static_cast<hypre_ParCSRMatrix*>(A));
  A.HypreRead();
  return rows;
}

hypre::HostRows rows_of(const ::mfem::SparseMatrix& A) {
  require(A.Height() == A.Width(), [&] {
    return "the matrix is " + std::to_string(A.Height()) + " by " + std::to_string(A.Width()) +
           "; a solver is for a square one";
  });
  require(A.Finalized(), [] {
    return std::string("the matrix is still being filled; call SparseMatrix::Finalize first");
  });
  const auto n = static_cast<std::size_t>(A.Height());
  const int* const offsets = A.HostReadI();
  const auto entries = static_cast<std::size_t>(offsets[n]);
  const int* const columns = A.HostReadJ();
  const double* const values = A.HostReadData();
  hypre::HostRows rows;
  rows.offsets.assign(offsets, offsets + n + 1);
  rows.columns.assign(columns, columns + entries);
  rows.values.assign(values, values + entries);
  return rows;
}

}  // namespace tessera::mfem
