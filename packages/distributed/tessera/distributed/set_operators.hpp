// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Relaxation of sets of rows that are distributed over processes.
#pragma once

#include "tessera/distributed/set_halos.hpp"
#include "tessera/smoother/set_relaxation.hpp"

#include <memory>
#include <vector>

namespace tessera::distributed {

/// The rows of one set, in the place of those of other sets rows without entries. `set_of`: by own
/// row. Waits for `exec`.
template <class Space>
LocalRows<Space> rows_of_set(const Space& exec, const LocalRows<Space>& rows,
                             const ArrayView<const Ordinal, Space>& set_of, int set);

/// Each set's rows are an operator of their own: to relax one sends the newest unknowns that the
/// set's rows want of others, and reads these rows once. Collective as the operators are.
template <class Scalar, class Space>
class SetOperators : public SetRelaxation<Scalar, Space> {
 public:
  using typename SetRelaxation<Scalar, Space>::ConstVectors;
  using typename SetRelaxation<Scalar, Space>::Vectors;

  /// The entries of A are copied; `weights`, d, and `sets.set_of` are of its own rows, and shared.
  /// `halos`: those of A and these sets. Sends nothing. Waits.
  SetOperators(const Space& exec, const Matrix<Space>& A, const Array<const Scalar, Space>& weights,
               const PointSets<Space>& sets, const std::vector<SetHalo<Space>>& halos);

  void prepare(const Space& exec, int k) override;
  void relax(const Space& exec, int set, const ConstVectors& b, const Vectors& x) const override;

 private:
  std::vector<std::shared_ptr<const SparseOperator<Scalar, Space>>> m_rows;  ///< by relaxed set
  Array<const Scalar, Space> m_weights;
  PointSets<Space> m_sets;
  MultiVector<Scalar, Space> m_residual;
};

}  // namespace tessera::distributed
