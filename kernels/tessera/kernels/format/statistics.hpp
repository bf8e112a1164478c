// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lengths of the rows of a CSR matrix. The function waits for its answer.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <cstdint>

namespace tessera::kernels {

/// Lengths of the rows; all 0 without rows.
struct RowStatistics {
  std::int64_t shortest = 0;
  std::int64_t longest = 0;
  double mean = 0;
  double variance = 0;
  Ordinal empty_rows = 0;
};

template <class Scalar, class Space, class Offset>
RowStatistics row_statistics(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::kernels
