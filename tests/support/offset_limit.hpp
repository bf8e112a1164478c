// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Offsets that count fewer entries than they could, to see what happens beyond.
#pragma once

#include "tessera/kernels/format/offset_overflow.hpp"

namespace tessera::test {

/// As long as it lives, an `Offset` counts `most` entries and no more.
template <class Offset>
class OffsetLimit {
 public:
  explicit OffsetLimit(std::int64_t most) : m_before(limit()) { limit() = most; }
  ~OffsetLimit() { limit() = m_before; }
  OffsetLimit(const OffsetLimit&) = delete;
  OffsetLimit& operator=(const OffsetLimit&) = delete;

 private:
  static std::int64_t& limit() { return kernels::detail::max_entries<Offset>; }

  std::int64_t m_before;
};

}  // namespace tessera::test
