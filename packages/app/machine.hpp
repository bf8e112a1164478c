// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What this program was built with and what it runs on.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::app {

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

/// The text of "tessera --version".
std::string version_text();

/// Where a solve runs.
struct MachineInfo {
  std::string space;  ///< "openmp", "cuda", ...
  std::string name;  ///< of the processor or the GPU
  int threads = 1;  ///< threads of the host space; on a device its concurrency
  int processes = 1;  ///< each with so many threads
};

/// Turns the value of --device into a place. @throws Error of kind configuration naming what this
/// build has
Place choose_place(std::string_view device);

/// Kokkos must be initialised.
MachineInfo machine_info(Place place);

/// The time in UTC, as "2026-01-31T12:34:56Z".
std::string date_text();

/// The most memory of the host that this process has held so far; 0 where the system does not say.
std::size_t peak_memory_bytes();

/// Initialises Kokkos for the life of this object. `threads` 0 leaves the number to Kokkos.
/// @throws Error of kind configuration where the build is for a device and the machine has none
class KokkosSession {
 public:
  explicit KokkosSession(int threads);
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;

 private:
  int m_exceptions = std::uncaught_exceptions();
};

}  // namespace tessera::app
