// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Arrays of the caller's as Views: seen where they lie, or copied to where the work is done.
#pragma once

#include <cstdint>
#include <string>

#include "c/failure.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::c {

/// Whether an array lies in the memory of a device alone: as said, or found out from its address.
bool lies_on_device(const void* pointer, tessera_memory memory);

/// True where kernels on `Space` read the array as it lies.
template <class Space>
bool reads_in_place(const void* pointer, tessera_memory memory, const char* name) {
  const bool on_device = lies_on_device(pointer, memory);
  constexpr bool is_host = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;
  if (is_host && on_device) {
    throw Failure(TESSERA_ERROR_ARGUMENT,
                  std::string(name) +
                      " lies in device memory and the solver works on the host; set the device to "
                      "\"device\", in a build for one, or pass arrays of the host");
  }
  return is_host || on_device;
}

/// `length` entries at `pointer`, in the memory of `Space`.
template <class T, class Space>
Array<T, Space> array_of(const Space& exec, const void* pointer, std::size_t length,
                         tessera_memory memory, const char* name) {
  using Plain = std::remove_const_t<T>;
  // The values of a Csr are not const, and written to by nobody but their owner.
  auto* const entries = static_cast<Plain*>(const_cast<void*>(pointer));
  if (length == 0) return {};
  require_pointer(pointer, name);
  if (reads_in_place<Space>(pointer, memory, name)) return Array<T, Space>(entries, length);
  const auto copy = allocate<Plain>(exec, std::string("tessera::c::") + name, length);
  Kokkos::deep_copy(
      exec, copy,
      Kokkos::View<const Plain*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
          entries, length));
  exec.fence("tessera::c::array_of");
  return copy;
}

/// `columns` columns of `rows` entries, `leading` apart.
struct ColumnsOf {
  std::int64_t rows;
  std::int32_t columns;
  std::int64_t leading;
};

/// Throws unless there are such columns; a `leading` of one column does not matter.
void require_columns(const ColumnsOf& shape, const void* data, const char* name,
                     const char* leading_name);

/// Throws where two sets of columns, each of them checked, have memory in common: also where both
/// are copied, so that what is refused does not depend on where a solver solves.
void require_apart(const void* a, const ColumnsOf& a_shape, const void* b, const ColumnsOf& b_shape,
                   std::size_t scalar_bytes);

/// The columns at `pointer`, where they lie; they are in the memory of `Space`.
template <class T, class Space>
MultiVectorView<T, Space> columns_in_place(const void* pointer, const ColumnsOf& shape) {
  auto* const entries = static_cast<std::remove_const_t<T>*>(const_cast<void*>(pointer));
  const auto rows = static_cast<std::size_t>(shape.rows);
  const std::size_t stride = shape.columns == 1 ? rows : static_cast<std::size_t>(shape.leading);
  const MultiVectorView<T, Space> all(entries, stride, shape.columns);
  return MultiVectorView<T, Space>(
      Kokkos::subview(all, std::pair<std::size_t, std::size_t>(0, rows), Kokkos::ALL));
}

/// Copies columns between the host and the memory of `Space`, one by one, for columns that are
/// apart have no common block.
template <class Space, class To, class From>
void copy_columns(const Space& exec, const To& to, const From& from) {
  for (std::size_t j = 0; j < to.extent(1); ++j)
    Kokkos::deep_copy(exec, Kokkos::subview(to, Kokkos::ALL, j),
                      Kokkos::subview(from, Kokkos::ALL, j));
  exec.fence("tessera::c::copy_columns");
}

}  // namespace tessera::c
