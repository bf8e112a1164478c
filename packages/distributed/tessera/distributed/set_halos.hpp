// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What sets of a process's rows read of other processes, each by itself.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/smoother/point_sets.hpp"

#include <vector>

namespace tessera::distributed {

/// Of one set of rows.
template <class Space>
struct SetHalo {
  Plan<Space>
      plan;  ///< from own columns to those of others that the set's rows read; null with A's
  /// By column of A that is another process's its number behind own ones in the plan's target; -1:
  /// the set's rows have no entry in it.
  Array<Ordinal, Space> number_of_others;
};

/// By relaxed set of `make_point_sets`; none where A has no halo. `coarse_number`: of own rows and,
/// behind them, of what is not read. Collective.
template <class Space>
std::vector<SetHalo<Space>> halos_of_sets(
    const Space& exec, const Matrix<Space>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, RelaxationPoints points);

/// A with the rows of one set, which `rows_of_set` made of A's, and no column of others that they
/// do not read. On one process, where there are none, `halo` is empty.
template <class Space>
Matrix<Space> matrix_of_set(const Space& exec, const Matrix<Space>& A, const LocalRows<Space>& rows,
                            const SetHalo<Space>& halo);

}  // namespace tessera::distributed
