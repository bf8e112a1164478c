// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The loop over the entries of a MultiVector.
#pragma once

#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/vector/chunk_map.hpp"

#include <string>
#include <type_traits>

namespace tessera::kernels::detail {

/// True where `Space` runs on memory of its own, i.e. on a GPU.
template <class Space>
inline constexpr bool is_device_space =
    !std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

/// On a host: one iteration is one chunk of one column, so that the inner loop is contiguous.
template <class Op>
struct HostLoop {
  Op op;
  ChunkMap map;

  KOKKOS_FUNCTION void operator()(int work) const {
    const Op local = op;
    const int item = work / map.count;
    const int chunk = work % map.count;
    const auto coefficients = local.coefficients(item);
    const Ordinal end = map.end(chunk);
    for (Ordinal i = map.begin(chunk); i < end; ++i) {
      local(i, item, coefficients);
    }
  }
};

/// An operation that tells what it reads of an entry, `load(i, item)`, from what it does with it:
/// a thread of a device can then have the loads of several entries in flight, where the store to
/// one would otherwise have to wait for its load before the next entry's begins. One entry of 4
/// bytes per thread leaves an H200 at a third of its bandwidth.
template <class Op>
concept LoadsApart = requires(const Op& op) { op.load(Ordinal(0), 0); };

/// Entries whose loads a thread has in flight.
inline constexpr int loads_at_once = 4;

/// On a device: one thread per row or, where the loads are apart, `loads_at_once` rows,
/// `stride` apart so that those of neighbours lie side by side.
template <class Op>
struct DeviceLoop {
  Op op;
  int items;
  Ordinal num_rows;
  Ordinal stride;

  KOKKOS_FUNCTION void operator()(Ordinal first) const {
    for (int item = 0; item < items; ++item) {
      if constexpr (LoadsApart<Op>) {
        decltype(op.load(first, item)) entries[loads_at_once];
        for (int e = 0; e < loads_at_once; ++e) {
          const std::int64_t i = first + std::int64_t(e) * stride;
          entries[e] = op.load(i < num_rows ? static_cast<Ordinal>(i) : first, item);
        }
        // Numbers in memory, too, which are asked for behind the entries and arrive with them.
        const auto coefficients = op.coefficients(item);
        for (int e = 0; e < loads_at_once; ++e) {
          const std::int64_t i = first + std::int64_t(e) * stride;
          if (i < num_rows) op.use(static_cast<Ordinal>(i), item, coefficients, entries[e]);
        }
      } else {
        op(first, item, op.coefficients(item));
      }
    }
  }
};

/// Calls `op(i, item, op.coefficients(item))` for every `i < n` and `item < items`.
template <class Space, class Op>
void for_each_entry(const Space& exec, const std::string& label, Ordinal n, int items,
                    const Op& op) {
  if (n == 0 || items == 0) {
    return;
  }
  if constexpr (is_device_space<Space>) {
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>;
    constexpr Ordinal rows_at_once = LoadsApart<Op> ? loads_at_once : 1;
    const Ordinal threads = (n - 1) / rows_at_once + 1;
    Kokkos::parallel_for(label, Policy(exec, 0, threads), DeviceLoop<Op>{op, items, n, threads});
  } else {
    using Policy =
        Kokkos::RangePolicy<Space, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>;
    const ChunkMap map(n);
    Kokkos::parallel_for(label, Policy(exec, 0, items * map.count), HostLoop<Op>{op, map});
  }
}

}  // namespace tessera::kernels::detail
