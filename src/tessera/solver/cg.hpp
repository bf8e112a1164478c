// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Preconditioned conjugate gradients.
#pragma once

#include "tessera/kernels/vector/cg_steps.hpp"
#include "tessera/solver/detail/iteration_queue.hpp"
#include "tessera/solver/krylov_method.hpp"

namespace tessera {

/// Conjugate gradients for symmetric positive definite A and M (Saad, Iterative Methods for Sparse
/// Linear Systems, algorithm 9.1). Beside A and M, an iteration is three launches, two without a
/// preconditioner. A direction with <p, A p> <= 0, or a residual with <r, M r> <= 0, is a
/// breakdown.
///
/// All scalars stay on the device, which also keeps the best iterate, and x makes its step when the
/// next direction is formed (kernels::CgStep). So the host may queue an iteration while the one
/// before it runs: it reads the norm of a residual when the next iteration is on its way, and where
/// that was one too many, x is what it would be without. `solver.ahead` says when that is done, and
/// with an `IterationRunner` an iteration is one launch.
template <class Scalar, class Space>
class Cg : public KrylovMethod<Scalar, Space> {
 public:
  using KrylovMethod<Scalar, Space>::KrylovMethod;

 private:
  using Base = KrylovMethod<Scalar, Space>;
  using typename Base::ConstVectors;
  using typename Base::System;
  using typename Base::Vectors;

  /// What an iteration works on; the same for all of a cycle but its first, which has no q to make
  /// a flexible beta from.
  struct Iteration {
    typename Base::RepeatedSystem repeated;
    Preconditioner<float, Space>* M_in_float;  ///< M, on r and z in float; null where it is not
    bool preconditioned;
    bool renews;  ///< r is b - A x
    bool flexible;
    kernels::CgStep step() const {
      return renews ? kernels::CgStep::at_once : kernels::CgStep::deferred;
    }
  };

  void prepare_method(const Space& exec, Ordinal n, int k) override;
  void run_cycle(const Space& exec, const System& system) override;
  Iteration iteration_of(const System& system) const;
  /// Makes the vectors of an M in float.
  void prepare_float(const Space& exec);
  /// Queues iteration `number` of a cycle.
  void queue(const Space& exec, const Iteration& iteration, int number) const;
  void iterate(const Space& exec, const Iteration& iteration) const;
  /// M r, beta and p, where M works on `Number`.
  template <class Number>
  void turn(const Space& exec, const Iteration& iteration,
            const ConstMultiVectorView<Number, Space>& z) const;
  /// The step along p, the residual after it, and its norm.
  void update(const Space& exec, const Iteration& iteration) const;

  detail::IterationQueue<Space> m_queue{"tessera::cg::iteration"};
  kernels::CgScalars<Space> m_scalars;
  Array<Scalar, Space> m_pq;
  MultiVector<Scalar, Space> m_p;
  MultiVector<Scalar, Space> m_q;
  MultiVector<Scalar, Space> m_z;
  MultiVector<float, Space> m_r_float;  ///< for M in float
  MultiVector<float, Space> m_z_float;
};

}  // namespace tessera
