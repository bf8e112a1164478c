// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sums in an order that the number of threads has no say in, for what is summed by the way;
/// reductions.hpp has the inner products of the solvers.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <algorithm>
#include <string>

namespace tessera::kernels {
namespace detail {

/// One chunk's sum, by a thread of a host.
template <class Value, class Term>
struct SumOfChunk {
  Term term;
  std::size_t n;
  std::size_t length;
  Value* partials;

  void operator()(int chunk) const {
    Value sum{};
    const std::size_t begin = chunk * length;
    const std::size_t end = std::min(begin + length, n);
    for (std::size_t i = begin; i < end; ++i)
      term(i, sum);
    partials[chunk] = sum;
  }
};

/// On a host: the sum of what term(i, sum), i < n, adds to `sum`, in chunks that depend on n alone.
template <class Value, class Space, class Term>
Value sum_by_chunks(const Space& exec, const std::string& label, std::size_t n, const Term& term) {
  constexpr std::size_t least = 1024;
  const std::size_t length = std::max(least, n / reduction_max_chunks + 1);
  const int chunks = static_cast<int>((n + length - 1) / length);
  // On the stack, as few steps of a setup are worth an allocation: Serial and OpenMP have run a
  // kernel when its launch returns.
  Value partials[reduction_max_chunks];
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(exec, 0, chunks),
                       SumOfChunk<Value, Term>{term, n, length, partials});
  Value total{};
  for (int chunk = 0; chunk < chunks; ++chunk)
    total += partials[chunk];
  return total;
}

}  // namespace detail

/// The sum of what term(i, sum), i < n, adds to `sum`, of type `Value`; waits for it.
template <class Value, class Space, class Term>
Value ordered_sum(const Space& exec, const std::string& label, std::size_t n, const Term& term) {
  if constexpr (is_host_space<Space>) {
    return detail::sum_by_chunks<Value>(exec, label, n, term);
  } else {
    Value total{};
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(exec, 0, n), term, total);
    return total;
  }
}

/// The same into `result`, a number on the device; nothing waits.
template <class Value, class Space, class Term>
void ordered_sum(const Space& exec, const std::string& label, std::size_t n, const Term& term,
                 const Kokkos::View<Value, typename Space::memory_space>& result) {
  if constexpr (is_host_space<Space>) {
    result() = detail::sum_by_chunks<Value>(exec, label, n, term);
  } else {
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(exec, 0, n), term, result);
  }
}

}  // namespace tessera::kernels
