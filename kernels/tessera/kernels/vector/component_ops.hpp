// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vectors whose supports do not meet: inner products with all of them in one pass, and back.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// Rows in runs of at most `longest_component_run`: those of component c are the runs
/// `first_run(c)` to `first_run(c + 1)`, and run r is `rows(run_start(r))` to
/// `rows(run_start(r + 1))`. No row comes twice.
template <class Space>
struct ComponentRows {
  ArrayView<const Ordinal, Space> rows;
  ArrayView<const int, Space> component;  ///< of each of `rows`
  ArrayView<const Ordinal, Space> run_start;
  ArrayView<const Ordinal, Space> first_run;

  int num_runs() const { return static_cast<int>(run_start.extent(0)) - 1; }
  int num_components() const { return static_cast<int>(first_run.extent(0)) - 1; }
};

inline constexpr Ordinal longest_component_run = 1024;

/// products(c, j) = the sum of w(i) v(i, j) over the rows i of component c, in double and in an
/// order that depends on nothing but the runs. `partials`: num_runs by k or more; products:
/// num_components by k.
template <class Scalar, class Space>
void component_dot(const Space& exec, const ComponentRows<Space>& where,
                   const NonDeduced<ArrayView<const Scalar, Space>>& w,
                   const NonDeduced<ConstMultiVectorView<Scalar, Space>>& v,
                   const NonDeduced<MultiVectorView<double, Space>>& partials,
                   const NonDeduced<MultiVectorView<double, Space>>& products);

/// v(i, j) -= products(c, j) w(i) for the rows i of each component c.
template <class Scalar, class Space>
void component_subtract(const Space& exec, const ComponentRows<Space>& where,
                        const NonDeduced<ArrayView<const Scalar, Space>>& w,
                        const NonDeduced<MultiVectorView<const double, Space>>& products,
                        const NonDeduced<MultiVectorView<Scalar, Space>>& v);

}  // namespace tessera::kernels
