// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle.hpp"

#include "tessera/amg/half_cycle.hpp"
#include "tessera/amg/krylov_correction.hpp"
#include "tessera/amg/mixed_precision.hpp"
#include "tessera/amg/single_kernel.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <map>
#include <string>
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

/// The relaxation of a coarsest level that is too large for a direct solve.
template <class Scalar, class Space>
class RelaxedCorrection : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  RelaxedCorrection(const Level<Scalar, Space>& level, int sweeps)
      : m_level(level), m_sweeps(sweeps) {}

  void prepare(const Space& exec, int k) override {
    m_level.smoother->prepare(exec, k);
    m_other = allocate_multivector<Scalar>(exec, "tessera::amg::u", m_level.A->num_rows(), k);
  }

  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    auto& smoother = *m_level.smoother;
    // The last one writes x.
    Vectors here = x;
    Vectors next = smoother.works_in_place() ? x : Vectors(m_other);
    if (m_sweeps % 2 == 0) std::swap(here, next);
    smoother.apply(exec, b, here);
    for (int i = 1; i < m_sweeps; ++i) {
      smoother.smooth(exec, b, here, next);
      std::swap(here, next);
    }
  }

 private:
  const Level<Scalar, Space>& m_level;
  int m_sweeps;
  MultiVector<Scalar, Space> m_other;
};

/// Smoothing, a correction by the next level, and smoothing.
template <class Scalar, class Space>
class Visit : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  Visit(const Level<Scalar, Space>& level, int depth,
        std::shared_ptr<Preconditioner<Scalar, Space>> coarse)
      : m_level(level),
        m_region("tessera::level " + std::to_string(depth)),
        m_coarse(std::move(coarse)) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = k;
    const std::size_t n = m_level.A->num_rows();
    const std::size_t n_coarse = m_level.R->num_rows();
    m_level.smoother->prepare(exec, k);
    m_u = {};
    if (!m_level.smoother->works_in_place())
      m_u = allocate_multivector<Scalar>(exec, "tessera::amg::u", n, k);
    m_r = allocate_multivector<Scalar>(exec, "tessera::amg::r", n, k);
    m_b_coarse = allocate_multivector<Scalar>(exec, "tessera::amg::b", n_coarse, k);
    m_x_coarse = allocate_multivector<Scalar>(exec, "tessera::amg::x", n_coarse, k);
    m_coarse->prepare(exec, k);
  }

  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    const Kokkos::Profiling::ScopedRegion region(m_region);
    const Vectors u = m_level.smoother->works_in_place() ? x : Vectors(m_u);
    m_level.smoother->apply(exec, b, u);
    m_level.A->residual(exec, b, u, m_r);
    m_level.R->apply(exec, Scalar(1), m_r, Scalar(0), m_b_coarse);
    m_coarse->apply(exec, m_b_coarse, m_x_coarse);
    m_level.P->apply(exec, Scalar(1), m_x_coarse, Scalar(1), u);
    m_level.smoother->smooth(exec, b, u, x);
  }

 private:
  const Level<Scalar, Space>& m_level;
  std::string m_region;  ///< for profilers
  std::shared_ptr<Preconditioner<Scalar, Space>> m_coarse;
  int m_columns = 0;  ///< that there is room for
  MultiVector<Scalar, Space> m_u;  ///< the iterate before post-smoothing
  MultiVector<Scalar, Space> m_r;  ///< the residual to restrict
  MultiVector<Scalar, Space> m_b_coarse;
  MultiVector<Scalar, Space> m_x_coarse;
};

/// One correction, and another for what it has left.
template <class Scalar, class Space>
class TwoCorrections : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  TwoCorrections(const Level<Scalar, Space>& level,
                 std::shared_ptr<Preconditioner<Scalar, Space>> first,
                 std::shared_ptr<Preconditioner<Scalar, Space>> second)
      : m_level(level), m_first(std::move(first)), m_second(std::move(second)) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = k;
    const std::size_t n = m_level.A->num_rows();
    m_r = allocate_multivector<Scalar>(exec, "tessera::amg::r", n, k);
    m_e = allocate_multivector<Scalar>(exec, "tessera::amg::e", n, k);
    m_first->prepare(exec, k);
    m_second->prepare(exec, k);
  }

  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    m_first->apply(exec, b, x);
    m_level.A->residual(exec, b, x, m_r);
    m_second->apply(exec, m_r, m_e);
    kernels::axpby<Scalar, Space>(exec, Scalar(1), m_e, Scalar(1), x);
  }

 private:
  const Level<Scalar, Space>& m_level;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_first;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_second;
  int m_columns = 0;  ///< that there is room for
  MultiVector<Scalar, Space> m_r;
  MultiVector<Scalar, Space> m_e;
};

/// Composes the corrections of a cycle. Visits of one kind and level are one object, however often
/// a cycle makes them: its work vectors serve one visit after the other.
template <class Scalar, class Space>
class CycleMaker {
 public:
  using Correction = std::shared_ptr<Preconditioner<Scalar, Space>>;

  CycleMaker(const Hierarchy<Scalar, Space>& hierarchy, bool symmetric, int first_in_one_kernel)
      : m_hierarchy(hierarchy), m_symmetric(symmetric), m_first_in_one_kernel(first_in_one_kernel) {
    if (hierarchy.tail != nullptr) {
      m_tail = std::make_unique<CycleMaker<float, Space>>(*hierarchy.tail, symmetric,
                                                          first_in_one_kernel);
    }
  }

  /// A visit of the level, or the solve on the coarsest.
  Correction visit(CycleType type, std::size_t depth) {
    Correction& known = m_visits[{type, depth}];
    if (known == nullptr) known = new_visit(type, depth);
    return known;
  }

  /// What the level above takes of this one.
  Correction correction(CycleType type, std::size_t depth) {
    if (is_below(depth)) return in_float(m_tail->correction(type, 0));
    if (is_in_half(depth)) return in_half(type, depth, false);
    if (is_in_one_kernel(depth)) return in_one_kernel(type, depth, false);
    const Level<Scalar, Space>& level = m_hierarchy.levels[depth];
    if (type == CycleType::v || is_coarsest(depth)) return visit(type, depth);
    if (type == CycleType::k) {
      return std::make_shared<KrylovCorrection<Scalar, Space>>(level.A, visit(type, depth),
                                                               m_symmetric);
    }
    const CycleType second = type == CycleType::f ? CycleType::v : CycleType::w;
    return std::make_shared<TwoCorrections<Scalar, Space>>(level, visit(type, depth),
                                                           visit(second, depth));
  }

 private:
  /// The level is the first of the tail.
  bool is_below(std::size_t depth) const { return depth == m_hierarchy.levels.size(); }
  bool is_coarsest(std::size_t depth) const {
    return m_tail == nullptr && depth + 1 == m_hierarchy.levels.size();
  }

  bool is_in_half(std::size_t depth) const { return depth >= m_hierarchy.first_in_half; }

  /// All from that level on; `once`: a single visit of it. A hierarchy in double has none in half.
  Correction in_half(CycleType type, std::size_t depth, bool once) const {
    if constexpr (std::is_same_v<Scalar, float>) {
      return make_half_cycle<Space>(type, m_hierarchy, depth, once);
    } else {
      return nullptr;
    }
  }

  bool is_in_one_kernel(std::size_t depth) const {
    return m_hierarchy.first_level + static_cast<int>(depth) >= m_first_in_one_kernel;
  }

  /// All from that level on; `once`: a single visit of it.
  Correction in_one_kernel(CycleType type, std::size_t depth, bool once) {
    CycleMaker plain(m_hierarchy, m_symmetric, no_level);
    return std::make_shared<SingleKernelCorrection<Scalar, Space>>(
        coarse_program(type, m_hierarchy, depth, once),
        m_hierarchy.first_level + static_cast<int>(depth),
        once ? plain.visit(type, depth) : plain.correction(type, depth));
  }

  Correction new_visit(CycleType type, std::size_t depth) {
    if (is_below(depth)) return in_float(m_tail->visit(type, 0));
    if (is_in_half(depth)) return in_half(type, depth, true);
    if (is_in_one_kernel(depth)) return in_one_kernel(type, depth, true);
    const Level<Scalar, Space>& level = m_hierarchy.levels[depth];
    if (!is_coarsest(depth)) {
      const int number = m_hierarchy.first_level + static_cast<int>(depth);
      return std::make_shared<Visit<Scalar, Space>>(level, number, correction(type, depth + 1));
    }
    if (m_hierarchy.coarsest_is_relaxed)
      return std::make_shared<RelaxedCorrection<Scalar, Space>>(level, m_hierarchy.coarse_sweeps);
    return std::make_shared<DirectCorrection<Scalar, Space>>(m_hierarchy.coarse_solver);
  }

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
  int m_first_in_one_kernel;
  std::map<std::pair<CycleType, std::size_t>, Correction> m_visits;
  std::unique_ptr<CycleMaker<float, Space>> m_tail;  ///< of the levels in float below
};

}  // namespace detail

template <class Scalar, class Space>
std::shared_ptr<Preconditioner<Scalar, Space>> make_cycle(CycleType type,
                                                          const Hierarchy<Scalar, Space>& hierarchy,
                                                          bool symmetric, int first_in_one_kernel) {
  return detail::CycleMaker<Scalar, Space>(hierarchy, symmetric, first_in_one_kernel)
      .visit(type, 0);
}

#define TESSERA_INSTANTIATE(Scalar, Space)                                           \
  template std::shared_ptr<Preconditioner<Scalar, Space>> make_cycle<Scalar, Space>( \
      CycleType, const Hierarchy<Scalar, Space>&, bool, int);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
