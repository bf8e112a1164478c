// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation by a smoother of each process's own block.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/smoother/parameters.hpp"

#include <memory>

namespace tessera::distributed {

/// x = x + M^-1 (b - A x), `sweeps` times, M being block diagonal with a block for each process:
/// the smoother that `own` is, from the guess zero. Within a process its own unknowns are relaxed
/// as on one; others' are those of the iterate before. From the guess zero the first sweep sends
/// nothing.
template <class Scalar, class Space>
class HybridSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;
  using Operator = SparseOperator<Scalar, Space>;

  /// A is shared; `own` does one sweep, and is of the same kind on all processes.
  HybridSmoother(std::shared_ptr<const Operator> A, std::unique_ptr<Smoother<Scalar, Space>> own,
                 int sweeps);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return true; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;
  bool relaxes_one_way() const override { return m_own->relaxes_one_way(); }
  void smooth_after(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) override;

 private:
  /// x += M^-1 (b - A x), or by the adjoint sweeps.
  void sweep(const Space& exec, const ConstVectors& b, const Vectors& x, bool after);

  std::shared_ptr<const Operator> m_A;
  std::unique_ptr<Smoother<Scalar, Space>> m_own;
  int m_sweeps;
  MultiVector<Scalar, Space> m_residual, m_correction, m_zero;
};

/// The rows and columns of `A` that are this process's own, 0 by 0 where there are none. Half the
/// magnitudes of a row's couplings to others' unknowns are added to its diagonal, if that is not
/// zero: of a symmetric positive definite A, however it is cut, M + M^T - A is positive definite
/// then for these blocks M, and for their lower triangles.
template <class Space>
LocalRows<Space> hybrid_block(const Space& exec, const Matrix<Space>& A);

/// A smoother of the kind that `parameters` name, which needs a whole matrix, for the own block of
/// each process, as `hybrid_block` has it: a hybrid smoother (A. H. Baker, R. D. Falgout, T. V.
/// Kolev, U. M. Yang, SIAM J. Sci. Comput. 33, 2011). `A` is made of `matrix` and shared;
/// `spectral_radius` and `block_size` as for `make_smoother`. Where the parameters say so points
/// are relaxed in sets, by `coarse_number`, which is below 0 for fine ones among own rows. Sends
/// nothing: what it throws is to be agreed on.
template <class Scalar, class Space>
std::unique_ptr<Smoother<Scalar, Space>> make_hybrid_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& A, const Matrix<Space>& matrix,
    double spectral_radius, int block_size = 1,
    const Array<const Ordinal, Space>& coarse_number = {});

}  // namespace tessera::distributed
