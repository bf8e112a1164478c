// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "c/arrays.hpp"

namespace tessera::c {

bool lies_on_device([[maybe_unused]] const void* pointer, tessera_memory memory) {
  if (memory != TESSERA_MEMORY_AUTO) return memory == TESSERA_MEMORY_DEVICE;
#if defined(KOKKOS_ENABLE_CUDA)
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
    cudaGetLastError();  // an address that the runtime does not know is the host's
    return false;
  }
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
#elif defined(KOKKOS_ENABLE_HIP)
  hipPointerAttribute_t attributes{};
  if (hipPointerGetAttributes(&attributes, pointer) != hipSuccess) {
    static_cast<void>(hipGetLastError());
    return false;
  }
  return attributes.type == hipMemoryTypeDevice || attributes.type == hipMemoryTypeManaged;
#else
  return false;
#endif
}

void require_columns(const ColumnsOf& shape, const void* data, const char* name,
                     const char* leading_name) {
  require_argument(shape.rows >= 0, [&] {
    return std::string(name) + " has " + std::to_string(shape.rows) + " rows; expected 0 or more";
  });
  require_argument(shape.columns >= 1, [&] {
    return std::string(name) + " has " + std::to_string(shape.columns) +
           " columns; expected 1 or more";
  });
  require_argument(shape.columns == 1 || shape.leading >= shape.rows, [&] {
    return std::string(leading_name) + " is " + std::to_string(shape.leading) +
           "; expected at least the " + std::to_string(shape.rows) +
           " rows, for it is the distance from one column to the next";
  });
  if (shape.rows > 0) require_pointer(data, name);
}

void require_apart(const void* a, const ColumnsOf& a_shape, const void* b, const ColumnsOf& b_shape,
                   std::size_t scalar_bytes) {
  const auto length = [](const ColumnsOf& shape) {
    using Length = std::uintptr_t;
    const Length before =
        shape.columns == 1 ? 0 : Length(shape.columns - 1) * static_cast<Length>(shape.leading);
    return shape.rows == 0 ? Length(0) : before + static_cast<Length>(shape.rows);
  };
  const auto a_first = reinterpret_cast<std::uintptr_t>(a);
  const auto b_first = reinterpret_cast<std::uintptr_t>(b);
  const bool apart = a_first + length(a_shape) * scalar_bytes <= b_first ||
                     b_first + length(b_shape) * scalar_bytes <= a_first;
  require_argument(apart || length(a_shape) == 0 || length(b_shape) == 0, [] {
    return std::string("b and x overlap in memory; expected separate vectors");
  });
}

}  // namespace tessera::c
