// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `tessera info` says of a matrix.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/memory_forecast.hpp"

namespace tessera::app {

/// Side of the grid in which entries are counted for the pattern's picture.
inline constexpr int picture_side = 64;

/// Properties of a matrix; counts unless another unit is named.
struct MatrixProperties {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;

  std::int64_t shortest_row = 0;
  std::int64_t longest_row = 0;
  double mean_row = 0;
  double row_deviation = 0;  ///< standard deviation of the rows' lengths
  std::int64_t empty_rows = 0;
  std::int64_t single_entry_rows = 0;  ///< rows that hold their diagonal alone (Dirichlet)
  std::int64_t bandwidth = 0;  ///< largest |i - j|
  std::int64_t duplicates = 0;  ///< entries whose place an earlier one of the row has

  std::int64_t not_finite = 0;  ///< NaN or infinite
  std::int64_t explicit_zeros = 0;
  double smallest = 0;  ///< smallest magnitude but zero
  double largest = 0;  ///< largest magnitude

  std::int64_t unmatched_pattern = 0;  ///< entries (i, j) without an entry (j, i)
  double asymmetry = 0;  ///< max |a_ij - a_ji| over the largest magnitude
  std::int64_t zero_diagonal = 0;  ///< rows without diagonal, or with a zero there
  std::int64_t negative_diagonal = 0;
  std::int64_t dominant_rows = 0;  ///< |a_ii| >= sum of the row's other magnitudes
  std::int64_t strictly_dominant_rows = 0;
  std::int64_t positive_couplings = 0;  ///< off-diagonal entries of the diagonal's sign
  std::int64_t zero_sum_rows = 0;  ///< rows that sum to zero in rounding: a constant's image

  std::int64_t tiles = 0;  ///< 4 by 4 tiles that hold an entry
  double tile_density = 0;  ///< entries per tile that holds one, of 16

  std::array<std::int64_t, picture_side * picture_side> picture = {};  ///< row-major counts

  MatrixFacts facts;  ///< what `tessera solve` picks from; of square matrices
  amg::Nodes nodes;  ///< found from the pattern; of square matrices
  kernels::FormatChoice format;  ///< what `select_format` takes for products on the host

  MemoryForecast memory;  ///< of `tessera solve` on the host; where `has_forecast`
  bool has_forecast = false;

  bool square() const { return rows == cols; }
  bool pattern_symmetric() const { return square() && unmatched_pattern == 0; }
  /// Symmetric up to rounding.
  bool symmetric() const { return pattern_symmetric() && asymmetry <= 1e-12; }
  /// Symmetric, finite, and a positive diagonal: the cheap signs of positive definiteness.
  bool looks_spd() const {
    return symmetric() && not_finite == 0 && zero_diagonal == 0 && negative_diagonal == 0;
  }
  /// Every row sums to zero: constants are in the nullspace.
  bool constant_nullspace() const { return rows > 0 && square() && zero_sum_rows == rows; }
};

/// Looks at every entry, on the host, in parallel.
template <class Offset>
MatrixProperties matrix_properties(const HostSpace& exec,
                                   const kernels::Csr<double, HostSpace, Offset>& A);

/// One recommended setting.
struct Recommendation {
  std::string setting;  ///< as typed after -p, or empty for advice
  std::string reason;
};

/// What `tessera solve` picks by itself for this matrix, with notes on it; or the
/// reason why it cannot solve with it.
std::vector<Recommendation> recommend(const MatrixProperties& info);

}  // namespace tessera::app
