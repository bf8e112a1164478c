// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The numbers of sparse L U factors in panels.
#pragma once

#include "tessera/direct/detail/multifrontal.hpp"
#include "tessera/direct/detail/partial_lu.hpp"
#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/symbolic_lu.hpp"

namespace tessera::direct::detail {

/// Where the factors' numbers lie.
struct LuValues {
  double* lower;
  double* upper;
  int* swaps;

  LuPanels panels(const SymbolicLu& f, int s) const {
    const int height = f.fronts.height(s);
    const int width = f.fronts.width(s);
    return {{lower + f.fronts.first_value[s], height, width},
            {upper + f.first_upper[s], height - width, width},
            swaps + f.fronts.first_column[s]};
  }
};

/// Square fronts, each with as many rows as columns.
class LuFronts : public Multifrontal {
 public:
  /// `values`: room for the factors by `f`, which was made of A's pattern.
  LuFronts(const HostMatrix& A, const SymbolicLu& f, const LuValues& values);

 private:
  void fill(int s, const Worker& worker) override;
  void add_update(int s, int child, const double* from, double* update,
                  const Worker& worker) override;
  bool factor(int s, double* update, Worker& worker) override;

  const HostMatrix& m_A;
  const SymbolicLu& m_symbolic;
  LuValues m_values;
  double m_min_pivot;
};

}  // namespace tessera::direct::detail
