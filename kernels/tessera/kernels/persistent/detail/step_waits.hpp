// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// For which shares of a cooperative group a share waits between two steps of a program.
///
/// Yang et al. (Mille-feuille, SC'24, section III.C) count down what a block's part of a product
/// depends on, d_s, in place of a barrier of all. Here that is known before: in one step per share
/// reads x in the columns of its rows, and all else at its own rows.
#pragma once

#include "tessera/kernels/execution/share_range.hpp"
#include "tessera/kernels/persistent/step.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::kernels::detail {

/// Columns `first` to `last`; none where that is less.
struct ColumnRange {
  Ordinal first = 0;
  Ordinal last = -1;
};

/// What a step reads and writes. Each vector that is written is written at all of its rows.
struct StepAccess {
  Ordinal num_rows = 0;
  bool by_one_block = false;  ///< by share 0
  std::vector<int> read{};  ///< at the share's own rows
  std::vector<int> written{};  ///< at the share's own rows
  int gathered = no_vector;  ///< read in `columns`
  std::vector<ColumnRange> columns{};  ///< of each share's rows; empty where they are all of them
};

template <class Scalar>
StepAccess access_of(const Step<Scalar>& step, std::vector<ColumnRange> columns) {
  StepAccess access{.num_rows = step.num_rows, .by_one_block = step.by_one_block};
  const auto note = [](std::vector<int>& vectors, int v) {
    if (v != no_vector) vectors.push_back(v);
  };
  note(access.read, step.b);
  const bool is_iterate = step.kind == StepKind::jacobi || step.kind == StepKind::chebyshev;
  if (step.kind == StepKind::add || is_iterate) note(access.read, step.x);
  if (step.kind == StepKind::add || step.kind == StepKind::add_product) note(access.read, step.y);
  if (step.kind == StepKind::chebyshev) note(access.read, step.p);
  note(access.written, step.y);
  note(access.written, step.p);
  note(access.written, step.scaled);
  if (step.has_matrix() || step.kind == StepKind::dense) access.gathered = step.x;
  access.columns = std::move(columns);
  return access;
}

/// For whom each of `shares` shares waits after each step but the last, step after step: the least
/// range in which all lie who write what it reads next, who have read what it overwrites then, or
/// who have written that, unless it knows so already, from them or from others. All of them
/// synchronize before the first step and after the last; between two steps of one block nobody
/// waits.
std::vector<ShareRange> shares_to_wait_for(const std::vector<StepAccess>& steps, int shares);

}  // namespace tessera::kernels::detail
