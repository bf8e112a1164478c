// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rows of one process in the memory of the host, in arrays that somebody else owns.
#pragma once

#include "tessera/distributed/host_array.hpp"
#include "tessera/distributed/rows_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>

namespace tessera::hypre {

/// The first `size` of `given` as integers of type `T`: where they have its size these themselves,
/// which stay as long as the list is used, else a copy that the list owns.
template <class T, class Given>
distributed::HostArray<T> shared_integers(const Given* given, std::size_t size) {
  static_assert(std::is_integral_v<Given>);
  if constexpr (sizeof(Given) == sizeof(T)) {
    // `long` and `long long` may be two types of one size.
    return distributed::HostArray<T>(reinterpret_cast<const T*>(given), size);
  } else {
    const auto copy =
        allocate<T>(Kokkos::DefaultHostExecutionSpace(), "tessera::hypre::integers", size);
    std::transform(given, given + size, copy.data(), [](Given i) { return static_cast<T>(i); });
    return copy;
  }
}

/// Compressed rows; without an offset where there is no entry.
struct HostPart {
  distributed::HostArray<std::int64_t> offsets;
  distributed::HostArray<Ordinal> columns;
  const double* values = nullptr;

  std::size_t num_entries() const { return columns.extent(0); }
};

/// Rows in two parts, as `distributed::RowsInParts` has them.
struct HostParts {
  Ordinal num_rows = 0;
  HostPart own;
  HostPart ghost;
  distributed::HostArray<std::int64_t> ghosts;
  std::optional<distributed::HaloLists> halo;
  /// Where `halo->exports`, which it is given, lie by now, where they are somebody's who moves
  /// them. On all processes that have lists. @throws Error on all of these where the list is gone.
  std::function<distributed::HostArray<Ordinal>(const distributed::HostArray<Ordinal>&)>
      moved_exports;
};

}  // namespace tessera::hypre
