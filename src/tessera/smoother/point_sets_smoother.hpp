// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of fine and coarse points one after the other.
#pragma once

#include "tessera/operator/linear_operator.hpp"
#include "tessera/smoother/point_sets.hpp"
#include "tessera/smoother/set_relaxation.hpp"

#include <memory>

namespace tessera {

/// x_S = x_S + d_S .* (b - A x)_S for each set S of points that is relaxed, one after the other
/// with the newest x: Jacobi within a set, Gauss-Seidel between sets. Sets take turns the other way
/// round after the coarse correction, so that for a symmetric A the two are adjoint. Points of
/// other sets stay as they are.
template <class Scalar, class Space>
class PointSetsSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;

  /// `relaxation` relaxes these sets by these weights, d, which are shared. `sets.set_of` and
  /// `weights` have length n.
  PointSetsSmoother(std::unique_ptr<SetRelaxation<Scalar, Space>> relaxation,
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
  void forward(const Space& exec, int first, const ConstVectors& b, const Vectors& x) const;

  std::unique_ptr<SetRelaxation<Scalar, Space>> m_relaxation;
  Array<const Scalar, Space> m_weights;
  PointSets<Space> m_sets;
  int m_sweeps;
};

/// The weights d of rows that are relaxed in sets: Jacobi has the diagonal and the damping that it
/// has on all points; l1-Jacobi sums of magnitudes within the set, which bound what of A couples
/// it, and 0 where the diagonal is. `entries`, of n rows, are read for l1-Jacobi alone, and so is
/// `set_of`: by column, the first n of which are the rows. `inverse_diagonal`: length n.
template <class Scalar, class Space, class Offset>
Array<const Scalar, Space> weights_of_sets(
    const Space& exec, const SmootherParameters& parameters,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
    const NonDeduced<ArrayView<const Ordinal, Space>>& set_of);

/// The smoother of `parameters`, of a type that `check_points` lets pass, for the sets of
/// `parameters.points`, which is not all. A sweep reads each row of its sets once, of a copy of
/// `entries`. `coarse_number`: of length n, below 0 for fine points.
/// @throws Error of kind `configuration` as `check_points`
template <class Scalar, class Space, class Offset>
std::unique_ptr<Smoother<Scalar, Space>> make_points_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
    const Array<const Ordinal, Space>& coarse_number);

}  // namespace tessera
