// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup may be given beside the matrix.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

#include <functional>

namespace tessera::amg {

/// Puts the values of a matrix, as they are by now, into an array, or into a new one where it is
/// empty.
template <class Scalar, class Space>
using ValueWriter = std::function<void(const Space&, Array<Scalar, Space>&)>;

/// What there is of the finest matrix A beside itself.
template <class Scalar, class Space>
struct FinestExtras {
  /// One that was made for A's pattern, in arrays that A shares; null to have it made.
  const kernels::CsrSpmvPlan<Space>* plan = nullptr;
  /// Puts A's values, as they are by now, into an array, or into a new one where it is empty. If
  /// given, A comes without values: setup asks for them, owns them exclusively, frees them while
  /// tiles hold them as well, and `try_update` asks again.
  ValueWriter<Scalar, Space> write_values = {};
  /// As `FineLevel::functions`.
  Array<const Ordinal, Space> functions = {};
};

}  // namespace tessera::amg
