// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory that is written once and whole.
#pragma once

#include <cstddef>
#include <memory>

namespace tessera::direct::detail {

struct FreeLargeArray {
  void operator()(void* memory) const;
};

/// Numbers without a value, as the thread that writes them first touches them first. Large ones lie
/// on large pages where Linux has them to give: a page of 4 KiB takes 2 to 3 us to be had in a
/// virtual machine, as long as a few thousand operations with what lies in it.
template <class T>
using LargeArray = std::unique_ptr<T[], FreeLargeArray>;

/// @throws std::bad_alloc
void* allocate_large(std::size_t bytes);

template <class T>
LargeArray<T> make_large_array(std::size_t count) {
  return LargeArray<T>(static_cast<T*>(allocate_large(count * sizeof(T))));
}

}  // namespace tessera::direct::detail
