// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where the real matrices are.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::test {

/// The folder that the environment's TESSERA_MATRICES names, else the one that the build names.
std::filesystem::path matrices();

/// The packed file of the matrix of that name, there or not.
std::filesystem::path packed_matrix(const std::string& name);

/// Why the matrix of that name cannot be read, or nothing where it can; without a name, why none
/// can.
std::string why_unreadable(const std::string& name = {});

}  // namespace tessera::test
