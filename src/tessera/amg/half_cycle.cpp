// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/half_cycle.hpp"

#include "tessera/amg/half_smoother.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/half_ops.hpp"

#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera::amg {
namespace detail {

template <class Space>
using HalfVectors = MultiVectorView<Half, Space>;
template <class Space>
using ConstHalfVectors = ConstMultiVectorView<Half, Space>;

/// A level as visits in half see it.
template <class Space>
struct HalfLevel {
  std::shared_ptr<const HalfOperator<Space>> A;
  std::shared_ptr<const HalfOperator<Space>> P;
  std::shared_ptr<const HalfOperator<Space>> R;
  std::shared_ptr<HalfSmoother<Space>> smoother;
};

template <class Space>
HalfLevel<Space> half_level(const Level<float, Space>& level) {
  HalfLevel<Space> half;
  half.A = half_operator<Space>(level.A);
  if (level.P != nullptr) half.P = half_operator<Space>(level.P);
  if (level.R != nullptr) half.R = half_operator<Space>(level.R);
  if (half.A != nullptr) half.smoother = half_smoother<Space>(level.smoother.get(), half.A);
  return half;
}

/// What keeps the level's vectors from being stored in half; empty: nothing.
template <class Space>
std::string obstacle_to_half(CycleType type, const Hierarchy<float, Space>& hierarchy,
                             std::size_t depth) {
  if (type == CycleType::k) return "the K-cycle takes inner products of them";
  const bool is_coarsest = depth + 1 == hierarchy.levels.size();
  if (is_coarsest && !hierarchy.coarsest_is_relaxed) return {};
  const Level<float, Space>& level = hierarchy.levels[depth];
  const HalfLevel<Space> half = half_level(level);
  if (half.A == nullptr || (level.P != nullptr && half.P == nullptr) ||
      (level.R != nullptr && half.R == nullptr))
    return "its matrices are not all in compressed rows of float, half or bfloat16";
  if (half.smoother == nullptr) return "it is not smoothed by Jacobi or Chebyshev";
  return {};
}

/// The direct solve of the coarsest level, in float.
template <class Space>
class HalfDirect : public Preconditioner<Half, Space> {
 public:
  using typename Preconditioner<Half, Space>::ConstVectors;
  using typename Preconditioner<Half, Space>::Vectors;

  HalfDirect(const CoarseSolver<float, Space>& solver, Ordinal num_rows)
      : m_solver(solver), m_num_rows(num_rows) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = k;
    m_b = allocate_multivector<float>(exec, "tessera::amg::b_float", m_num_rows, k);
    m_x = allocate_multivector<float>(exec, "tessera::amg::x_float", m_num_rows, k);
  }
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    kernels::half_copy<Space>(exec, b, MultiVectorView<float, Space>(m_b));
    m_solver.apply(exec, ConstMultiVectorView<float, Space>(m_b),
                   MultiVectorView<float, Space>(m_x));
    kernels::half_copy<Space>(exec, ConstMultiVectorView<float, Space>(m_x), x);
  }

 private:
  const CoarseSolver<float, Space>& m_solver;
  Ordinal m_num_rows;
  int m_columns = 0;  ///< that there is room for
  MultiVector<float, Space> m_b;
  MultiVector<float, Space> m_x;
};

/// The relaxation of a coarsest level.
template <class Space>
class HalfRelaxed : public Preconditioner<Half, Space> {
 public:
  using typename Preconditioner<Half, Space>::ConstVectors;
  using typename Preconditioner<Half, Space>::Vectors;

  HalfRelaxed(HalfLevel<Space> level, int sweeps) : m_level(std::move(level)), m_sweeps(sweeps) {}

  void prepare(const Space& exec, int k) override {
    m_level.smoother->prepare(exec, k);
    m_other = allocate_multivector<Half>(exec, "tessera::amg::u", m_level.A->num_rows(), k);
  }
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    // The last one writes x.
    Vectors here = x;
    Vectors next = m_other;
    if (m_sweeps % 2 == 0) std::swap(here, next);
    m_level.smoother->apply(exec, b, here);
    for (int i = 1; i < m_sweeps; ++i) {
      m_level.smoother->smooth(exec, b, here, next);
      std::swap(here, next);
    }
  }

 private:
  HalfLevel<Space> m_level;
  int m_sweeps;
  MultiVector<Half, Space> m_other;
};

/// Smoothing, a correction by the next level, and smoothing.
template <class Space>
class HalfVisit : public Preconditioner<Half, Space> {
 public:
  using typename Preconditioner<Half, Space>::ConstVectors;
  using typename Preconditioner<Half, Space>::Vectors;

  HalfVisit(HalfLevel<Space> level, int number, std::shared_ptr<Preconditioner<Half, Space>> coarse)
      : m_level(std::move(level)),
        m_region("tessera::level " + std::to_string(number)),
        m_coarse(std::move(coarse)) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = k;
    const std::size_t n = m_level.A->num_rows();
    const std::size_t n_coarse = m_level.R->num_rows();
    m_level.smoother->prepare(exec, k);
    m_u = allocate_multivector<Half>(exec, "tessera::amg::u", n, k);
    m_r = allocate_multivector<Half>(exec, "tessera::amg::r", n, k);
    m_b_coarse = allocate_multivector<Half>(exec, "tessera::amg::b", n_coarse, k);
    m_x_coarse = allocate_multivector<Half>(exec, "tessera::amg::x", n_coarse, k);
    m_coarse->prepare(exec, k);
  }
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    const Kokkos::Profiling::ScopedRegion region(m_region);
    m_level.smoother->apply(exec, b, m_u);
    m_level.A->residual(exec, b, m_u, m_r);
    m_level.R->apply(exec, 1, m_r, 0, m_b_coarse);
    m_coarse->apply(exec, m_b_coarse, m_x_coarse);
    m_level.P->apply(exec, 1, m_x_coarse, 1, m_u);
    m_level.smoother->smooth(exec, b, m_u, x);
  }

 private:
  HalfLevel<Space> m_level;
  std::string m_region;  ///< for profilers
  std::shared_ptr<Preconditioner<Half, Space>> m_coarse;
  int m_columns = 0;  ///< that there is room for
  MultiVector<Half, Space> m_u;
  MultiVector<Half, Space> m_r;
  MultiVector<Half, Space> m_b_coarse;
  MultiVector<Half, Space> m_x_coarse;
};

/// One correction, and another for what it has left.
template <class Space>
class TwoHalfCorrections : public Preconditioner<Half, Space> {
 public:
  using Correction = std::shared_ptr<Preconditioner<Half, Space>>;
  using typename Preconditioner<Half, Space>::ConstVectors;
  using typename Preconditioner<Half, Space>::Vectors;

  TwoHalfCorrections(std::shared_ptr<const HalfOperator<Space>> A, Correction first,
                     Correction second)
      : m_A(std::move(A)), m_first(std::move(first)), m_second(std::move(second)) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = k;
    m_r = allocate_multivector<Half>(exec, "tessera::amg::r", m_A->num_rows(), k);
    m_e = allocate_multivector<Half>(exec, "tessera::amg::e", m_A->num_rows(), k);
    m_first->prepare(exec, k);
    m_second->prepare(exec, k);
  }
  void apply(const Space& exec, const ConstVectors& b, const Vectors& x) override {
    m_first->apply(exec, b, x);
    m_A->residual(exec, b, x, m_r);
    m_second->apply(exec, m_r, m_e);
    kernels::half_add<Space>(exec, m_e, x);
  }

 private:
  std::shared_ptr<const HalfOperator<Space>> m_A;
  Correction m_first;
  Correction m_second;
  int m_columns = 0;  ///< that there is room for
  MultiVector<Half, Space> m_r;
  MultiVector<Half, Space> m_e;
};

/// z = float(M half(r)).
template <class Space>
class ThroughHalf : public Preconditioner<float, Space> {
 public:
  using typename Preconditioner<float, Space>::ConstVectors;
  using typename Preconditioner<float, Space>::Vectors;

  ThroughHalf(std::shared_ptr<Preconditioner<Half, Space>> inner, Ordinal num_rows)
      : m_inner(std::move(inner)), m_num_rows(num_rows) {}

  void prepare(const Space& exec, int k) override {
    if (m_columns == k) return;
    m_columns = k;
    m_r = allocate_multivector<Half>(exec, "tessera::amg::r_half", m_num_rows, k);
    m_z = allocate_multivector<Half>(exec, "tessera::amg::z_half", m_num_rows, k);
    m_inner->prepare(exec, k);
  }
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    kernels::half_copy<Space>(exec, r, HalfVectors<Space>(m_r));
    m_inner->apply(exec, m_r, m_z);
    kernels::half_copy<Space>(exec, ConstHalfVectors<Space>(m_z), z);
  }

 private:
  std::shared_ptr<Preconditioner<Half, Space>> m_inner;
  Ordinal m_num_rows;
  int m_columns = 0;  ///< that there is room for
  MultiVector<Half, Space> m_r;
  MultiVector<Half, Space> m_z;
};

/// Composes the corrections as CycleMaker does; visits of one kind and level are one object.
template <class Space>
class HalfCycleMaker {
 public:
  using Correction = std::shared_ptr<Preconditioner<Half, Space>>;

  explicit HalfCycleMaker(const Hierarchy<float, Space>& hierarchy) : m_hierarchy(hierarchy) {}

  Correction visit(CycleType type, std::size_t depth) {
    Correction& known = m_visits[{type, depth}];
    if (known == nullptr) known = new_visit(type, depth);
    return known;
  }
  Correction correction(CycleType type, std::size_t depth) {
    if (type == CycleType::v || is_coarsest(depth)) return visit(type, depth);
    const CycleType second = type == CycleType::f ? CycleType::v : CycleType::w;
    return std::make_shared<TwoHalfCorrections<Space>>(
        half_operator<Space>(m_hierarchy.levels[depth].A), visit(type, depth),
        visit(second, depth));
  }

 private:
  bool is_coarsest(std::size_t depth) const { return depth + 1 == m_hierarchy.levels.size(); }

  Correction new_visit(CycleType type, std::size_t depth) {
    const Level<float, Space>& level = m_hierarchy.levels[depth];
    if (is_coarsest(depth) && !m_hierarchy.coarsest_is_relaxed)
      return std::make_shared<HalfDirect<Space>>(m_hierarchy.coarse_solver, level.A->num_rows());
    if (is_coarsest(depth))
      return std::make_shared<HalfRelaxed<Space>>(half_level(level), m_hierarchy.coarse_sweeps);
    const int number = m_hierarchy.first_level + static_cast<int>(depth);
    return std::make_shared<HalfVisit<Space>>(half_level(level), number,
                                              correction(type, depth + 1));
  }

  const Hierarchy<float, Space>& m_hierarchy;
  std::map<std::pair<CycleType, std::size_t>, Correction> m_visits;
};

/// For a hierarchy in float: notes of what could not be had.
template <class Space>
std::string settle(CycleType type, Hierarchy<float, Space>& hierarchy) {
  std::size_t& first = hierarchy.first_in_half;
  std::string note;
  for (std::size_t depth = first; depth < hierarchy.levels.size(); ++depth) {
    const std::string obstacle = obstacle_to_half(type, hierarchy, depth);
    if (obstacle.empty()) continue;
    const int number = hierarchy.first_level + static_cast<int>(depth);
    note =
        "vectors down to level " + std::to_string(number) + " in float, not in half: " + obstacle;
    first = depth + 1;
  }
  return note;
}

/// The hierarchy in float, of which the levels in `hierarchy.info` from the index `begin` on are.
template <class Scalar, class Space>
Hierarchy<float, Space>* part_in_float(Hierarchy<Scalar, Space>& hierarchy, std::size_t& begin) {
  begin = 0;
  if constexpr (std::is_same_v<Scalar, float>) {
    return &hierarchy;
  } else {
    begin = hierarchy.levels.size();
    return hierarchy.tail.get();
  }
}

}  // namespace detail

template <class Scalar, class Space>
void settle_half(CycleType type, Hierarchy<Scalar, Space>& hierarchy) {
  std::size_t begin = 0;
  Hierarchy<float, Space>* const part = detail::part_in_float(hierarchy, begin);
  if (part == nullptr) return;
  const std::string note = detail::settle(type, *part);
  if (!note.empty()) hierarchy.info.notes.push_back(note);
  show_half(hierarchy);
}

template <class Scalar, class Space>
void show_half(Hierarchy<Scalar, Space>& hierarchy) {
  std::size_t begin = 0;
  const Hierarchy<float, Space>* const part = detail::part_in_float(hierarchy, begin);
  if (part == nullptr) return;
  for (std::size_t depth = part->first_in_half; depth < part->levels.size(); ++depth)
    hierarchy.info.levels[begin + depth].precision = "half";
}

template <class Scalar, class Space>
bool has_half(const Hierarchy<Scalar, Space>& hierarchy) {
  if constexpr (std::is_same_v<Scalar, float>) {
    return hierarchy.first_in_half < hierarchy.levels.size();
  } else {
    return hierarchy.tail != nullptr && has_half(*hierarchy.tail);
  }
}

template <class Space>
std::shared_ptr<Preconditioner<float, Space>> make_half_cycle(
    CycleType type, const Hierarchy<float, Space>& hierarchy, std::size_t depth, bool once) {
  detail::HalfCycleMaker<Space> maker(hierarchy);
  return std::make_shared<detail::ThroughHalf<Space>>(
      once ? maker.visit(type, depth) : maker.correction(type, depth),
      hierarchy.levels[depth].A->num_rows());
}

#define TESSERA_INSTANTIATE(Space)                                        \
  template std::shared_ptr<Preconditioner<float, Space>> make_half_cycle( \
      CycleType, const Hierarchy<float, Space>&, std::size_t, bool);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(Scalar, Space)                         \
  template void settle_half(CycleType, Hierarchy<Scalar, Space>&); \
  template void show_half(Hierarchy<Scalar, Space>&);              \
  template bool has_half(const Hierarchy<Scalar, Space>&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
