// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers of a sparse Cholesky factor.
#pragma once

#include "tessera/direct/detail/multifrontal.hpp"
#include "tessera/direct/host_matrix.hpp"

#include <vector>

namespace tessera::direct::detail {

/// Fronts of a symmetric matrix, of which the lower triangles are kept.
class CholeskyFronts : public Multifrontal {
 public:
  /// `values`: room for the panels of `f`, which was made of A's pattern. None can be factored
  /// where A is not definite.
  CholeskyFronts(const HostMatrix& A, const SymbolicCholesky& f, double min_pivot, double* values);

 private:
  void fill(int s, const Worker& worker) override;
  void add_update(int s, int child, const double* from, double* update,
                  const Worker& worker) override;
  bool factor(int s, double* update, Worker& worker) override;
  Panel panel_of(int s) const {
    return {m_values + m_f.first_value[s], m_f.height(s), m_f.width(s)};
  }

  const HostMatrix& m_A;
  double m_min_pivot;
  double* m_values;
  std::vector<double> m_diagonal;
};

}  // namespace tessera::direct::detail
