// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A square matrix on the host, as direct solvers read it.
#pragma once

#include "tessera/direct/large_pages.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <optional>
#include <type_traits>

namespace tessera::direct {

/// Compressed rows in double; each row sorted, without duplicates.
struct HostMatrix {
  int n = 0;
  HostArray<int> offsets;  ///< n + 1
  HostArray<int> columns;
  HostArray<double> values;

  int num_entries() const { return static_cast<int>(columns.size()); }
};

/// The instance of the host for work that belongs to `exec`: itself, or the default one beside a
/// device.
template <class Space>
HostSpace host_instance(const Space& exec) {
  if constexpr (std::is_same_v<Space, HostSpace>) {
    return exec;
  } else {
    return HostSpace();
  }
}

/// A copy of `A` (square), its rows sorted and duplicates added up; waits for `exec`. Nothing
/// where an int does not count the entries.
template <class Scalar, class Space, class Offset>
std::optional<HostMatrix> to_host(const Space& exec,
                                  const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera::direct
