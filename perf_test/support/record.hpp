// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What every record says of the run that made it, and the writing of records.
#pragma once

#include "app/machine.hpp"

#include "tessera/io/text_file.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera::perf {

/// A word as a shell has to be given it.
inline std::string shell_word(const std::string& word) {
  const char* const plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// This process's command line, with the variables before it that decide on the threads;
/// "unknown" where the system has no /proc.
inline std::string command_line() {
  std::string command;
  for (const char* const name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES"}) {
    if (const char* const value = std::getenv(name))
      command += std::string(name) + "=" + shell_word(value) + " ";
  }
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  if (!file) return "unknown";
  std::string separator;
  for (std::string word; std::getline(file, word, '\0'); separator = " ")
    command += separator + shell_word(word);
  return command;
}

inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

#if defined(KOKKOS_ENABLE_CUDA)
/// The GPU, the driver's version as the kernel's module has it, CUDA's versions (of the runtime
/// that is linked, and the newest that the driver can serve), and what Kokkos allocates by: without
/// the driver's pool, times that hold allocations are longer.
inline nlohmann::json device_json() {
  const auto version = [](int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  };
  int runtime = 0, served = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&served);
  std::string driver = "unknown";
  std::ifstream("/sys/module/nvidia/version") >> driver;
#if defined(KOKKOS_ENABLE_IMPL_CUDA_MALLOC_ASYNC)
  const char* const allocator = "cudaMallocAsync";
#else
  const char* const allocator = "cudaMalloc";
#endif
  return {{"gpu", app::machine_info(app::Place::device).name},
          {"gpu_driver", driver},
          {"cuda_runtime", version(runtime)},
          {"cuda_of_driver", version(served)},
          {"kokkos_allocator", allocator}};
}
#elif defined(KOKKOS_ENABLE_HIP)
inline nlohmann::json device_json() {
  int runtime = 0, driver = 0;
  static_cast<void>(hipRuntimeGetVersion(&runtime));
  static_cast<void>(hipDriverGetVersion(&driver));
  return {{"gpu", app::machine_info(app::Place::device).name},
          {"gpu_driver", std::to_string(driver)},
          {"hip_runtime", std::to_string(runtime)}};
}
#else
inline nlohmann::json device_json() { return nlohmann::json::object(); }
#endif

/// A flat object of strings: command, date, what was built by what, and the machine. Kokkos has to
/// be initialised.
inline nlohmann::json run_json() {
  const app::BuildInfo build = app::build_info();
  const app::MachineInfo host = app::machine_info(app::Place::host);
  nlohmann::json run = device_json();
  run["command"] = command_line();
  run["date"] = utc_now();
  run["tessera"] = build.version;
  run["commit"] = build.commit;
  run["kokkos"] = build.kokkos_version;
  run["compiler"] = build.compiler;
  run["space"] = build.execution_spaces.front();
  run["processor"] = host.name;
  run["threads"] = std::to_string(host.threads);
  return run;
}

/// Writes `results` with the run as its member "run". Does nothing where no file is named; says so
/// and ends the program where it cannot be written.
inline void write_record(const std::string& file, nlohmann::json results) {
  if (file.empty()) return;
  results["run"] = run_json();
  try {
    write_text(file, results.dump(2) + '\n');
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(74);
  }
}

}  // namespace tessera::perf
