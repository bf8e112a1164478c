// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of planned_pattern.hpp.
#include "tessera/kernels/spmv/planned_pattern.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <algorithm>

namespace tessera::kernels {
namespace {

std::string size_text(const PatternPlace& place) {
  return std::to_string(place.num_rows) + " rows and " + std::to_string(place.num_entries) +
         (place.maps == nullptr ? " entries" : " tiles");
}

}  // namespace

PlannedPattern::PlannedPattern(const PatternPlace& analysed, std::uint64_t fingerprint)
    : m_known(std::make_shared<Known>()) {
  m_known->analysed = analysed;
  m_known->fingerprint = fingerprint;
}

bool PlannedPattern::remembers(const PatternPlace& place) const {
  const std::lock_guard lock(m_known->mutex);
  const auto& others = m_known->others;
  return std::find(others.begin(), others.end(), place) != others.end();
}

void PlannedPattern::remember(const PatternPlace& place) const {
  const std::lock_guard lock(m_known->mutex);
  m_known->others[m_known->next] = place;
  m_known->next = (m_known->next + 1) % num_others;
}

void PlannedPattern::require_size(const PatternPlace& place) const {
  const PatternPlace& analysed = m_known->analysed;
  require(place.num_rows == analysed.num_rows && place.num_entries == analysed.num_entries, [&] {
    return "plan was made for a matrix of " + size_text(analysed) + ", not for the given one of " +
           size_text(place);
  });
}

void PlannedPattern::require_fingerprint(std::uint64_t fingerprint) const {
  require(fingerprint == m_known->fingerprint, [&] {
    return "plan was made for another pattern of " + size_text(m_known->analysed) +
           " than that of the given matrix; expected the pattern that was analysed";
  });
}

}  // namespace tessera::kernels
