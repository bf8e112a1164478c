// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the programs share that measure on the default execution space by themselves.
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

namespace tessera::perf {

/// The whole main(): `Options::add_to(app)`, then `run(exec, options)` with Kokkos initialised and
/// freed memory kept. The exit code: CLI11's for an unknown option, 1 after an exception, which is
/// printed.
template <class Options>
int device_main(int argc, char** argv, const char* description,
                void (*run)(const DeviceSpace&, const Options&)) {
  CLI::App app{description};
  Options options;
  options.add_to(app);
  CLI11_PARSE(app, argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    keep_freed_memory(std::max(Kokkos::device_id(), 0));
    const DeviceSpace exec;
    run(exec, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace tessera::perf
