// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What levels over several processes do not have.
#pragma once

#include "tessera/amg/level_parameters.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/operator/registry.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <string>

namespace tessera::distributed {

/// Throws for what depends on how rows are shared out.
inline void check_reproducible(const SmootherParameters& p) {
  if (!smoother_needs(p).square_matrix) return;
  throw Error(ErrorKind::configuration,
              "'reproducible' is not for smoother " + std::string(smoother_name(p.type)) +
                  ", which relaxes each process's rows by themselves; take jacobi, l1_jacobi, "
                  "chebyshev or spai0");
}

/// Refuses a coarsening that levels over several processes do not have, those that a program
/// registers among them, which take a matrix that one process has. `expected`: what the parameter
/// `key` may be.
[[noreturn]] inline void refuse_coarsening(const std::string& key, amg::CoarseningKind kind,
                                           const std::string& expected) {
  throw Error(ErrorKind::configuration,
              "on several processes '" + key + "' is " + expected + ", not " +
                  amg::coarsening_name(kind) +
                  (is_registered(kind) ? ", which is registered for matrices on one process" : ""));
}

/// Throws for a coarsening of all levels that there is not.
inline void check_coarsening(const amg::Parameters& p) {
  using Kind = amg::CoarseningKind;
  if (p.coarsening == Kind::automatic || p.coarsening == Kind::smoothed_aggregation ||
      p.coarsening == Kind::pairwise || p.coarsening == Kind::classical ||
      p.coarsening == Kind::reduction)
    return;
  refuse_coarsening("amg.coarsening", p.coarsening,
                    "smoothed_aggregation, pairwise, classical or reduction");
}

/// Throws for nodes of several unknowns with a coarsening that does not take them, which `key`
/// asks for.
inline void check_unknowns(amg::CoarseningKind kind, int block_size, const std::string& key) {
  if (block_size == 1 || !amg::takes_one_unknown(kind)) return;
  throw Error(ErrorKind::configuration,
              "on several processes " + key + "=" + amg::coarsening_name(kind) +
                  " is for one unknown per node, and nodes have " + std::to_string(block_size) +
                  "; take " + key +
                  "=smoothed_aggregation, or block_size=1 where the unknowns are of one kind");
}

/// The same of a coarsening of all levels.
inline void check_block_size(const amg::Parameters& p, int block_size) {
  if (p.levels.empty()) check_unknowns(p.coarsening, block_size, "amg.coarsening");
}

/// How many unknowns a node has by what was asked for, 0 where it is left open: where unknowns are
/// taken one by one none are looked for that belong together.
inline int asked_block_size(int block_size, amg::CoarseningKind kind) {
  return block_size == 0 && amg::takes_one_unknown(kind) ? 1 : block_size;
}

/// Throws for what levels over several processes do not have.
inline void check_level(const amg::LevelParameters& p) {
  using Kind = amg::CoarseningKind;
  const Kind kind = p.coarsening.type;
  if (kind != Kind::same && kind != Kind::smoothed_aggregation && kind != Kind::plain_aggregation &&
      kind != Kind::pairwise && kind != Kind::classical && kind != Kind::reduction)
    refuse_coarsening(
        "amg.levels.*.coarsening.type", kind,
        "same, smoothed_aggregation, plain_aggregation, pairwise, classical or reduction");
}

}  // namespace tessera::distributed
