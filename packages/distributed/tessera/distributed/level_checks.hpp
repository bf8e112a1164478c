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

/// Throws for what cannot relax rows that are distributed.
inline void check_smoother(const SmootherParameters& p) {
  if (p.points != RelaxationPoints::all)
    throw Error(ErrorKind::configuration,
                "on several processes 'amg.smoother.points' is all: fine and coarse points are "
                "relaxed apart on one process alone");
}

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

/// Whether there is all of such a classical coarsening on several processes.
inline bool has_classical(const amg::ClassicalParameters& p) {
  return p.splitting == amg::PointSplitting::pmis;
}

/// Throws for what there is of classical coarsening on one process alone.
inline void check_classical(const amg::ClassicalParameters& p) {
  if (p.splitting != amg::PointSplitting::pmis)
    throw Error(ErrorKind::configuration,
                "on several processes 'amg.classical.splitting' is pmis: fronts advance over the "
                "points of one process");
}

/// Throws for a coarsening of all levels that there is not, and for what there is not of it.
inline void check_coarsening(const amg::Parameters& p) {
  using Kind = amg::CoarseningKind;
  if (p.coarsening == Kind::classical) return check_classical(p.classical);
  if (p.coarsening == Kind::automatic || p.coarsening == Kind::smoothed_aggregation ||
      p.coarsening == Kind::pairwise || p.coarsening == Kind::reduction)
    return;
  refuse_coarsening("amg.coarsening", p.coarsening,
                    "smoothed_aggregation, pairwise, classical or reduction");
}

/// Throws for nodes of several unknowns with a coarsening that does not take them.
inline void check_block_size(const amg::Parameters& p, int block_size) {
  if (block_size == 1 || !amg::takes_one_unknown(p.coarsening)) return;
  throw Error(ErrorKind::configuration,
              "on several processes amg.coarsening=" + amg::coarsening_name(p.coarsening) +
                  " is for one unknown per node, and nodes have " + std::to_string(block_size) +
                  "; take amg.coarsening=smoothed_aggregation, or block_size=1 where the unknowns "
                  "are of one kind");
}

/// Throws for what levels over several processes do not have.
inline void check_level(const amg::LevelParameters& p) {
  check_smoother(p.smoother);
  if (p.coarsening.type != amg::CoarseningKind::same)
    refuse_coarsening("amg.levels.*.coarsening.type", p.coarsening.type,
                      amg::coarsening_name(amg::CoarseningKind::same));
}

}  // namespace tessera::distributed
