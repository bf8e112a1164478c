// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// libFuzzer target: run with checks/fuzz/corpus as the seeds.
#include "fuzz/consume.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tessera::fuzz::consume(data, size);
  return 0;
}
