// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/single_kernel.hpp"

#include "tessera/core/stored_matrix.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/smoother/chebyshev.hpp"
#include "tessera/smoother/jacobi.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera::amg {
namespace detail {

using kernels::no_vector;
using kernels::StepKind;

/// Fills in the matrix of a step; false where it is not in compressed rows of `Scalar`, or some of
/// these are so long that its product is shared out by entries: here a row has one warp at most.
template <class Scalar, class Space>
bool set_matrix(kernels::Step<Scalar>& step, const SparseOperator<Scalar, Space>* op) {
  const auto set = [&](const auto& stored, auto& offsets) {
    const auto A = stored.view();
    step.num_rows = A.num_rows;
    step.num_entries = A.num_entries;
    step.columns = A.columns.data();
    step.values = A.values.data();
    offsets = A.offsets.data();
    return stored.plan().algorithm != kernels::CsrSpmvAlgorithm::load_balanced;
  };
  using Narrow = StoredCsr<Scalar, Space, std::int32_t>;
  using Wide = StoredCsr<Scalar, Space, std::int64_t>;
  if (const auto* const narrow = dynamic_cast<const Narrow*>(op)) return set(*narrow, step.offsets);
  if (const auto* const wide = dynamic_cast<const Wide*>(op)) return set(*wide, step.wide_offsets);
  return false;
}

template <class Scalar, class Space>
bool is_in_rows(const SparseOperator<Scalar, Space>* op) {
  kernels::Step<Scalar> step;
  return set_matrix(step, op);
}

/// Whether the level's part of a cycle can be written as steps.
template <class Scalar, class Space>
bool has_steps(const Hierarchy<Scalar, Space>& hierarchy, std::size_t depth) {
  const Level<Scalar, Space>& level = hierarchy.levels[depth];
  const bool is_coarsest = depth + 1 == hierarchy.levels.size();
  if (level.A->num_rows() == 0) return false;
  if (is_coarsest && !hierarchy.coarsest_is_relaxed)
    return hierarchy.coarse_solver.dense_inverse().extent(0) > 0;
  const auto* const smoother = level.smoother.get();
  const bool is_relaxed_by_steps =
      dynamic_cast<const JacobiSmoother<Scalar, Space>*>(smoother) != nullptr ||
      dynamic_cast<const ChebyshevSmoother<Scalar, Space>*>(smoother) != nullptr;
  return is_relaxed_by_steps && is_in_rows(level.A.get()) &&
         (is_coarsest || (is_in_rows(level.P.get()) && is_in_rows(level.R.get())));
}

/// Writes the corrections of a cycle (see CycleWalk) as a list of steps.
template <class Scalar, class Space>
class StepWriter {
 public:
  using Step = kernels::Step<Scalar>;
  using Program = kernels::StepProgram<Scalar, Space>;

  explicit StepWriter(const Hierarchy<Scalar, Space>& hierarchy) : m_hierarchy(hierarchy) {}

  /// A visit of the level, or the solve on the coarsest: x from b.
  void visit(CycleType type, std::size_t depth, int b, int x) {
    if (is_coarsest(depth)) {
      m_hierarchy.coarsest_is_relaxed ? relax(depth, b, x) : solve(depth, b, x);
      return;
    }
    const int u = vector(depth, "iterate");
    const int r = vector(depth, "residual");
    smooth_from_zero(depth, b, u);
    multiply(StepKind::residual, level(depth).A, {.b = b, .x = u, .y = r});
    const int b_coarse = vector(depth + 1, "right-hand side");
    const int x_coarse = vector(depth + 1, "solution");
    multiply(StepKind::product, level(depth).R, {.x = r, .y = b_coarse});
    correct(type, depth + 1, b_coarse, x_coarse);
    multiply(StepKind::add_product, level(depth).P, {.x = x_coarse, .y = u});
    smooth(depth, b, u, x);
  }

  /// What the level above takes of this one: x from b.
  void correct(CycleType type, std::size_t depth, int b, int x) {
    visit(type, depth, b, x);
    if (type == CycleType::v || is_coarsest(depth)) return;
    const int r = vector(depth, "what the first visit leaves");
    const int e = vector(depth, "the second visit's correction");
    multiply(StepKind::residual, level(depth).A, {.b = b, .x = x, .y = r});
    visit(type == CycleType::f ? CycleType::v : CycleType::w, depth, r, e);
    push({.kind = StepKind::add, .num_rows = level(depth).A->num_rows(), .x = e, .y = x});
  }

  const std::vector<Step>& steps() const { return m_steps; }
  const std::vector<std::size_t>& lengths() const { return m_lengths; }

 private:
  /// The vectors of a step.
  struct Named {
    int b = no_vector;
    int x = no_vector;
    int y = no_vector;
    int p = no_vector;
  };

  const Level<Scalar, Space>& level(std::size_t depth) const { return m_hierarchy.levels[depth]; }
  bool is_coarsest(std::size_t depth) const { return depth + 1 == m_hierarchy.levels.size(); }

  /// The number of a level's vector for that purpose. Visits of a level have the same ones, for
  /// they come one after the other.
  int vector(std::size_t depth, const char* purpose) {
    const auto [place, is_new] = m_vectors.try_emplace(
        {depth, purpose}, static_cast<int>(m_lengths.size()) + Program::given_x + 1);
    if (is_new) m_lengths.push_back(level(depth).A->num_rows());
    return place->second;
  }

  void solve(std::size_t depth, int b, int x) {
    push({.kind = StepKind::dense,
          .num_rows = level(depth).A->num_rows(),
          .dense = m_hierarchy.coarse_solver.dense_inverse().data(),
          .x = b,
          .y = x});
  }

  /// As RelaxedCorrection does.
  void relax(std::size_t depth, int b, int x) {
    const int sweeps = m_hierarchy.coarse_sweeps;
    int here = x;
    int next = vector(depth, "iterate");
    if (sweeps % 2 == 0) std::swap(here, next);
    smooth_from_zero(depth, b, here);
    for (int i = 1; i < sweeps; ++i) {
      smooth(depth, b, here, next);
      std::swap(here, next);
    }
  }

  void smooth_from_zero(std::size_t depth, int b, int x_out) {
    const auto* const smoother = level(depth).smoother.get();
    Step first{.kind = StepKind::scale, .num_rows = level(depth).A->num_rows(), .b = b};
    if (const auto* const jacobi = dynamic_cast<const JacobiSmoother<Scalar, Space>*>(smoother)) {
      first.d = jacobi->weights().data();
      first.y = target(depth, jacobi->sweeps() - 1, x_out);
      scale(first);
      sweep(depth, *jacobi, 1, b, first.y, x_out);
    } else {
      const auto& chebyshev = dynamic_cast<const ChebyshevSmoother<Scalar, Space>&>(*smoother);
      const int steps = static_cast<int>(chebyshev.steps().size()) * chebyshev.sweeps();
      first.d = chebyshev.inverse_diagonal().data();
      first.alpha = chebyshev.steps().front().alpha;
      first.y = target(depth, steps - 1, x_out);
      if (chebyshev.steps().size() > 1) first.p = vector(depth, "direction");
      scale(first);
      recur(depth, chebyshev, 1, b, first.y, x_out);
    }
  }

  void smooth(std::size_t depth, int b, int x_in, int x_out) {
    const auto* const smoother = level(depth).smoother.get();
    if (const auto* const jacobi = dynamic_cast<const JacobiSmoother<Scalar, Space>*>(smoother)) {
      sweep(depth, *jacobi, 0, b, x_in, x_out);
    } else {
      recur(depth, dynamic_cast<const ChebyshevSmoother<Scalar, Space>&>(*smoother), 0, b, x_in,
            x_out);
    }
  }

  /// Where an iterate goes that `remaining` sweeps follow.
  int target(std::size_t depth, int remaining, int x_out) {
    return remaining % 2 == 0 ? x_out : vector(depth, "other iterate");
  }

  /// The sweeps of Jacobi from that numbered `first` on.
  void sweep(std::size_t depth, const JacobiSmoother<Scalar, Space>& jacobi, int first, int b,
             int x_in, int x_out) {
    for (int number = first; number < jacobi.sweeps(); ++number) {
      Step step{.kind = StepKind::jacobi, .d = jacobi.weights().data()};
      const int x = target(depth, jacobi.sweeps() - 1 - number, x_out);
      multiply(step, level(depth).A, Named{b, x_in, x, no_vector});
      x_in = x;
    }
  }

  /// The steps of Chebyshev's recurrence from that numbered `first` on, over all sweeps.
  void recur(std::size_t depth, const ChebyshevSmoother<Scalar, Space>& chebyshev, int first, int b,
             int x_in, int x_out) {
    const auto& steps = chebyshev.steps();
    const int degree = static_cast<int>(steps.size());
    const int num_steps = degree * chebyshev.sweeps();
    const int p = vector(depth, "direction");
    for (int number = first; number < num_steps; ++number) {
      const Step step{.kind = StepKind::chebyshev,
                      .d = chebyshev.inverse_diagonal().data(),
                      .alpha = steps[number % degree].alpha,
                      .beta = steps[number % degree].beta};
      const int x = target(depth, num_steps - 1 - number, x_out);
      multiply(step, level(depth).A, Named{b, x_in, x, p});
      x_in = x;
    }
  }

  void multiply(StepKind kind, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
                const Named& vectors) {
    multiply(Step{.kind = kind}, A, vectors);
  }
  void multiply(Step step, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
                const Named& vectors) {
    require(set_matrix(step, A.get()),
            [] { return std::string("the levels of one kernel must be in compressed rows"); });
    step.b = vectors.b;
    step.x = vectors.x;
    step.y = vectors.y;
    step.p = vectors.p;
    push(step);
  }

  /// A scaling of what the step before has written is made by the thread that writes it.
  void scale(const Step& step) {
    if (!m_steps.empty()) {
      Step& last = m_steps.back();
      const bool makes_vector = last.kind == StepKind::product || last.kind == StepKind::residual;
      if (makes_vector && last.y == step.b) {
        last.d = step.d;
        last.alpha = step.alpha;
        last.scaled = step.y;
        last.p = step.p;
        return;
      }
    }
    push(step);
  }

  void push(const Step& step) { m_steps.push_back(step); }

  const Hierarchy<Scalar, Space>& m_hierarchy;
  std::vector<Step> m_steps;
  std::map<std::pair<std::size_t, std::string>, int> m_vectors;
  std::vector<std::size_t> m_lengths;
};

template <class Scalar, class Space>
StepWriter<Scalar, Space> written(CycleType type, const Hierarchy<Scalar, Space>& hierarchy) {
  using Program = kernels::StepProgram<Scalar, Space>;
  StepWriter<Scalar, Space> writer(hierarchy);
  writer.visit(type, 0, Program::given_b, Program::given_x);
  return writer;
}

}  // namespace detail

template <class Scalar, class Space>
std::string obstacle_to_one_kernel(CycleType type, const Hierarchy<Scalar, Space>& hierarchy) {
  using Program = kernels::StepProgram<Scalar, Space>;
  if (hierarchy.tail != nullptr) return "levels differ in precision";
  if (type == CycleType::k) return "the cycle is a K-cycle";
  for (std::size_t depth = 0; depth < hierarchy.levels.size(); ++depth) {
    if (!detail::has_steps(hierarchy, depth)) {
      return "level " + std::to_string(depth) +
             " is not smoothed by Jacobi or Chebyshev with matrices in compressed rows";
    }
  }
  const auto writer = detail::written(type, hierarchy);
  if (!Program::fits(writer.steps().size(), writer.lengths().size()))
    return "the cycle has too many steps";
  return {};
}

template <class Scalar, class Space>
kernels::StepProgram<Scalar, Space> cycle_program(CycleType type,
                                                  const Hierarchy<Scalar, Space>& hierarchy,
                                                  const kernels::StepSharing& sharing) {
  const auto writer = detail::written(type, hierarchy);
  return {writer.steps(), writer.lengths(), sharing};
}

#define TESSERA_INSTANTIATE(Scalar, Space)                                                 \
  template std::string obstacle_to_one_kernel(CycleType, const Hierarchy<Scalar, Space>&); \
  template kernels::StepProgram<Scalar, Space> cycle_program(                              \
      CycleType, const Hierarchy<Scalar, Space>&, const kernels::StepSharing&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
