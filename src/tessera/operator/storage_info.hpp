// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What tables and reports say of a matrix in memory; plain data, no device types.
#pragma once

#include <cstddef>
#include <string>

namespace tessera {

/// How a matrix lies in memory and which kernel multiplies it: plain data for tables and reports.
struct StorageInfo {
  std::string format;  ///< "csr", "mbsr packed", ..., or what a registered one says
  std::string storage;  ///< the scalar of its entries: "double", "float", "half", ...
  std::string kernel;  ///< of its products, e.g. "staged, 4 lanes per row"
  std::size_t bytes = 0;  ///< of all its arrays
};

}  // namespace tessera
