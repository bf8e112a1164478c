// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/graph/structured.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

namespace tessera::kernels {
namespace {

/// The smallest reach with which `stride` is a step in `box`; larger than `limit` where there is
/// none within it.
int reach_of(const Box& box, Ordinal stride, int limit) {
  int best = limit + 1;
  const std::int64_t plane = static_cast<std::int64_t>(box.nx) * box.ny;
  for (int dz = -std::min(limit, box.nz - 1); dz <= std::min(limit, box.nz - 1); ++dz) {
    for (int dy = -std::min(limit, box.ny - 1); dy <= std::min(limit, box.ny - 1); ++dy) {
      const std::int64_t dx =
          std::abs(stride - dz * plane - static_cast<std::int64_t>(dy) * box.nx);
      if (dx >= box.nx || dx > limit) continue;
      best = std::min(best, std::max({static_cast<int>(dx), std::abs(dy), std::abs(dz)}));
    }
  }
  return best;
}

int reach_of(const Box& box, const std::vector<Ordinal>& strides, int limit) {
  int reach = 0;
  for (const Ordinal stride : strides)
    reach = std::max(reach, reach_of(box, stride, limit));
  return reach;
}

}  // namespace

std::vector<Box> candidate_boxes(std::int64_t size, const std::vector<Ordinal>& strides,
                                 int reach) {
  std::set<std::int64_t> lengths(strides.begin(), strides.end());
  lengths.insert(size);
  std::erase_if(lengths, [&](std::int64_t length) { return length < 2 || size % length != 0; });
  std::vector<std::pair<int, Box>> found;
  for (const std::int64_t nx : lengths) {
    for (const std::int64_t plane : lengths) {
      if (plane % nx != 0 || (plane == nx && plane != size)) continue;
      const Box box{static_cast<Ordinal>(nx), static_cast<Ordinal>(plane / nx),
                    static_cast<Ordinal>(size / plane)};
      const int needed = reach_of(box, strides, reach);
      if (needed <= reach) found.emplace_back(needed, box);
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first, -a.second.nx, -a.second.ny) <
           std::tuple(b.first, -b.second.nx, -b.second.ny);
  });
  std::vector<Box> boxes;
  for (const auto& [needed, box] : found)
    boxes.push_back(box);
  return boxes;
}

}  // namespace tessera::kernels
