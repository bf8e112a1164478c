// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Restarted GMRES.
#pragma once

#include "tessera/kernels/vector/basis_ops.hpp"
#include "tessera/solver/detail/givens.hpp"
#include "tessera/solver/detail/iteration_queue.hpp"
#include "tessera/solver/krylov_method.hpp"

namespace tessera {

/// GMRES(m) for nonsymmetric A, with right or left preconditioning (Saad, Iterative Methods for
/// Sparse Linear Systems, algorithms 9.4 and 9.5). The basis is made orthogonal by classical
/// Gram-Schmidt, applied twice: four launches whatever the basis's size. What they found is read
/// while the next iteration runs (`SolverParameters::ahead`): a basis vector too many is left out
/// of the solution. An iteration works on other vectors than the one before, and on the same as the
/// one at its position in the next cycle: with an `IterationRunner` each position has a recording
/// of its own, and an iteration is one launch. The iterate is formed at the end of a cycle only;
/// between, the residual norm is the least-squares estimate (of the preconditioned residual,
/// scaled, if preconditioned from the left).
template <class Scalar, class Space>
class Gmres : public KrylovMethod<Scalar, Space> {
 public:
  explicit Gmres(const SolverParameters& parameters) : Gmres(parameters, false) {}

 protected:
  /// `keeps_directions`: flexible GMRES, which stores M v for each basis vector v.
  Gmres(const SolverParameters& parameters, bool keeps_directions);

 private:
  using Base = KrylovMethod<Scalar, Space>;
  using typename Base::ConstVectors;
  using typename Base::System;
  using typename Base::Vectors;

  void prepare_method(const Space& exec, Ordinal n, int k) override;
  void run_cycle(const Space& exec, const System& system) override;
  int workspace_items(int k) const override;
  int workspace_sums() const override { return kernels::basis_dots_at_once; }

  int max_basis() const;
  bool is_left(const System& system) const;
  /// Vector t of all columns, n by k.
  Vectors block(const MultiVector<Scalar, Space>& vectors, int t) const;
  kernels::Basis<Scalar, Space> basis(const MultiVector<Scalar, Space>& vectors, int count) const;
  /// The first basis vector, and the least-squares problems' start.
  void start(const Space& exec, const System& system);
  /// Queues iteration m of a cycle.
  void queue(const Space& exec, const System& system, int m) const;
  /// Basis vector m + 1 = A M v_m (or M A v_m), orthogonal to the first m + 1; its products with
  /// them and its norm go to the report of m.
  void extend_basis(const Space& exec, const System& system, int m) const;
  /// Takes the report of m into the least-squares problems, and their residuals as this
  /// iteration's.
  void take_report(int m);
  /// Of iteration m: two take turns, for one may be queued while the other is read.
  kernels::ReportView<double, Space> report(int m) const;
  /// x += M V y (right), Z y (flexible) or V y (left).
  void update_iterate(const Space& exec, const System& system);

  bool m_keeps_directions;
  std::vector<detail::GivensLeastSquares> m_least_squares;  ///< one a column
  std::vector<double> m_norm_scale;  ///< squared true norm over squared norm that is estimated
  MultiVector<Scalar, Space> m_basis;  ///< V: n by k (m + 1), block after block
  MultiVector<Scalar, Space> m_directions;  ///< Z: n by k m; flexible only
  MultiVector<Scalar, Space> m_z;
  MultiVector<double, Space> m_products;  ///< of the first pass; then y
  MultiVector<double, Space> m_second_products;  ///< of the second pass
  Array<double, Space> m_next_norm;
  kernels::Report<double, Space> m_report;  ///< two of k (m + 1)
  detail::IterationQueue<Space> m_queue{"tessera::gmres::iteration"};
  kernels::Report<double, Space> m_upload;  ///< y on the host
};

/// GMRES whose preconditioner may differ from iteration to iteration, at the price of a second
/// block of vectors (Saad, SIAM J. Sci. Comput. 14, 1993); always preconditioned from the right.
template <class Scalar, class Space>
class FlexibleGmres : public Gmres<Scalar, Space> {
 public:
  explicit FlexibleGmres(const SolverParameters& parameters)
      : Gmres<Scalar, Space>(parameters, true) {}
};

}  // namespace tessera
