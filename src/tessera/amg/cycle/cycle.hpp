// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The cycle of a hierarchy, composed of corrections.
#pragma once

#include "tessera/amg/cycle/cycle_type.hpp"
#include "tessera/amg/cycle/hierarchy.hpp"

#include <memory>

namespace tessera::amg {

/// One cycle of `type` through `hierarchy`, from the guess zero: an approximate inverse of the
/// finest operator. `hierarchy` outlives it and stays as it is.
///
/// A cycle is made of corrections, each a preconditioner for one level's operator:
///
/// - a visit of a level: smoothing, the correction of the next level, smoothing;
/// - two corrections of one level in turn, the second for what the first has left (W: two visits,
///   each with two below; F: one with an F below it, then one with a V below it);
/// - two steps of a Krylov method with a visit as preconditioner (K: Notay & Vassilevski,
///   "Recursive Krylov-based multigrid cycles", Numer. Linear Algebra Appl. 15, 2008), for a
///   `symmetric` positive definite operator conjugate gradients, else minimal residuals;
/// - the direct solve of the coarsest level, which is never repeated, or its relaxation, which a
///   K-cycle takes two steps with where it is a cycle of levels that are elsewhere;
/// - any of them in float, between two conversions of the vectors: where the hierarchy has a tail.
///
/// The finest level is visited once in all of them. A K-cycle is not linear: it wants a flexible
/// method around it.
template <class Scalar, class Space>
std::shared_ptr<Preconditioner<Scalar, Space>> make_cycle(CycleType type,
                                                          const Hierarchy<Scalar, Space>& hierarchy,
                                                          bool symmetric);

}  // namespace tessera::amg
