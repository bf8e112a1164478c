// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of vectors that are stored in half.
#pragma once

#include "tessera/core/half_operator.hpp"

#include <memory>

namespace tessera::amg {

/// The same relaxation as `smoother`, of A, with vectors in half, out of place; null where it is
/// neither Jacobi's nor Chebyshev's.
template <class Space>
std::shared_ptr<Smoother<Half, Space>> half_smoother(const Smoother<float, Space>* smoother,
                                                     std::shared_ptr<const HalfOperator<Space>> A);

}  // namespace tessera::amg
