// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What lies behind a `tessera_solver*`, for the functions that take one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "c/engine.hpp"
#include "c/failure.hpp"
#include "c/runtime.hpp"

/// The handle: settings, and once set up a solver.
struct tessera_solver final : tessera::c::Handle {
  tessera::c::Settings settings;
  tessera_progress progress = nullptr;
  void* context = nullptr;
  std::string device;  ///< in force
  std::unique_ptr<tessera::c::Engine> engine;
  tessera_matrix matrix{};  ///< of the last setup or update
  std::optional<tessera::SolveResult> result;
  std::string json;

  void release() noexcept override { engine.reset(); }
};

namespace tessera::c {

/// The solver's engine. @throws Failure before a setup, and after the end of Kokkos
Engine& engine_of(tessera_solver& solver);

/// Of the last solve. @throws Failure where there is none since the last setup
const SolveResult& result_of(tessera_solver& solver);

/// How the last solve fell short of the tolerance, and what to try.
std::string shortfall(tessera_solver& solver);

/// Throws a Failure unless it is TESSERA_DOUBLE or TESSERA_FLOAT.
void require_type(tessera_type type);

/// A function that works on a solver.
template <class Work>
tessera_status with_solver(const char* function, tessera_solver* solver, Work&& work) noexcept {
  return guarded(function, [&] {
    const HandleUse use(solver, "solver");
    return work(*solver);
  });
}

}  // namespace tessera::c
