// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The threads of a host that smooth a prolongator by chunks of rows.
#pragma once

#include "tessera/kernels/execution/types.hpp"

#include <type_traits>
#include <vector>

namespace tessera::amg::detail {

/// What a thread keeps from one row, and from one chunk, to the next.
template <class Scalar, class Mark>
struct SmoothingWork {
  struct Entry {
    Ordinal aggregate;
    Scalar sum;
  };
  std::vector<char> strong;  ///< by entry of A's row
  std::vector<Ordinal> kept;  ///< the places of those of its entries that take part
  std::vector<Entry> row;
  std::vector<Entry> chunk;
  Mark next_mark = 0;  ///< the marks of earlier rows are less
};

/// The threads that smooth: what each keeps, and its marks, an aggregate each.
template <class Scalar, class Space, class Offset>
struct SmoothingThreads {
  using Mark = std::make_unsigned_t<Offset>;
  using Work = SmoothingWork<Scalar, Mark>;

  Kokkos::Experimental::UniqueToken<Space> token;
  Array<Mark, Space> marks;
  std::vector<Work> works;

  SmoothingThreads(const Space& exec, Ordinal num_aggregates)
      : token(exec),
        marks(allocate<Mark>(exec, "tessera::smooth_prolongator::marks",
                             static_cast<std::size_t>(token.size()) * num_aggregates)),
        works(token.size()) {
    Kokkos::deep_copy(exec, marks, ~Mark(0));
  }
};

inline constexpr Ordinal smoothed_rows_per_chunk = 512;

template <class Space>
auto smoothing_chunks(const Space& exec, Ordinal num_rows) {
  const Ordinal num_chunks =
      num_rows / smoothed_rows_per_chunk + (num_rows % smoothed_rows_per_chunk != 0 ? 1 : 0);
  Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<Ordinal>> policy(
      exec, 0, num_chunks);
  policy.set_chunk_size(1);
  return policy;
}

}  // namespace tessera::amg::detail
