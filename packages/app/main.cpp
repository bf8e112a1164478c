// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera`.
#include "tessera/command.hpp"

int main(int argc, char** argv) { return tessera::run_command(argc, argv); }
