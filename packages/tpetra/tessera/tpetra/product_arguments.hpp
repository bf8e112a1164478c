// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What every Y := alpha M X + beta Y of an adapter asks of its arguments first.
#pragma once

#include "tessera/operator/error.hpp"

#include <cstddef>
#include <string>

namespace tessera::tpetra::product_detail {

/// The number of columns. @throws Error of kind precondition where X and Y differ in it
template <class Vectors>
std::size_t common_columns(const Vectors& X, const Vectors& Y) {
  const std::size_t k = Y.getNumVectors();
  if (X.getNumVectors() != k)
    throw Error(ErrorKind::precondition, "X has " + std::to_string(X.getNumVectors()) +
                                             " columns, Y has " + std::to_string(k));
  return k;
}

/// Y := beta Y. With beta = 0 nothing of Y is read, so that NaNs of it do not stay.
template <class Vectors>
void scale_result(Vectors& Y, double beta) {
  if (beta == 0) {
    Y.putScalar(0);
  } else {
    Y.scale(beta);
  }
}

}  // namespace tessera::tpetra::product_detail
