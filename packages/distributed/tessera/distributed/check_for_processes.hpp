// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a solver over several processes does not have of the parameters of one.
#pragma once

#include "tessera/distributed/parameters.hpp"

namespace tessera::distributed {

/// @throws Error of kind `configuration`
void check_for_processes(const Parameters& p);

}  // namespace tessera::distributed
