// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vector updates with a coefficient for each column, which the host knows.
#pragma once

#include "tessera/kernels/vector/vector_ops.hpp"

#include <algorithm>
#include <vector>

namespace tessera::distributed {

/// Column j of v, n by 1.
template <class Vectors>
Vectors column_of(const Vectors& v, std::size_t j) {
  return Vectors(v.data() + j * v.stride(1), v.extent(0), 1);
}

/// y_j = alpha_j x_j + beta_j y_j; where a coefficient is 0 its vector is not read. x, y: n by k.
template <class Space>
void update_columns(const Space& exec, const std::vector<double>& alpha,
                    const NonDeduced<ConstMultiVectorView<double, Space>>& x,
                    const std::vector<double>& beta,
                    const NonDeduced<MultiVectorView<double, Space>>& y) {
  const auto all_equal = [](const std::vector<double>& c) {
    return std::ranges::all_of(c, [&](double number) { return number == c.front(); });
  };
  if (alpha.empty()) return;
  if (all_equal(alpha) && all_equal(beta))
    return kernels::axpby<double, Space>(exec, alpha.front(), x, beta.front(), y);
  for (std::size_t j = 0; j < alpha.size(); ++j)
    kernels::axpby<double, Space>(exec, alpha[j], column_of(x, j), beta[j], column_of(y, j));
}

/// y_j += alpha_j x_j.
template <class Space>
void add_columns(const Space& exec, const std::vector<double>& alpha,
                 const NonDeduced<ConstMultiVectorView<double, Space>>& x,
                 const NonDeduced<MultiVectorView<double, Space>>& y) {
  update_columns<Space>(exec, alpha, x, std::vector<double>(alpha.size(), 1.0), y);
}

}  // namespace tessera::distributed
