// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The command `tessera`.
#include "app/command_line.hpp"

int main(int argc, char** argv) { return tessera::app::run(argc, argv); }
