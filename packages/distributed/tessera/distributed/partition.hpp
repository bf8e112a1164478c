// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which of the rows of all processes belong to which.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::distributed {

/// Contiguous shares, by rank: process p has the numbers from starts[p] up to starts[p + 1].
class Partition {
 public:
  using Global = std::int64_t;

  /// Collective. `own`: how many this process has, 0 or more.
  Partition(const Communicator& processes, Ordinal own);

  Global first() const { return first(m_rank); }
  Global first(int process) const { return m_starts[static_cast<std::size_t>(process)]; }
  Ordinal own() const { return own(m_rank); }
  Ordinal own(int process) const {
    const auto p = static_cast<std::size_t>(process);
    return static_cast<Ordinal>(m_starts[p + 1] - m_starts[p]);
  }
  Global size() const { return m_starts.back(); }
  int processes() const { return static_cast<int>(m_starts.size()) - 1; }
  bool is_own(Global number) const { return number >= first() && number < first() + own(); }
  /// The process that has `number`, from 0 up to `size()`.
  int owner(Global number) const;

 private:
  int m_rank;
  std::vector<Global> m_starts;
};

}  // namespace tessera::distributed
