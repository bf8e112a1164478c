// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of one process in the memory of the host, in arrays that somebody else owns.
#pragma once

#include "tessera/distributed/rows_in_parts.hpp"
#include "tessera/hypre/host_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::hypre {

/// Integers of type `T` where those given have its size; else a copy of theirs.
template <class T>
class SharedIntegers {
 public:
  SharedIntegers() = default;
  /// The first `size` of `given`, which stay there as long as this is used.
  template <class Given>
  SharedIntegers(const Given* given, std::size_t size) : m_size(size) {
    static_assert(std::is_integral_v<Given>);
    if constexpr (sizeof(Given) == sizeof(T)) {
      // `long` and `long long` may be two types of one size.
      m_given = reinterpret_cast<const T*>(given);
    } else {
      m_copy.resize(size);
      for (std::size_t i = 0; i < size; ++i)
        m_copy[i] = static_cast<T>(given[i]);
    }
  }
  const T* data() const { return m_given != nullptr ? m_given : m_copy.data(); }
  std::size_t size() const { return m_size; }
  T operator[](std::size_t i) const { return data()[i]; }

 private:
  const T* m_given = nullptr;
  HostList<T> m_copy;
  std::size_t m_size = 0;
};

/// Compressed rows; without an offset where there is no entry.
struct HostPart {
  SharedIntegers<std::int64_t> offsets;
  SharedIntegers<Ordinal> columns;
  const double* values = nullptr;

  std::size_t num_entries() const { return columns.size(); }
};

/// Rows in two parts, as `distributed::RowsInParts` has them.
struct HostParts {
  Ordinal num_rows = 0;
  HostPart own;
  HostPart ghost;
  std::vector<std::int64_t> ghosts;
  std::optional<distributed::HaloLists> halo;
};

}  // namespace tessera::hypre
