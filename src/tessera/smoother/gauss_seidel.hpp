// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Gauss-Seidel, many rows at a time.
#pragma once

#include "tessera/kernels/sptrsv/ranked_rows.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/smoother/point_sets.hpp"

#include <vector>

namespace tessera {
namespace detail {

/// Throws where they are no parameters for relaxing `num_rows` rows, of which as many have an
/// inverse diagonal.
void require_relaxable(const GaussSeidelParameters& parameters, int sweeps, Ordinal num_rows,
                       std::size_t num_inverses);

}  // namespace detail

/// x_i = x_i + omega d_i (b_i - sum_j a_ij x_j) row after row, each with the newest x: successive
/// over-relaxation. Rows that are not coupled in either direction are relaxed at a time, and the
/// result does not depend on threads: those of a colour of the matrix's graph, colour after colour
/// (kernels/graph/colouring.hpp), or, where the order is to be that of the rows, those that wait
/// for a chain of coupled rows of one length (kernels/sptrsv/levels.hpp); a host takes them one
/// after the other, in one launch, where these sets are small. A sweep runs forward
/// before the coarse correction and backward after it, or forward and back each time (SSOR): both
/// ways a cycle is symmetric for a symmetric A, and for a positive definite one a sweep reduces the
/// error in its norm, whatever 0 < omega < 2 (Saad, Iterative Methods for Sparse Linear
/// Systems, 4.2).
///
/// Rows whose d_i is 0 stay as they are. Of points in sets the colours of one set come before those
/// of the next, and points of sets that are not relaxed stay, too.
template <class Scalar, class Space, class Offset>
class GaussSeidelSmoother : public Smoother<Scalar, Space> {
 public:
  using typename Smoother<Scalar, Space>::ConstVectors;
  using typename Smoother<Scalar, Space>::Vectors;

  /// `entries`, of a square matrix, are copied; `inverse_diagonal` is shared: 1 / A_ii, 0 where the
  /// diagonal is zero. `sets`: for the order of colours alone. Waits.
  GaussSeidelSmoother(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& entries,
                      const Array<const Scalar, Space>& inverse_diagonal,
                      const GaussSeidelParameters& parameters, int sweeps,
                      const PointSets<Space>& sets = {});

  void prepare(const Space& /*exec*/, int /*k*/) override {}
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x_out) override;
  bool works_in_place() const override { return true; }
  void smooth(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
              const Vectors& x_out) override;
  bool relaxes_one_way() const override { return !m_symmetric; }
  void smooth_after(const Space& exec, const ConstVectors& b, const ConstVectors& x_in,
                    const Vectors& x_out) override;

  /// How many sets of rows are relaxed one after the other: colours, or levels, or one where rows
  /// are relaxed one by one.
  int num_sets() const { return static_cast<int>(m_starts.size()) - 1; }

 private:
  using CsrView = kernels::CsrView<Scalar, Space, Offset>;
  void order_by_colours(const Space& exec, const CsrView& entries, const PointSets<Space>& sets);
  void order_by_levels(const Space& exec, const CsrView& entries);
  void relax(const Space& exec, int set, bool backward, const ConstVectors& b,
             const Vectors& x) const;
  void forward(const Space& exec, const ConstVectors& b, const Vectors& x) const;
  void backward(const Space& exec, const ConstVectors& b, const Vectors& x) const;
  /// `sweeps` from the iterate x, but for what of the first is done already.
  void go_on(const Space& exec, const ConstVectors& b, const Vectors& x,
             bool is_forward_done) const;

  kernels::RankedRows<Scalar, Space, Offset> m_rows;
  std::vector<Ordinal> m_starts;  ///< positions of sets
  bool m_in_order = false;  ///< row by row
  Array<const Scalar, Space> m_inverse_diagonal;
  Scalar m_omega;
  bool m_symmetric;
  int m_sweeps;
};

}  // namespace tessera
