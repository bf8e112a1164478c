// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The projection that takes a vector for each of many connected components out of another one.
#pragma once

#include "tessera/kernels/vector/component_ops.hpp"

namespace tessera {

/// Holds orthonormal vectors N whose supports do not meet, as two numbers per row, and applies
/// v = v - N (N^T v).
template <class Scalar, class Space>
class ComponentProjector {
 public:
  /// Projects nothing.
  ComponentProjector() = default;
  /// `label` (n): equal for the rows of a component, at least 0 and below n, or -1 for rows of
  /// none. `weight` (n): the entries of the components' vectors, of any length. Sorts rows on the
  /// host; what has one component of all rows is better off with one dense vector.
  ComponentProjector(const Space& exec, const ArrayView<const Ordinal, Space>& label,
                     const ArrayView<const Scalar, Space>& weight);

  bool empty() const { return m_rows.extent(0) == 0; }
  Ordinal num_rows() const { return static_cast<Ordinal>(m_weight.extent(0)); }
  int num_components() const { return empty() ? 0 : rows().num_components(); }

  /// Makes room for k right-hand sides at once.
  void prepare(const Space& exec, int k);
  /// v = v - N (N^T v), column by column. v: n by k.
  void apply(const Space& exec, const MultiVectorView<Scalar, Space>& v) const;

 private:
  kernels::ComponentRows<Space> rows() const {
    return {m_rows, m_component, m_run_start, m_first_run};
  }

  Array<Scalar, Space> m_weight;  ///< of unit length on each component
  Array<Ordinal, Space> m_rows;
  Array<int, Space> m_component;
  Array<Ordinal, Space> m_run_start;
  Array<Ordinal, Space> m_first_run;
  MultiVector<double, Space> m_partials;
  MultiVector<double, Space> m_products;
};

}  // namespace tessera
