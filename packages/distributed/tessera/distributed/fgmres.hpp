// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// GMRES over several processes, flexible or preconditioned from the left.
#pragma once

#include "tessera/distributed/krylov.hpp"

#include <cmath>
#include <vector>

namespace tessera::distributed {

/// FGMRES (Saad, SIAM J. Sci. Comput. 14, 1993), restarted, with classical Gram-Schmidt twice and
/// two reductions an iteration: the norm of the new basis vector follows from that of what the
/// first pass leaves. A column that is solved keeps its part of the basis while others go on.
///
/// With `name=gmres` and `side=left` the basis is of M A (Saad, Iterative Methods for Sparse Linear
/// Systems, algorithm 9.4), and no preconditioned vectors are kept. Residuals are then those of the
/// least-squares problem, scaled as the true norm is to the preconditioned one at a cycle's start.
template <class Space>
class Fgmres : public Krylov<Space> {
 public:
  using Krylov<Space>::Krylov;

 private:
  using Base = Krylov<Space>;
  using typename Base::ConstVectors;
  using typename Base::Numbers;
  using typename Base::Pair;
  using typename Base::Vectors;

  /// The least-squares problem of one column, its Hessenberg matrix kept triangular by rotations.
  struct Column {
    std::vector<std::vector<double>> R;
    std::vector<double> cosines, sines;
    std::vector<double> g;

    /// Takes the next column of the Hessenberg matrix. False where that makes it singular; the
    /// column is left out then.
    bool add(std::vector<double> h);
    double residual() const { return std::abs(g.back()); }
    std::vector<double> solution() const;
  };

  void prepare(const Space& exec, std::size_t n, std::size_t k) override;
  void run_cycle(const Space& exec, const ConstVectors& b, const Vectors& x) override;
  bool is_left() const;
  /// The first basis vector, and where the least-squares problems start.
  std::vector<Column> start(const Space& exec);
  /// w = A M v_m, or M A v_m from the left.
  void extend(const Space& exec, std::size_t m);
  /// Makes w orthogonal to the basis in one pass; adds the coefficients of column j to `h[j]`, and
  /// returns w's squared norms from before.
  Numbers remove_basis(const Space& exec, std::size_t count, std::vector<std::vector<double>>& h);
  /// x += Z y, or V y from the left.
  void update_iterate(const Space& exec, const std::vector<Column>& columns, const Vectors& x);
  /// Makes the bases so long at least.
  void grow(const Space& exec, std::size_t num_V, std::size_t num_Z);

  std::vector<MultiVector<double, Space>> m_V;
  std::vector<MultiVector<double, Space>> m_Z;  ///< from the left a single one, for A v
  MultiVector<double, Space> m_w;
  Numbers m_norm_scale;  ///< squared true norm over the squared norm that is estimated
};

}  // namespace tessera::distributed
