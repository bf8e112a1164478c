// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A tessera::Solver of whichever scalar, space and offset, behind one interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "c/arrays.hpp"
#include "frontend/report.hpp"
#include "tessera/solve.hpp"

namespace tessera::c {

/// Columns that a setting was given, kept until a setup tells their scalar and space.
struct KeptColumns {
  std::vector<double> values;  ///< rows by columns, column after column
  std::int64_t rows = 0;
  std::int32_t columns = 0;
};

/// What a solver is told before a setup.
struct Settings {
  SolveParameters parameters;
  std::string device = "auto";
  void* stream = nullptr;
  tessera_memory memory = TESSERA_MEMORY_AUTO;
  std::int32_t block_size = 0;
  KeptColumns near_nullspace;
  KeptColumns nullspace;
  KeptColumns left_nullspace;
  KeptColumns coordinates;
};

/// Right-hand sides and solutions, or what the preconditioner is applied to and its result.
struct VectorPair {
  const void* in;
  ColumnsOf in_shape;
  void* out;
  ColumnsOf out_shape;
};

/// One set-up solver.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual tessera_type value_type() const = 0;
  virtual std::int64_t num_rows() const = 0;
  /// Has what comes next start after the work that `stream` has by now; null: nothing to wait for.
  virtual void start_after(void* stream) = 0;
  virtual void update(const tessera_matrix& A) = 0;
  virtual SolveResult solve(const VectorPair& vectors, const Logger& logger) = 0;
  virtual void apply(const VectorPair& vectors) = 0;
  virtual double setup_ms() const = 0;
  /// Fills in what is known of the solver and its matrix.
  virtual void describe(frontend::SolveReport& report) const = 0;
};

/// Sets up a solver for `A` on the host or the device, as the settings say.
/// @throws Failure and Error
std::unique_ptr<Engine> set_up_engine(const Settings& settings, const tessera_matrix& A);

/// What that, and a solve with it, are expected to take. @throws Failure and Error
MemoryForecast forecast_memory(const Settings& settings, const tessera_matrix& A);

/// Where the settings have the work done. @throws Error of kind configuration
frontend::Place place_of(const Settings& settings);

}  // namespace tessera::c
