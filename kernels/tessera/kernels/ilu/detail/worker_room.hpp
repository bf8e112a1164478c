// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Workers that take rows, each with room of its own.
#pragma once

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace tessera::kernels::fsai_detail {

/// So many numbers for each of the workers that take rows: contiguous on a host, interleaved on a
/// device, where neighbouring workers go along.
template <class T, class Space>
class WorkerRoom {
 public:
  WorkerRoom(const Space& exec, const std::string& label, Ordinal num_workers, int size)
      : m_data(allocate<T>(exec, label, static_cast<std::size_t>(num_workers) * size)),
        m_num_workers(num_workers),
        m_size(size) {}

  KOKKOS_FUNCTION T& operator()(Ordinal worker, int k) const {
    const std::size_t w = worker;
    return is_host_space<Space> ? m_data(w * m_size + k)
                                : m_data(static_cast<std::size_t>(k) * m_num_workers + w);
  }

 private:
  Array<T, Space> m_data;
  Ordinal m_num_workers;
  int m_size;
};

/// Which rows a worker takes: consecutive ones on a host, every so many on a device.
struct Share {
  Ordinal first, last, step;
};

template <class Space>
KOKKOS_INLINE_FUNCTION Share share_of(Ordinal worker, Ordinal num_workers, Ordinal num_rows) {
  if (!is_host_space<Space>) return {worker, num_rows, num_workers};
  const auto begin_of = [&](std::int64_t w) {
    return static_cast<Ordinal>(w * num_rows / num_workers);
  };
  return {begin_of(worker), begin_of(worker + 1), 1};
}

/// Workers whose room of `bytes` each stays within 64 MiB: enough to fill a device.
template <class Space>
Ordinal num_workers(const Space& exec, Ordinal num_rows, std::size_t bytes) {
  const std::size_t most = std::max<std::size_t>(1, (std::size_t(64) << 20) / bytes);
  const std::size_t useful = is_host_space<Space> ? static_cast<std::size_t>(4) * exec.concurrency()
                                                  : std::numeric_limits<std::size_t>::max();
  return static_cast<Ordinal>(
      std::min({most, useful, static_cast<std::size_t>(std::max(num_rows, 1))}));
}

}  // namespace tessera::kernels::fsai_detail
