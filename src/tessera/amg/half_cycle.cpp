// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/half_cycle.hpp"

#include "tessera/amg/detail/cycle_walk.hpp"
#include "tessera/amg/half_smoother.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/vector/half_ops.hpp"

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
  std::shared_ptr<Smoother<Half, Space>> smoother;
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

/// The levels of a hierarchy in float, as a cycle with vectors in half walks over them.
template <class Space>
class HalfLevels {
 public:
  using scalar_type = Half;
  using execution_space = Space;
  using Correction = std::shared_ptr<Preconditioner<Half, Space>>;

  explicit HalfLevels(const Hierarchy<float, Space>& hierarchy) : m_hierarchy(hierarchy) {}

  Correction elsewhere(CycleType, std::size_t, bool) const { return nullptr; }
  bool is_coarsest(std::size_t depth) const { return depth + 1 == m_hierarchy.levels.size(); }
  int number(std::size_t depth) const { return m_hierarchy.first_level + static_cast<int>(depth); }

  HalfLevel<Space> level(std::size_t depth) const { return half_level(m_hierarchy.levels[depth]); }
  std::shared_ptr<const HalfOperator<Space>> A(std::size_t depth) const {
    return half_operator<Space>(m_hierarchy.levels[depth].A);
  }

  Correction coarsest(std::size_t depth) const {
    if (m_hierarchy.coarsest_is_relaxed)
      return std::make_shared<RelaxedCorrection<Half, Space, HalfLevel<Space>>>(
          level(depth), m_hierarchy.coarse_sweeps);
    return std::make_shared<HalfDirect<Space>>(m_hierarchy.coarse_solver,
                                               m_hierarchy.levels[depth].A->num_rows());
  }
  /// `settle_half` leaves no level in half under a K-cycle: see `obstacle_to_half`.
  Correction krylov(std::size_t, Correction) const {
    throw Error(ErrorKind::precondition, "a K-cycle has vectors in half");
  }

 private:
  const Hierarchy<float, Space>& m_hierarchy;
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
  detail::CycleWalk<detail::HalfLevels<Space>> walk{detail::HalfLevels<Space>(hierarchy)};
  return std::make_shared<detail::ThroughHalf<Space>>(
      once ? walk.visit(type, depth) : walk.correction(type, depth),
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
