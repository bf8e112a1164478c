// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The arrays behind an operator, for tests that look at its entries.
#pragma once

#include "tessera/matrix/stored_matrix.hpp"

#include <memory>

namespace tessera::test {

/// Throws std::bad_cast where the operator is not stored in compressed rows of its own scalar.
template <class Offset, class Scalar, class Space>
const kernels::Csr<Scalar, Space, Offset>& csr_of(
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& stored) {
  return dynamic_cast<const StoredCsr<Scalar, Space, Offset>&>(*stored).matrix();
}

}  // namespace tessera::test
