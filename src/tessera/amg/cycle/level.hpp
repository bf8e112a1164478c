// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One level of a multigrid hierarchy.
#pragma once

#include "tessera/operator/sparse_operator.hpp"

#include <memory>
#include <string>

namespace tessera::amg {

/// One level: its operator and the way to the next one, each in a format and a storage of its own.
/// The coarsest level has neither `P` nor `R`, and a smoother only where it is relaxed.
template <class Scalar, class Space>
struct Level {
  using Operator = SparseOperator<Scalar, Space>;

  std::shared_ptr<const Operator> A;
  std::shared_ptr<const Operator> P;  ///< rows of this level by rows of the next
  std::shared_ptr<const Operator> R;  ///< rows of the next level by rows of this one
  std::unique_ptr<Smoother<Scalar, Space>> smoother;
  int block_size = 1;  ///< unknowns per node
  double spectral_radius = 0;  ///< of D^-1 A
};

}  // namespace tessera::amg
