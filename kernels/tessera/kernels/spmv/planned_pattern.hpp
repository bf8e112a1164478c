// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a plan remembers of the pattern that it was made for, so that it refuses others: it says
/// how many entries per part of the rows has at most, and another pattern of as many rows and
/// entries would leave it with less shared memory or workspace than it needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace tessera::kernels {

/// Where the arrays of a pattern lie, and its size.
struct PatternPlace {
  const void* rows = nullptr;  ///< row offsets, or row numbers
  const void* maps = nullptr;  ///< of tiles, where there are some
  std::size_t num_rows = 0;
  std::size_t num_entries = 0;
  const void* columns = nullptr;  ///< where the plan depends on them

  bool operator==(const PatternPlace&) const = default;
};

/// A pattern by its place and by its fingerprint, a hash of what a plan depends on. Arrays are
/// known again by their addresses, which costs a product nothing; of arrays at other addresses the
/// fingerprint is taken once, a pass over the rows that waits, and the address remembered. So a
/// pattern that is written over another one, or put where a freed one was, passes for it: it needs
/// a plan of its own. Copies share what they remember; any number of threads may use them.
class PlannedPattern {
 public:
  /// Of a plan that depends on no pattern: it serves all.
  PlannedPattern() = default;
  PlannedPattern(const PatternPlace& analysed, std::uint64_t fingerprint);

  /// Throws `Error` (precondition) unless the pattern at `place` is that of the plan.
  /// `fingerprint()` takes the pattern's, where its place is not known.
  template <class Fingerprint>
  void require_same(const PatternPlace& place, const Fingerprint& fingerprint) const {
    if (m_known == nullptr || place == m_known->analysed || remembers(place)) return;
    require_size(place);
    require_fingerprint(fingerprint());
    remember(place);
  }

 private:
  /// As many matrices of one pattern, beside the one that was analysed, as are known by address.
  static constexpr std::size_t num_others = 8;

  struct Known {
    PatternPlace analysed;
    std::uint64_t fingerprint = 0;
    std::mutex mutex;  ///< for what follows
    std::array<PatternPlace, num_others> others;
    std::size_t next = 0;  ///< to be overwritten
  };

  bool remembers(const PatternPlace& place) const;
  void remember(const PatternPlace& place) const;
  void require_size(const PatternPlace& place) const;
  void require_fingerprint(std::uint64_t fingerprint) const;

  std::shared_ptr<Known> m_known;
};

}  // namespace tessera::kernels
