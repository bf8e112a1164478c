// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where the real matrices are.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace tessera::test {

/// The folder that the environment's TESSERA_MATRICES names, else the one that the build names.
inline std::filesystem::path matrices() {
  const char* const folder = std::getenv("TESSERA_MATRICES");
#ifdef TESSERA_MATRICES
  return folder != nullptr ? folder : TESSERA_MATRICES;
#else
  return folder != nullptr ? folder : "";
#endif
}

}  // namespace tessera::test
