// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a device has been told of a plan's kernels and asked about them, kept with the plan, so
/// that a launch tells and asks nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace tessera::kernels {

/// A kernel on a device.
struct LaunchKey {
  /// Its address on the host. nvcc gives each source that instantiates a kernel one of its own:
  /// what is asked about must be what is launched.
  const void* kernel = nullptr;
  int device = -1;  ///< attributes of kernels are a device's
  std::size_t block_bytes = 0;  ///< shared memory of a block, where the answer depends on it

  bool operator==(const LaunchKey&) const = default;
};

/// `Facts` of each kernel that a plan has launched: a product has a kernel for each epilogue and
/// each pair of scalars, and a plan may serve several devices. The first launch of each finds them;
/// the others read a list of a few entries that only grows, without a lock or an allocation. The
/// first one may be part of a recording, too: it asks the runtime for no memory of the device.
///
/// Copies share what they keep; any number of threads may use them. One that was moved from keeps
/// nothing.
template <class Facts>
class PlannedLaunches {
 public:
  /// What is known of that launch; null where it is the first.
  const Facts* find(const LaunchKey& key) const {
    const Entry* entry =
        m_list == nullptr ? nullptr : m_list->first.load(std::memory_order_acquire);
    while (entry != nullptr && entry->key != key)
      entry = entry->next;
    return entry == nullptr ? nullptr : &entry->facts;
  }

  /// Keeps what was found. Threads that find the same at the same time each add it.
  void add(const LaunchKey& key, const Facts& facts) const {
    if (m_list == nullptr) return;
    auto* const entry = new Entry{key, facts, m_list->first.load(std::memory_order_relaxed)};
    while (!m_list->first.compare_exchange_weak(entry->next, entry, std::memory_order_release,
                                                std::memory_order_relaxed)) {
    }
  }

 private:
  struct Entry {
    LaunchKey key;
    Facts facts;
    Entry* next;
  };
  struct List {
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    ~List() {
      for (Entry* entry = first; entry != nullptr;)
        delete std::exchange(entry, entry->next);
    }
    std::atomic<Entry*> first = nullptr;
  };

  std::shared_ptr<List> m_list = std::make_shared<List>();
};

}  // namespace tessera::kernels
