// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What sparse factors take.
#pragma once

namespace tessera::direct {

/// What a factorisation takes, estimated from the pattern.
struct Cost {
  double flops = 0;
  double entries = 0;  ///< numbers in the factors
  bool in_panels = false;  ///< SparseCholesky or PanelLu, not SparseLu

  double bytes() const;
  /// Of the factorisation and one solve, on the host that bounds were measured on.
  double seconds() const;
};

}  // namespace tessera::direct
