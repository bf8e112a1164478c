// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/command.hpp"

#include "app/command_line.hpp"

namespace tessera {

int run_command(int argc, char** argv) { return app::run(argc, argv); }

}  // namespace tessera
