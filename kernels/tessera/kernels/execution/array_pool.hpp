// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Memory that the arrays of one piece of work pass on to each other.
#pragma once

#include "tessera/kernels/execution/memory_tracker.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tessera {

/// Pools of the calling thread, the innermost first.
class ArrayPoolBase {
 public:
  ArrayPoolBase(const ArrayPoolBase&) = delete;
  ArrayPoolBase& operator=(const ArrayPoolBase&) = delete;

  static ArrayPoolBase* innermost();

  ArrayPoolBase* outer() const { return m_outer; }
  std::type_index space() const { return m_space; }

 protected:
  explicit ArrayPoolBase(std::type_index space);
  ~ArrayPoolBase();

 private:
  std::type_index m_space;
  ArrayPoolBase* m_outer;
};

/// While it lives, what its thread allocates on `exec` by `allocate` comes from memory that earlier
/// ones of these arrays have freed, where there is some.
///
/// On a device Kokkos waits whenever memory comes or goes, and a setup allocates some hundred
/// times. Work that is queued on one instance is done in its order, so that what was freed may be
/// written at once. Small arrays lie side by side in chunks; a large one takes a block that is free
/// and at most an eighth larger, or a new one. Before that, idle ones that come to more than 1 MB
/// are freed where they are more than an eighth of those in use, or where all blocks would take
/// more than ever before, so that what is idle adds nothing to the peak. Arrays may outlive the
/// pool: each holds its block.
///
/// Work on other instances has no share in it, and must not touch arrays that are freed before it
/// is done. Of nested pools of one instance the outermost serves. Each must end on its thread,
/// before those that were there when it began.
template <class Space>
class ArrayPool : public ArrayPoolBase {
 public:
  /// Where not `enabled`, all is allocated as without a pool. A block or chunk with which they
  /// would take more than `max_bytes` is refused with std::bad_alloc.
  explicit ArrayPool(const Space& exec, bool enabled = true,
                     std::size_t max_bytes = std::numeric_limits<std::size_t>::max())
      : ArrayPoolBase(typeid(Space)), m_exec(exec), m_max_bytes(max_bytes) {
    m_enabled = enabled && of(exec) == nullptr;
  }

  /// The pool that serves this instance; null where there is none.
  static ArrayPool* of(const Space& exec) {
    for (ArrayPoolBase* pool = innermost(); pool != nullptr; pool = pool->outer()) {
      if (pool->space() != typeid(Space)) continue;
      auto* const mine = static_cast<ArrayPool*>(pool);
      if (mine->m_enabled && mine->m_exec == exec) return mine;
    }
    return nullptr;
  }

  /// An array of that length, not initialised.
  template <class Array>
  Array take(const std::string& label, std::size_t length) {
    auto& free_list = m_free_lists[typeid(Array)];
    if (free_list == nullptr) free_list = std::make_unique<FreeListOf<Array>>();
    return static_cast<FreeListOf<Array>&>(*free_list).take(*this, label, length);
  }

  /// Bytes of blocks that no array uses.
  std::size_t idle_bytes() const {
    std::size_t bytes = 0;
    for (const auto& [type, free_list] : m_free_lists)
      bytes += free_list->idle_bytes();
    return bytes;
  }

 private:
  /// Of an array; there are chunks for those below.
  static constexpr std::size_t large_bytes = std::size_t(1) << 15;
  static constexpr std::size_t chunk_bytes = std::size_t(1) << 18;
  /// As allocations are aligned.
  static constexpr std::size_t alignment = 256;
  /// Idle blocks that are kept in any case.
  static constexpr std::size_t few_bytes = std::size_t(1) << 20;

  struct FreeList {
    virtual ~FreeList() = default;
    virtual std::size_t bytes() const = 0;
    virtual std::size_t idle_bytes() const = 0;
    virtual void drop_idle() = 0;
  };

  template <class Array>
  class FreeListOf : public FreeList {
   public:
    using T = typename Array::value_type;

    Array take(ArrayPool& pool, const std::string& label, std::size_t length) {
      if (length * sizeof(T) < large_bytes) return small(pool, length);
      Array* best = nullptr;
      for (Array& block : m_blocks) {
        const bool fits = length <= block.extent(0) && block.extent(0) - length <= length / 8;
        if (fits && is_idle(block) && (best == nullptr || block.extent(0) < best->extent(0)))
          best = &block;
      }
      if (best == nullptr) {
        pool.make_room(length * sizeof(T));
        pool.require_room(label, length * sizeof(T));
        best = &m_blocks.emplace_back(
            Kokkos::view_alloc(pool.m_exec, label, Kokkos::WithoutInitializing), length);
        pool.m_peak_bytes = std::max(pool.m_peak_bytes, pool.block_bytes());
      }
      return part(*best, 0, length);
    }

    std::size_t bytes() const override {
      std::size_t sum = 0;
      for (const Array& block : m_blocks)
        sum += block.extent(0) * sizeof(T);
      return sum;
    }
    std::size_t idle_bytes() const override {
      std::size_t sum = 0;
      for (const Array& block : m_blocks)
        if (is_idle(block)) sum += block.extent(0) * sizeof(T);
      return sum;
    }
    void drop_idle() override { std::erase_if(m_blocks, is_idle); }

   private:
    struct Chunk {
      Array memory;
      std::size_t used = 0;
    };

    static bool is_idle(const Array& block) { return block.use_count() == 1; }
    static Array part(const Array& block, std::size_t begin, std::size_t length) {
      return Kokkos::subview(block, std::pair<std::size_t, std::size_t>(begin, begin + length));
    }

    Array small(ArrayPool& pool, std::size_t length) {
      constexpr std::size_t step = alignment / sizeof(T) > 0 ? alignment / sizeof(T) : 1;
      constexpr std::size_t chunk_length = chunk_bytes / sizeof(T);
      const std::size_t padded = (length + step - 1) / step * step;
      if (m_chunks.empty() || m_chunks.back().used + padded > chunk_length) next_chunk(pool);
      Chunk& chunk = m_chunks.back();
      const std::size_t begin = chunk.used;
      chunk.used += padded;
      return part(chunk.memory, begin, length);
    }

    /// Puts one that nobody uses any more, or a new one, to the end.
    void next_chunk(ArrayPool& pool) {
      for (Chunk& chunk : m_chunks) {
        if (!is_idle(chunk.memory)) continue;
        chunk.used = 0;
        std::swap(chunk, m_chunks.back());
        return;
      }
      pool.require_room("tessera::small arrays", chunk_bytes);
      m_chunks.push_back(
          {Array(Kokkos::view_alloc(pool.m_exec, std::string("tessera::small arrays"),
                                    Kokkos::WithoutInitializing),
                 chunk_bytes / sizeof(T))});
      pool.m_chunk_bytes += chunk_bytes;
    }

    std::vector<Array> m_blocks;
    std::vector<Chunk> m_chunks;
  };

  /// Frees what is idle where, with `bytes` more in use, it would be too much, or all blocks would
  /// take more than ever.
  void make_room(std::size_t bytes) {
    const std::size_t all = block_bytes();
    const std::size_t idle = idle_bytes();
    if (idle <= few_bytes) return;
    if (idle <= (all - idle + bytes) / 8 && all + bytes <= m_peak_bytes) return;
    for (const auto& [type, free_list] : m_free_lists)
      free_list->drop_idle();
  }

  std::size_t block_bytes() const {
    std::size_t all = 0;
    for (const auto& [type, free_list] : m_free_lists)
      all += free_list->bytes();
    return all;
  }

  void require_room(const std::string& label, std::size_t bytes) const {
    if (block_bytes() + m_chunk_bytes + bytes > m_max_bytes) throw std::bad_alloc();
    MemoryTracker::require_room(Space::memory_space::name(), label, bytes);
  }

  Space m_exec;
  std::size_t m_max_bytes;
  std::size_t m_chunk_bytes = 0;
  std::size_t m_peak_bytes = 0;  ///< of all blocks
  bool m_enabled = false;
  std::unordered_map<std::type_index, std::unique_ptr<FreeList>> m_free_lists;
};

}  // namespace tessera
