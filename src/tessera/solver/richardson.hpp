// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Preconditioned Richardson iteration.
#pragma once

#include "tessera/solver/krylov_method.hpp"

namespace tessera {

/// x = x + damping M (b - A x). With a multigrid cycle as M this is the multigrid solver. It
/// carries the true residual along, and so can tell that the residual stagnates. x and a second
/// vector take turns, so that with an `IterationRunner` every other iteration is the same launch.
template <class Scalar, class Space>
class Richardson : public KrylovMethod<Scalar, Space> {
 public:
  using KrylovMethod<Scalar, Space>::KrylovMethod;

 private:
  using Base = KrylovMethod<Scalar, Space>;
  using typename Base::ConstVectors;
  using typename Base::System;
  using typename Base::Vectors;

  void prepare_method(const Space& exec, Ordinal n, int k) override;
  void run_cycle(const Space& exec, const System& system) override;
  /// `next` = x + damping M r, and its residual and norm.
  void iterate(const Space& exec, const System& system, const Vectors& x,
               const Vectors& next) const;

  MultiVector<Scalar, Space> m_next;
  MultiVector<Scalar, Space> m_z;
};

}  // namespace tessera
