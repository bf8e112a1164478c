// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the programs on Google Benchmark share: their options beside its own, and the record.
#pragma once

#include "support/record.hpp"

#include <benchmark/benchmark.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <vector>

namespace tessera::perf {

/// Google Benchmark with what `unknown` has of its options and `out` as its JSON file; false where
/// an option is nobody's.
inline bool initialize_benchmark(char* program, std::vector<std::string> unknown,
                                 const std::string& out) {
  if (!out.empty()) unknown.push_back("--benchmark_out=" + out);
  std::vector<char*> pointers{program};
  for (std::string& argument : unknown)
    pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  return !benchmark::ReportUnrecognizedArguments(count, pointers.data());
}

/// Puts the run into the record's context, where Google Benchmark has a date already.
inline void add_run_to_context() {
  const nlohmann::json run = run_json();
  for (const auto& [key, value] : run.items()) {
    if (key != "date") benchmark::AddCustomContext(key, value.get<std::string>());
  }
}

/// Runs what is registered, and forgets it.
inline void run_benchmarks() {
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();
}

/// The whole main(): `options.add_to(app)`, then `run()` with Kokkos initialised, which returns
/// whether all results were right. The exit code: 64 for an unknown option, 1 for a wrong result.
template <class Options>
int benchmark_main(int argc, char** argv, const char* description, Options& options,
                   const std::function<bool()>& run) {
  CLI::App app{std::string(description) + "; beside these, the --benchmark_* options"};
  std::string out;
  options.add_to(app);
  app.add_option("--out", out, "JSON file");
  app.allow_extras();
  CLI11_PARSE(app, argc, argv);
  if (!initialize_benchmark(argv[0], app.remaining(), out)) return 64;

  const Kokkos::ScopeGuard kokkos(argc, argv);
  add_run_to_context();
  bool good = false;
  try {
    good = run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  benchmark::Shutdown();
  return good ? 0 : 1;
}

}  // namespace tessera::perf
