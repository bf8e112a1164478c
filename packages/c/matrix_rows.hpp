// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The caller's matrix as rows, checked.
#pragma once

#include <algorithm>
#include <cstdint>

#include "c/arrays.hpp"
#include "tessera/kernels/format/mbsr/bsr_to_csr.hpp"
#include "tessera/matrix/validate.hpp"
#include "tessera/operator/error.hpp"

namespace tessera::c {

/// Throws unless the members of `A` make sense without a look at what they point to.
void require_matrix(const tessera_matrix& A);

/// Rows of one block: 1 where `A` says 0, for none.
inline std::int32_t block_size_of(const tessera_matrix& A) { return std::max(A.block_size, 1); }

/// The rows of blocks of `A`, whose values are their first ones, to look at the pattern.
template <class Scalar, class Space, class Offset>
kernels::CsrView<Scalar, Space, Offset> block_pattern(
    const kernels::BsrView<Scalar, Space, Offset>& A) {
  return {A.num_block_rows, A.num_block_cols,
          A.num_blocks,     A.offsets,
          A.columns,        ArrayView<const Scalar, Space>(A.values.data(), A.num_blocks)};
}

/// Throws where the rows of blocks are none; of the values only the whole matrix can tell.
template <class Scalar, class Space, class Offset>
void require_valid_pattern(const Space& exec, const kernels::BsrView<Scalar, Space, Offset>& A) {
  ValidationReport report = validate(exec, block_pattern(A));
  std::erase_if(report.problems, [](const MatrixProblem& problem) {
    return problem.defect == MatrixDefect::not_finite;
  });
  if (!report.valid()) throw Error(ErrorKind::bad_input, "in blocks: " + to_string(report));
}

/// The rows of `A`, for which `require_matrix` holds: seen where they lie or, with blocks and where
/// `Space` does not read them there, copied.
/// @throws Failure and Error
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> rows_of(const Space& exec, const tessera_matrix& A,
                                            tessera_memory memory) {
  const std::int32_t b = block_size_of(A);
  const auto entries = static_cast<std::size_t>(A.entries);
  Array<const Offset, Space> offsets;
  if (A.rows == 0) {  // its one offset need not be there
    const auto zero = allocate<Offset>(exec, "tessera::c::offsets", 1);
    Kokkos::deep_copy(exec, zero, Offset(0));
    offsets = zero;
  } else {
    offsets = array_of<const Offset>(exec, A.offsets, static_cast<std::size_t>(A.rows) + 1, memory,
                                     "A->offsets");
  }
  const auto columns = array_of<const Ordinal>(exec, A.columns, entries, memory, "A->columns");
  const auto values = array_of<Scalar>(exec, A.values, entries * b * b, memory, "A->values");
  const bool trusted = (A.flags & TESSERA_TRUSTED) != 0;
  kernels::Csr<Scalar, Space, Offset> matrix;
  if (b == 1) {
    matrix = {static_cast<Ordinal>(A.rows), static_cast<Ordinal>(A.rows), offsets, columns, values};
  } else {
    const kernels::BsrView<Scalar, Space, Offset> blocks{static_cast<Ordinal>(A.rows),
                                                         static_cast<Ordinal>(A.rows),
                                                         b,
                                                         entries,
                                                         offsets,
                                                         columns,
                                                         values};
    if (!trusted) require_valid_pattern(exec, blocks);
    matrix = kernels::bsr_to_csr(exec, blocks);
  }
  if (!trusted) require_valid(exec, matrix.view());
  exec.fence("tessera::c::rows_of");
  return matrix;
}

}  // namespace tessera::c
