// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the command says of its build, and Kokkos for its life.
#pragma once

#include <exception>
#include <string>

#include "frontend/machine.hpp"

namespace tessera::app {

using frontend::build_info;
using frontend::BuildInfo;
using frontend::date_text;
using frontend::machine_info;
using frontend::MachineInfo;
using frontend::peak_memory_bytes;
using frontend::Place;

/// The text of "tessera --version".
std::string version_text();

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
