// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other, in numbers.
#pragma once

#include <cstdint>

namespace tessera::distributed {

/// Of one process by itself there are none.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;  ///< in the messages
  std::int64_t reductions = 0;  ///< sums and the like, for which all processes wait

  Traffic& operator+=(const Traffic& other) {
    messages += other.messages;
    bytes += other.bytes;
    reductions += other.reductions;
    return *this;
  }
  Traffic& operator-=(const Traffic& other) {
    messages -= other.messages;
    bytes -= other.bytes;
    reductions -= other.reductions;
    return *this;
  }
  bool operator==(const Traffic&) const = default;
};

}  // namespace tessera::distributed
