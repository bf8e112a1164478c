// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a setup table shows of a hierarchy; plain data, no device types.
#pragma once

#include "tessera/operator/storage_info.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// One level as the setup table shows it.
struct LevelInfo {
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  double entries_per_row = 0;
  int unknowns_per_node = 1;
  std::string precision;  ///< of the level's vectors: "double", "float" or "half"
  StorageInfo A;  ///< the operator
  StorageInfo P;  ///< the prolongator; empty on the coarsest level
  StorageInfo R;  ///< the restriction; empty on the coarsest level
  std::string aggregation;  ///< how this level was coarsened; how it is solved on the coarsest
  /// Of D^-1 A; 0 on the coarsest level, and where nothing asks for it.
  double spectral_radius = 0;
  double setup_ms = 0;  ///< where phases are measured
  std::string products = {};  ///< that made the next level: "csr" or "mbsr"; empty without one
  std::string coarsening = {};  ///< as parameters name it; empty on the coarsest level
  std::string smoother = {};  ///< as parameters name it; empty where the level is solved directly
  int processes = 1;  ///< that have a share in it
};

/// The whole hierarchy as the setup table shows it.
struct HierarchyInfo {
  std::vector<LevelInfo> levels;
  double operator_complexity = 1;  ///< entries of all operators over those of the finest
  double grid_complexity = 1;  ///< rows of all levels over those of the finest
  double memory_complexity = 1;  ///< `bytes` over those of the finest operator
  std::size_t bytes = 0;  ///< of all operators, prolongators and restrictions
  /// The most bytes that the last setup, or update of its values, had at once beyond those before
  /// it, in the memory of its space; 0 unless `amg::Parameters::measure_memory`.
  std::size_t setup_peak_bytes = 0;
  /// What was expected of that, and of setup and a solve together: 0 unless
  /// `SolveParameters::forecast_memory` or a limit asked for it.
  std::size_t setup_forecast_bytes = 0;
  std::size_t peak_forecast_bytes = 0;
  double setup_ms = 0;
  /// Wall-clock time of each setup step summed over the levels, in the order of the algorithm;
  /// empty unless `amg::Parameters::measure_phases`.
  std::vector<std::pair<std::string, double>> setup_phases_ms;
  /// What was picked or limited, and why: one sentence each.
  std::vector<std::string> notes;
};

}  // namespace tessera
