// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Results of more entries than their offsets count.
#pragma once

#include "tessera/kernels/execution/error.hpp"

#include <cstdint>
#include <limits>

namespace tessera {

/// Thrown, as an error of kind `precondition`, where a result would have more entries than its
/// offsets count, before any of them is stored. The same step with 64-bit offsets goes through.
class OffsetOverflow : public Error {
 public:
  OffsetOverflow(std::int64_t num_entries, const std::string& message, std::source_location where)
      : Error(ErrorKind::precondition, message, where), m_num_entries(num_entries) {}

  /// Of the result that was not made.
  std::int64_t num_entries() const noexcept { return m_num_entries; }

 private:
  std::int64_t m_num_entries;
};

namespace kernels {
namespace detail {

/// The most entries that an `Offset` counts. Tests lower it, as 2^31 entries are more than they
/// have memory for; nothing else writes to it.
template <class Offset>
inline std::int64_t max_entries = std::numeric_limits<Offset>::max();

}  // namespace detail

/// Throws `OffsetOverflow` where an `Offset` does not count the entries of `what`.
template <class Offset>
void require_countable(std::int64_t num_entries, const char* what,
                       std::source_location where = std::source_location::current()) {
  if (num_entries <= detail::max_entries<Offset>) return;
  throw OffsetOverflow(num_entries,
                       std::string(what) + " has " + std::to_string(num_entries) +
                           " entries, more than offsets of " + std::to_string(8 * sizeof(Offset)) +
                           " bits count; use 64-bit offsets",
                       where);
}

}  // namespace kernels
}  // namespace tessera
