// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The storage formats that tests go through.
#pragma once

#include "tessera/kernels/spmv/storage_formats.hpp"

#include <vector>

namespace tessera::test {

/// What users choose between: every format of the library, and the two words that leave it open.
inline std::vector<StorageFormat> storage_formats_to_choose() {
  std::vector<StorageFormat> formats{StorageFormat::automatic, StorageFormat::least_bytes};
  kernels::for_each_format([&]<class Format>() { formats.push_back(Format::value); });
  return formats;
}

}  // namespace tessera::test
