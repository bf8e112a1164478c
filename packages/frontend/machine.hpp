// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What this program was built with and what it runs on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::frontend {

/// The kinds of place that a solve can run in.
enum class Place { host, device };

/// What "tessera --version" and the report say of the build.
struct BuildInfo {
  std::string version;
  std::string commit;
  std::string kokkos_version;
  std::vector<std::string> execution_spaces;  ///< lower case, the default first
  std::string compiler;
};
BuildInfo build_info();

/// Where a solve runs.
struct MachineInfo {
  std::string space;  ///< "openmp", "cuda", ...
  std::string name;  ///< of the processor or the GPU
  int threads = 1;  ///< threads of the host space; on a device its concurrency
  int processes = 1;  ///< each with so many threads
  bool device_pointers = false;  ///< are what MPI is given for messages on a device
};

/// Turns the value of the setting, which messages call so, into a place. @throws Error of kind
/// configuration naming what this build has
Place choose_place(std::string_view setting, std::string_view device);

/// Kokkos must be initialised.
MachineInfo machine_info(Place place);

/// The time in UTC, as "2026-01-31T12:34:56Z".
std::string date_text();

/// The most memory of the host that this process has held so far; 0 where the system does not say.
std::size_t peak_memory_bytes();

/// Initialises Kokkos, which prints no warnings then. `threads` 0 leaves the number to Kokkos.
/// @throws Error of kind configuration where the build is for a device and the machine has none
void initialize_kokkos(int threads);

}  // namespace tessera::frontend
