// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Inner products of one process's rows without rounding of their sums.
#pragma once

#include "tessera/distributed/exact_sum.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::distributed {

/// Products are rounded to double as any are; sums are `ExactSum`'s.
template <class Scalar, class Space>
class ExactProducts {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;

  /// Room for vectors of so many rows, of which sums take any; none for 0.
  void reserve(const Space& exec, std::size_t rows);
  /// Adds the words of <x_j, y_j> for the column j to `words`, which have carried. Waits for
  /// `exec`.
  void add(const Space& exec, const ConstVectors& x, const ConstVectors& y, std::size_t column,
           std::int64_t* words);

 private:
  Kokkos::View<ExactSum*, Space> m_parts;  ///< of each chunk of rows
};

/// The sum of which these are the words.
double value_of_words(const std::int64_t* words);

}  // namespace tessera::distributed
