// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A preconditioner for a method in double that works in float.
#pragma once

#include "tessera/operator/linear_operator.hpp"

namespace tessera {

/// z = double(M float(r)), M being `in_float()`. A method whose own kernels round r on the way and
/// take a z in float calls M itself, and saves the two passes over r and z.
template <class Space>
class ConvertingPreconditioner : public Preconditioner<double, Space> {
 public:
  /// M, prepared with this one; null where more than rounding lies between.
  virtual Preconditioner<float, Space>* in_float() = 0;
};

}  // namespace tessera
