// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The processes that a test runs on.
#pragma once

#include "tessera/distributed/communicator.hpp"

#include <memory>

namespace tessera::test {

/// Those of mpirun; one by itself without MPI.
std::shared_ptr<const distributed::Communicator> all_processes();

}  // namespace tessera::test
