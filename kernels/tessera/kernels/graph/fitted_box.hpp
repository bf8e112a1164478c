// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The box that the edges of a graph fit.
#pragma once

#include "tessera/kernels/graph/runs.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

namespace tessera::kernels {

/// Stencils reach this many points at the most.
inline constexpr int largest_reach = 2;

/// Whether missing edges show that direction `d` is made of shorter lines, laid end to end (a
/// direction in between has no edges): then `box` is split accordingly. Counts say it exactly, for
/// each line of e points has e - 1 edges.
inline bool split_lines(Box& box, const BoxFit& fit, int d) {
  const std::int64_t size = box.size();
  const Ordinal extent = d == 0 ? box.nx : box.ny;
  if (fit.active != size || fit.axis[d] == 0 || fit.axis[d] == fit.pairs[d]) return false;
  const std::int64_t lines = size - fit.axis[d];
  if (size % lines != 0 || extent % (size / lines) != 0) return false;
  const auto length = static_cast<Ordinal>(size / lines);
  if (d == 0 && (box.ny == 1 || box.nz == 1)) {
    box = {length, box.nx / length, box.ny * box.nz};
    return true;
  }
  if (d == 1 && box.nz == 1) {
    box = {box.nx, length, box.ny / length};
    return true;
  }
  return false;
}

/// A box that all edges fit, and what they say about it.
struct FittedBox {
  Box box;
  BoxFit fit;
};

/// `look.fit(box)` is `fit_box` of the whole graph.
template <class Look>
std::optional<FittedBox> try_box(Look& look, const Box& box) {
  FittedBox fitted{box, look.fit(box)};
  if (fitted.fit.misfits > 0) return std::nullopt;
  for (int d = 0; d < 2; ++d) {
    Box split = fitted.box;
    if (!split_lines(split, fitted.fit, d)) continue;
    const BoxFit fit = look.fit(split);
    if (fit.misfits == 0) fitted = {split, fit};
  }
  return fitted;
}

/// Whether a direction of two points is every other point of a longer one: a stencil that reaches
/// two points fits such a fold with a reach of one. Of a box that is two points wide the steps of
/// one up both in this direction and in the next are three of this one's strides; those of a fold
/// lead up and back alone, as no stencil of two points reaches three.
inline bool is_folded(const FittedBox& fitted, const std::vector<Ordinal>& strides) {
  const Box& box = fitted.box;
  const auto is_fold = [&](int d, std::int64_t stride, int reach_below) {
    if (extent_of(box, d) != 2 || extent_of(box, d + 1) < 2) return false;
    if (fitted.fit.diagonal[d + 1] == 0) return false;
    return std::none_of(strides.begin(), strides.end(), [&](std::int64_t step) {
      return std::abs(step - 3 * stride) <= reach_below;
    });
  };
  return is_fold(0, 1, 0) || is_fold(1, box.nx, largest_reach);
}

/// `look`: as of `choose_pieces`.
template <class Look>
std::optional<FittedBox> find_box(Look& look, const std::optional<Box>& hint) {
  if (!look.has_edges()) return std::nullopt;
  if (hint && hint->size() == look.num_nodes()) {
    if (const auto fitted = try_box(look, *hint)) return fitted;
  }
  const auto strides = look.strides();
  if (!strides || strides->empty()) return std::nullopt;
  constexpr std::size_t max_tries = 3;
  auto boxes = candidate_boxes(look.num_nodes(), *strides, largest_reach);
  boxes.resize(std::min(boxes.size(), max_tries));
  for (const Box& box : boxes) {
    const auto fitted = try_box(look, box);
    if (fitted && !is_folded(*fitted, *strides)) return fitted;
  }
  return std::nullopt;
}

}  // namespace tessera::kernels
