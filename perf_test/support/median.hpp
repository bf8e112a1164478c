// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The median, by which programs report repeated times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tessera::perf {

/// The upper of the two in the middle where there is an even number of values, which must not be
/// empty.
inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tessera::perf
