// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The 7-point Laplacian of a grid that is shared out in boxes, as a mesh is by a partitioner.
#pragma once

#include "tessera/distributed/communicator.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::perf {

/// The number of boxes along each side: three factors of `processes` that differ the least.
inline std::array<int, 3> boxes_per_side(int processes) {
  std::array<int, 3> best{1, 1, processes};
  for (int a = 1; a * a * a <= processes; ++a) {
    if (processes % a != 0) continue;
    const int rest = processes / a;
    for (int b = a; b * b <= rest; ++b)
      if (rest % b == 0 && rest / b - a <= best[2] - best[0]) best = {a, b, rest / b};
  }
  return best;
}

/// This process's rows: those of a box of m by m by m points, with Dirichlet values around the
/// whole. Rows are numbered box by box, and x fastest in a box.
struct BoxOfGrid {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;
  std::int64_t first_row = 0;
  std::int64_t num_all_rows = 0;

  BoxOfGrid(const distributed::Communicator& processes, int m)
      : m_points(m), m_boxes(boxes_per_side(processes.size())) {
    const std::int64_t size = std::int64_t{m} * m * m;
    first_row = size * processes.rank();
    num_all_rows = size * processes.size();
    const auto box = place(processes.rank(), m_boxes[0], m_boxes[1]);
    for (int i = 0; i < size; ++i) {
      const auto inside = place(i, m, m);
      std::array<int, 3> point{};
      for (int d = 0; d < 3; ++d)
        point[d] = box[d] * m + inside[d];
      push_row(point);
    }
  }

 private:
  static std::array<int, 3> place(int number, int x, int y) {
    return {number % x, number / x % y, number / x / y};
  }
  std::int64_t number(const std::array<int, 3>& point) const {
    std::array<std::int64_t, 3> box{};
    std::array<std::int64_t, 3> inside{};
    for (int d = 0; d < 3; ++d) {
      box[d] = point[d] / m_points;
      inside[d] = point[d] % m_points;
    }
    const std::int64_t m = m_points;
    const std::int64_t process = (box[2] * m_boxes[1] + box[1]) * m_boxes[0] + box[0];
    return process * m * m * m + (inside[2] * m + inside[1]) * m + inside[0];
  }
  void push_row(const std::array<int, 3>& point) {
    push(number(point), 6);
    for (int d = 0; d < 3; ++d) {
      for (const int step : {-1, 1}) {
        auto neighbour = point;
        neighbour[d] += step;
        if (neighbour[d] < 0 || neighbour[d] >= m_boxes[d] * m_points) continue;
        push(number(neighbour), -1);
      }
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  void push(std::int64_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }

  int m_points;
  std::array<int, 3> m_boxes;
};

}  // namespace tessera::perf
