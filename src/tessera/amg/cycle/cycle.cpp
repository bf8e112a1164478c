// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/cycle.hpp"

#include "tessera/amg/cycle/detail/cycle_walk.hpp"
#include "tessera/amg/cycle/krylov_correction.hpp"
#include "tessera/amg/cycle/mixed_precision.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <type_traits>
#include <utility>

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
                                                             m_symmetric);
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
