// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What mille_feuille asks of a way of solving a system.
#pragma once

#include "support/krylov_system.hpp"
#include "support/record.hpp"
#include "tessera/smoother/ilu_smoother.hpp"

#include <stdexcept>

namespace tessera::perf {

/// What all ways are asked for.
struct VariantOptions {
  std::string preconditioner = "none";  ///< or jacobi, block_jacobi, ilu, amg
  double tolerance = 1e-10;
  int max_iterations = 1000;
  double time_limit_s = 0;  ///< of a solve by one of our ways; 0: none
  int block_rows = 8;
  bool cycle_in_float = true;
  std::size_t one_block_entries = 8192;
  kernels::FactorMode factor_mode = kernels::FactorMode::automatic;
  kernels::PersistentTuning tuning;
};

/// How a solve ended.
struct VariantEnd {
  std::string status;
  int iterations = 0;
  std::vector<double> history;  ///< of relative residuals; empty where it was not kept
  int iterations_run = 0;  ///< by the device, where that is more than were needed; 0: as those
  int timed_iterations() const { return iterations_run > 0 ? iterations_run : iterations; }
};

/// A way, with all that it makes of the matrix before it solves.
class SolveVariant {
 public:
  virtual ~SolveVariant() = default;
  /// From x = 0, which the way itself sets.
  virtual VariantEnd solve(KrylovSystem& system) = 0;
  /// Members that its row of the record has besides: "tile_work" for figure 11, "bytes" of the
  /// matrix beside "csr_bytes" for figure 13.
  virtual nlohmann::json more() const { return nlohmann::json::object(); }
};

/// ILU(0) of the system's matrix, with shifts, and for CG positive definite.
inline IluPreconditioner<double, DeviceSpace> incomplete_factors(const DeviceSpace& exec,
                                                                 const KrylovSystem& system) {
  IluParameters p;
  p.negative_pivots = system.is_definite ? NegativePivots::absolute : NegativePivots::keep;
  IluPreconditioner<double, DeviceSpace> ilu(p);
  ilu.initialize(exec, system.device);
  if (!ilu.compute(exec, system.device.view()))
    throw std::runtime_error("no factors of finite numbers");
  return ilu;
}

}  // namespace tessera::perf
