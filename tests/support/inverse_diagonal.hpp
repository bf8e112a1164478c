// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The inverse of a matrix's diagonal, as smoothers and estimates take it.
#pragma once

#include "support/host_matrix.hpp"

#include <vector>

namespace tessera::test {

/// 1 / A_ii, 0 where A_ii is 0 or missing.
template <class Scalar>
std::vector<Scalar> inverse_diagonal_of(const HostMatrix<Scalar>& A) {
  std::vector<Scalar> inverse(A.num_rows, Scalar(0));
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, auto value) {
    if (j == i && value != 0) inverse[i] = Scalar(1) / value;
  });
  return inverse;
}

}  // namespace tessera::test
