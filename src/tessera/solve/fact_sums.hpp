// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What facts about a matrix are made of.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera {

/// Sums and extremes of one pass over the rows. Those of several shares of rows add up, too.
struct FactSums {
  double rows_not_zero = 0;  ///< rows whose sum is above round-off
  double zero_rows = 0;  ///< rows without anything
  double decided = 0;  ///< rows whose sum is at least a share of their positive diagonal
  double positive = 0;
  double negative = 0;
  double coupled_zeros = 0;
  double coupled_positive = 0;
  double coupled_negative = 0;
  double couplings = 0;  ///< off-diagonal magnitudes over those of their rows' diagonals
  double positive_couplings = 0;  ///< of those with the sign of their row's diagonal
  double least = Kokkos::Experimental::finite_max_v<double>;
  double greatest = 0;
  double greatest_sum = 0;  ///< of a row's entries over its diagonal
  /// |sum of a row's entries| over their magnitudes, in whole units of 2^-20, as of
  /// `amg::FoundScaling`: the same in any order.
  double remainders = 0;

  KOKKOS_FUNCTION FactSums& operator+=(const FactSums& o) {
    rows_not_zero += o.rows_not_zero;
    zero_rows += o.zero_rows;
    decided += o.decided;
    positive += o.positive;
    negative += o.negative;
    coupled_zeros += o.coupled_zeros;
    coupled_positive += o.coupled_positive;
    coupled_negative += o.coupled_negative;
    couplings += o.couplings;
    positive_couplings += o.positive_couplings;
    least = Kokkos::fmin(least, o.least);
    greatest = Kokkos::fmax(greatest, o.greatest);
    greatest_sum = Kokkos::fmax(greatest_sum, o.greatest_sum);
    remainders += o.remainders;
    return *this;
  }
};

/// Couplings between full blocks of rows.
struct BlockCouplings {
  double same = 0;  ///< magnitudes over the diagonal, of the same unknown of another block
  double all = 0;  ///< of any unknown of another block

  KOKKOS_FUNCTION BlockCouplings& operator+=(const BlockCouplings& o) {
    same += o.same;
    all += o.all;
    return *this;
  }
  KOKKOS_FUNCTION void add(bool is_same, double size) {
    same += is_same ? size : 0;
    all += size;
  }
  /// A row's sums over its diagonal entry, if it has one.
  KOKKOS_FUNCTION void add_over(double diagonal, const BlockCouplings& row) {
    if (diagonal > 0) *this += BlockCouplings{row.same / diagonal, row.all / diagonal};
  }
};

/// Of rows whose diagonal is column i of row i; other columns may be any, beyond A's too.
template <class Scalar, class Space, class Offset>
FactSums sum_facts(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera
