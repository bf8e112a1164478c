// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Messages of arrays of one kind after another, through the same memory.
#pragma once

#include "tessera/distributed/array_messages.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::distributed {

/// Transfers that are waited for, of entries of any kind: what they take of the host's memory is
/// had before by `reserve`, so that none waits for a process that has no room in the midst of them.
template <class Space>
class AnyMessages {
  using Byte = std::int8_t;
  using Messages = ArrayMessages<Byte, Space>;

 public:
  using Parts = typename Messages::Parts;  ///< in entries of what is sent

  /// Room for so many bytes each way.
  void reserve(const Communicator& processes, std::size_t bytes_sent, std::size_t bytes_received) {
    m_messages.reserve(processes, bytes_sent, bytes_received);
  }

  /// Parts of `sent` go to others, and parts of `received`, which are all of it, come from them.
  /// Waits. Collective.
  template <class T>
  void send(const Space& exec, const Communicator& processes, const ArrayView<const T, Space>& sent,
            const ArrayView<T, Space>& received, const Parts& to, const Parts& from) {
    m_messages.begin(exec, processes,
                     ArrayView<const Byte, Space>(reinterpret_cast<const Byte*>(sent.data()),
                                                  sent.extent(0) * sizeof(T)),
                     ArrayView<Byte, Space>(reinterpret_cast<Byte*>(received.data()),
                                            received.extent(0) * sizeof(T)),
                     in_bytes<T>(to), in_bytes<T>(from));
    m_messages.end(exec);
    exec.fence("tessera::distributed::AnyMessages");
  }

 private:
  template <class T>
  static Parts in_bytes(const Parts& parts) {
    Parts made;
    made.reserve(parts.size());
    for (const auto& part : parts)
      made.push_back({part.process, part.first * sizeof(T), part.length * sizeof(T)});
    return made;
  }

  Messages m_messages;
};

}  // namespace tessera::distributed
