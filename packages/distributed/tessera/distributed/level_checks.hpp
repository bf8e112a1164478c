// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What levels over several processes do not have.
#pragma once

#include "tessera/amg/level_parameters.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/operator/registry.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <string>

namespace tessera::distributed {

/// Throws for what cannot relax rows that are distributed.
inline void check_smoother(const SmootherParameters& p) {
  if (p.points != RelaxationPoints::all)
    throw Error(ErrorKind::configuration,
                "on several processes 'amg.smoother.points' is all: smoothed aggregation, which "
                "levels have there, has no fine and coarse points");
}

/// Throws for what depends on how rows are shared out.
inline void check_reproducible(const SmootherParameters& p) {
  if (!smoother_needs(p).square_matrix) return;
  throw Error(ErrorKind::configuration,
              "'reproducible' is not for smoother " + std::string(smoother_name(p.type)) +
                  ", which relaxes each process's rows by themselves; take jacobi, l1_jacobi, "
                  "chebyshev or spai0");
}

/// Throws unless the coarsening that the parameter `key` names is the only one that it may be:
/// others, those that a program registers among them, take a matrix that one process has.
inline void check_coarsening(const std::string& key, amg::CoarseningKind kind,
                             amg::CoarseningKind expected) {
  if (kind == expected) return;
  throw Error(ErrorKind::configuration,
              "on several processes '" + key + "' is " + amg::coarsening_name(expected) + ", not " +
                  amg::coarsening_name(kind) +
                  (is_registered(kind) ? ", which is registered for matrices on one process" : ""));
}

/// Throws for what levels over several processes do not have.
inline void check_level(const amg::LevelParameters& p) {
  check_smoother(p.smoother);
  check_coarsening("amg.levels.*.coarsening.type", p.coarsening.type, amg::CoarseningKind::same);
}

}  // namespace tessera::distributed
