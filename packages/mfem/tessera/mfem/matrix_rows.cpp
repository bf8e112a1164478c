// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/mfem/matrix_rows.hpp"

#include "tessera/hypre/par_csr.hpp"
#include "tessera/operator/error.hpp"

#include <string>

namespace tessera::mfem {

hypre::HostParts parts_of(const ::mfem::HypreParMatrix& A) {
  A.HostRead();
  auto parts = hypre::parts_of(static_cast<hypre_ParCSRMatrix*>(A));
  A.HypreRead();
  return parts;
}

hypre::HostParts parts_of(const ::mfem::SparseMatrix& A) {
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
  hypre::HostParts parts;
  parts.num_rows = A.Height();
  parts.own = {hypre::shared_integers<std::int64_t>(offsets, n + 1),
               hypre::shared_integers<Ordinal>(A.HostReadJ(), entries), A.HostReadData()};
  return parts;
}

}  // namespace tessera::mfem
