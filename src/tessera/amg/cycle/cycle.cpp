// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/cycle.hpp"

#include "tessera/amg/cycle/cycle_type.hpp"
#include "tessera/amg/cycle/detail/corrections.hpp"
#include "tessera/amg/cycle/krylov_correction.hpp"
#include "tessera/amg/cycle/mixed_precision.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <type_traits>
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
///     has_levels_below(depth)       // of the coarsest: its correction is a cycle of others
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
    const bool is_end = m_levels.is_coarsest(depth);
    if (type == CycleType::k && !(is_end && !m_levels.has_levels_below(depth)))
      return m_levels.krylov(depth, visit(type, depth));
    if (type == CycleType::v || is_end) return visit(type, depth);
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

namespace tessera::amg {
namespace detail {

/// The direct solve on the coarsest level.
template <class Scalar, class Space>
class DirectCorrection : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  explicit DirectCorrection(const CoarseSolver<Scalar, Space>& solver) : m_solver(solver) {}

  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    m_solver.apply(exec, b, x);
  }

 private:
  const CoarseSolver<Scalar, Space>& m_solver;
};

/// The levels of a hierarchy, as a cycle walks over them.
template <class Scalar, class Space>
class PlainLevels {
 public:
  using scalar_type = Scalar;
  using execution_space = Space;
  using Correction = std::shared_ptr<Preconditioner<Scalar, Space>>;

  PlainLevels(const Hierarchy<Scalar, Space>& hierarchy, bool symmetric)
      : m_hierarchy(hierarchy), m_symmetric(symmetric) {
    if (hierarchy.tail != nullptr) {
      m_tail = std::make_unique<CycleWalk<PlainLevels<float, Space>>>(
          PlainLevels<float, Space>(*hierarchy.tail, symmetric));
    }
  }

  /// In float.
  Correction elsewhere(CycleType type, std::size_t depth, bool once) {
    if (is_below(depth))
      return in_float(once ? m_tail->visit(type, 0) : m_tail->correction(type, 0));
    return nullptr;
  }

  bool is_coarsest(std::size_t depth) const {
    return m_tail == nullptr && depth + 1 == m_hierarchy.levels.size();
  }
  bool has_levels_below(std::size_t depth) const {
    return is_coarsest(depth) && m_hierarchy.coarsest_has_levels;
  }
  int number(std::size_t depth) const { return m_hierarchy.first_level + static_cast<int>(depth); }

  const Level<Scalar, Space>& level(std::size_t depth) const { return m_hierarchy.levels[depth]; }
  auto A(std::size_t depth) const { return level(depth).A; }

  Correction coarsest(std::size_t depth) const {
    if (m_hierarchy.coarsest_is_relaxed)
      return std::make_shared<RelaxedCorrection<Scalar, Space>>(level(depth),
                                                                m_hierarchy.coarse_sweeps);
    return std::make_shared<DirectCorrection<Scalar, Space>>(m_hierarchy.coarse_solver);
  }
  Correction krylov(std::size_t depth, Correction visit) const {
    return std::make_shared<KrylovCorrection<Scalar, Space>>(A(depth), std::move(visit),
                                                             m_symmetric, level(depth).products);
  }

 private:
  /// The level is the first of the tail.
  bool is_below(std::size_t depth) const { return depth == m_hierarchy.levels.size(); }

  /// A correction of the tail for vectors in double. A hierarchy in float has no tail.
  Correction in_float(std::shared_ptr<Preconditioner<float, Space>> correction) const {
    if constexpr (std::is_same_v<Scalar, double>) {
      const auto n = static_cast<Ordinal>(m_hierarchy.tail->info.levels.front().rows);
      return std::make_shared<MixedPrecisionPreconditioner<Space>>(std::move(correction), n);
    } else {
      return correction;
    }
  }

  const Hierarchy<Scalar, Space>& m_hierarchy;
  bool m_symmetric;
  std::unique_ptr<CycleWalk<PlainLevels<float, Space>>> m_tail;  ///< of the levels in float below
};

}  // namespace detail

template <class Scalar, class Space>
std::shared_ptr<Preconditioner<Scalar, Space>> make_cycle(CycleType type,
                                                          const Hierarchy<Scalar, Space>& hierarchy,
                                                          bool symmetric) {
  using Levels = detail::PlainLevels<Scalar, Space>;
  return detail::CycleWalk<Levels>(Levels(hierarchy, symmetric)).visit(type, 0);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, make_cycle)

}  // namespace tessera::amg
