// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of fine and coarse points one after the other.
#pragma once

#include "tessera/kernels/sptrsv/ranked_rows.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/smoother/point_sets.hpp"

#include <memory>
#include <vector>

namespace tessera {

/// x_S = x_S + d_S .* (b - A x)_S for each set S of points that is relaxed, one after the other
/// with the newest x: Jacobi within a set, Gauss-Seidel between sets. Sets take turns the other way
/// round after the coarse correction, so that for a symmetric A the two are adjoint. Points of
/// other sets stay as they are. A sweep reads each row of its sets once.
template <class Scalar, class Space, class Offset>
class PointSetsSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;

  /// `entries`, of a square matrix of n rows, are copied; `weights`, d of length n, are shared.
  /// Waits.
  PointSetsSmoother(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& entries,
                    const Array<const Scalar, Space>& weights, const PointSets<Space>& sets,
                    int sweeps);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return true; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;
  bool relaxes_one_way() const override { return num_sets() > 1; }
  void smooth_after(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) override;

 private:
  int num_sets() const { return m_sets.num_relaxed; }
  void relax(const Space& exec, int set, const ConstVectors& b, const Vectors& x) const;
  void forward(const Space& exec, int first, const ConstVectors& b, const Vectors& x) const;

  kernels::RankedRows<Scalar, Space, Offset> m_rows;  ///< set by set
  std::vector<Ordinal> m_starts;  ///< positions of sets
  Array<const Scalar, Space> m_weights;
  PointSets<Space> m_sets;
  int m_sweeps;
  MultiVector<Scalar, Space> m_change;
};

/// The smoother of `parameters`, of a type that `check_points` lets pass, for the sets of
/// `parameters.points`, which is not all. Jacobi has the diagonal and the damping that it has on
/// all points; l1-Jacobi sums of magnitudes within the set, which bound what of A couples it.
/// `coarse_number`: of length n, below 0 for fine points.
/// @throws Error of kind `configuration` as `check_points`
template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_points_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
    const Array<const Ordinal, Space>& coarse_number);

}  // namespace tessera
