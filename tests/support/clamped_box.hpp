// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Elasticity on a box of any sides: thin plates, and materials that hardly change their volume.
#pragma once

#include "support/host_matrix.hpp"
#include "support/textbook_element.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace tessera::test {

/// Trilinear hexahedra on a box, Young's modulus 1, clamped at x = 0, whose nodes are left out. The
/// others are numbered x fastest, with a node's displacements side by side.
struct ClampedBox {
  std::array<std::int32_t, 3> cells;  ///< elements along each axis
  std::array<double, 3> lengths = {1, 1, 1};
  double poisson_ratio = 0.3;

  using Point = std::array<std::int32_t, 3>;  ///< in elements

  std::int32_t num_nodes() const { return cells[0] * (cells[1] + 1) * (cells[2] + 1); }
  std::int32_t num_rows() const { return 3 * num_nodes(); }

  /// Column after column.
  std::vector<double> coordinates() const {
    std::vector<double> result;
    for (int d = 0; d < 3; ++d) {
      for (std::int32_t node = 0; node < num_nodes(); ++node)
        result.push_back(lengths[d] * point(node)[d] / cells[d]);
    }
    return result;
  }

  HostMatrix<double> matrix() const {
    const long double nu = poisson_ratio;
    const Dense K = textbook_element(3, nu / ((1 + nu) * (1 - 2 * nu)), 1 / (2 * (1 + nu)),
                                     {static_cast<long double>(lengths[0]) / cells[0],
                                      static_cast<long double>(lengths[1]) / cells[1],
                                      static_cast<long double>(lengths[2]) / cells[2]});
    return by_rows<double>(num_rows(), num_rows(), [&](auto& A, std::int32_t row) {
      const Point p = point(row / 3);
      const auto first = [&](int d) { return std::max(p[d] - 1, d == 0 ? 1 : 0); };
      const auto last = [&](int d) { return std::min(p[d] + 1, cells[d]); };
      for (std::int32_t z = first(2); z <= last(2); ++z) {
        for (std::int32_t y = first(1); y <= last(1); ++y) {
          for (std::int32_t x = first(0); x <= last(0); ++x) {
            for (int j = 0; j < 3; ++j)
              A.push(3 * node({x, y, z}) + j, coupling(K, p, row % 3, {x, y, z}, j));
          }
        }
      }
    });
  }

 private:
  Point point(std::int32_t node) const {
    const std::int32_t rest = node / cells[0];
    return {node % cells[0] + 1, rest % (cells[1] + 1), rest / (cells[1] + 1)};
  }
  std::int32_t node(const Point& p) const {
    return p[0] - 1 + cells[0] * (p[1] + (cells[1] + 1) * p[2]);
  }

  /// What couples displacement `i` of `p` with displacement `j` of `q`, over the elements that they
  /// share.
  double coupling(const Dense& K, const Point& p, int i, const Point& q, int j) const {
    double sum = 0;
    for (int e = 0; e < 8; ++e) {
      int a = 0, b = 0;
      bool is_shared = true;
      for (int d = 0; d < 3; ++d) {
        const std::int32_t at = p[d] - (e >> d & 1);  // the element's place along the axis
        is_shared &= at >= 0 && at < cells[d] && q[d] >= at && q[d] <= at + 1;
        a |= (p[d] - at) << d;
        b |= (q[d] - at) << d;
      }
      if (!is_shared) continue;
      // From one triangle of K: A is symmetric to the last bit.
      const auto [row, column] = std::minmax({3 * a + i, 3 * b + j});
      sum += static_cast<double>(K(row, column));
    }
    return sum;
  }
};

}  // namespace tessera::test
