// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Flexible GMRES over several processes.
#pragma once

#include "tessera/distributed/krylov.hpp"

#include <vector>

namespace tessera::distributed {

/// FGMRES (Saad, SIAM J. Sci. Comput. 14, 1993), restarted, with classical Gram-Schmidt twice and
/// two reductions an iteration: the norm of the new basis vector follows from that of what the
/// first pass leaves. A column that is solved keeps its part of the basis while others go on.
template <class Space>
class Fgmres : public Krylov<Space> {
 public:
  using Krylov<Space>::Krylov;

 private:
  using Base = Krylov<Space>;
  using typename Base::Numbers;
  using typename Base::Pair;
  using typename Base::Vectors;

  /// The least-squares problem of one column, its Hessenberg matrix kept triangular by rotations.
  struct Column {
    std::vector<std::vector<double>> R;
    std::vector<double> cosines, sines;
    std::vector<double> g;

    /// Takes the next column of the Hessenberg matrix; |residual| of the problem after it.
    double add(std::vector<double> h);
    std::vector<double> solution() const;
  };

  void prepare(const Space& exec, std::size_t n, std::size_t k) override;
  void run_cycle(const Space& exec, const Vectors& x) override;
  /// Makes w orthogonal to the basis in one pass; adds the coefficients of column j to `h[j]`, and
  /// returns w's squared norms from before.
  Numbers remove_basis(const Space& exec, std::size_t count, std::vector<std::vector<double>>& h);

  std::vector<MultiVector<double, Space>> m_V;
  std::vector<MultiVector<double, Space>> m_Z;
  MultiVector<double, Space> m_w;
};

}  // namespace tessera::distributed
