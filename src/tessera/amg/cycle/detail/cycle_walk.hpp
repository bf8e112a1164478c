// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The walk of a cycle over levels.
#pragma once

#include "tessera/amg/cycle/cycle_type.hpp"
#include "tessera/amg/cycle/detail/corrections.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace tessera::amg::detail {

/// Composes the corrections of a V-, W-, F- or K-cycle over `Levels`. Visits of one kind and level
/// are one object, however often a cycle makes them: its work vectors serve one visit after the
/// other.
///
/// `Levels` names the vectors' scalar_type and execution_space, and has for the index of a level:
///
///     elsewhere(type, depth, once)  // all from that level on, or a single visit of it, where that
///                                   // is no matter of this walk; else null
///     is_coarsest(depth), number(depth)
///     level(depth), A(depth)        // for Visit and TwoCorrections
///     coarsest(depth)               // its correction
///     krylov(depth, visit)          // two steps of a Krylov method, for K-cycles
template <class Levels>
class CycleWalk {
 public:
  using Scalar = typename Levels::scalar_type;
  using Space = typename Levels::execution_space;
  using Correction = std::shared_ptr<Preconditioner<Scalar, Space>>;

  explicit CycleWalk(Levels levels) : m_levels(std::move(levels)) {}

  /// A visit of the level, or the solve on the coarsest.
  Correction visit(CycleType type, std::size_t depth) {
    Correction& known = m_visits[{type, depth}];
    if (known == nullptr) known = new_visit(type, depth);
    return known;
  }

  /// What the level above takes of this one.
  Correction correction(CycleType type, std::size_t depth) {
    if (Correction other = m_levels.elsewhere(type, depth, false)) return other;
    if (type == CycleType::v || m_levels.is_coarsest(depth)) return visit(type, depth);
    if (type == CycleType::k) return m_levels.krylov(depth, visit(type, depth));
    const CycleType second = type == CycleType::f ? CycleType::v : CycleType::w;
    return std::make_shared<TwoCorrections<Scalar, Space>>(m_levels.A(depth), visit(type, depth),
                                                           visit(second, depth));
  }

 private:
  Correction new_visit(CycleType type, std::size_t depth) {
    if (Correction other = m_levels.elsewhere(type, depth, true)) return other;
    if (m_levels.is_coarsest(depth)) return m_levels.coarsest(depth);
    return std::make_shared<Visit<Scalar, Space>>(m_levels.level(depth), m_levels.number(depth),
                                                  correction(type, depth + 1));
  }

  Levels m_levels;
  std::map<std::pair<CycleType, std::size_t>, Correction> m_visits;
};

}  // namespace tessera::amg::detail
