// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether two MultiVectors share memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

/// True where an entry of `a` is one of `b` too. Column against column, for those of two blocks of
/// rows of one MultiVector interleave without a common entry.
template <class A, class B>
bool overlap(const A& a, const B& b) {
  static_assert(sizeof(typename A::value_type) == sizeof(typename B::value_type));
  if (a.size() == 0 || b.size() == 0) return false;
  constexpr std::uintptr_t item = sizeof(typename A::value_type);
  const auto begin = [](const auto& v, std::size_t column) {
    return reinterpret_cast<std::uintptr_t>(v.data()) + item * column * v.stride(1);
  };
  for (std::size_t i = 0; i < a.extent(1); ++i) {
    for (std::size_t j = 0; j < b.extent(1); ++j) {
      if (begin(a, i) < begin(b, j) + item * b.extent(0) &&
          begin(b, j) < begin(a, i) + item * a.extent(0)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace tessera
