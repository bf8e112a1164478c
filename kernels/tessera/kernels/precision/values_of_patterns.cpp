// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definition and instantiations of `values_of_patterns`.
#include "tessera/kernels/precision/arithmetic.hpp"

#include <array>

namespace tessera {

template <class Storage>
const float* values_of_patterns() {
  static const auto values = [] {
    std::array<float, std::size_t(1) << (8 * sizeof(Storage))> result{};
    for (std::size_t pattern = 0; pattern < result.size(); ++pattern)
      result[pattern] = static_cast<float>(Storage::from_bits(static_cast<std::uint32_t>(pattern)));
    return result;
  }();
  return values.data();
}

template const float* values_of_patterns<Half>();
template const float* values_of_patterns<Fp8E4M3>();
template const float* values_of_patterns<Fp8E5M2>();

}  // namespace tessera
