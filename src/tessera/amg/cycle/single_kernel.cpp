// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/single_kernel.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/step_writer.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::amg {
namespace detail {

using kernels::no_vector;
using kernels::StepKind;

template <class Scalar, class Space>
bool is_in_rows(const SparseOperator<Scalar, Space>* op) {
  kernels::Step<Scalar> step;
  return op != nullptr && op->write_rows(step);
}

/// Whether the smoother's sweeps can be written as steps.
template <class Scalar, class Space>
bool is_in_steps(const Smoother<Scalar, Space>* smoother) {
  using Program = kernels::StepProgram<Scalar, Space>;
  StepWriter<Scalar, Space> scratch;
  return smoother != nullptr &&
         smoother->write_steps(scratch, {.b = Program::given_b, .x_out = Program::given_x});
}

/// Whether the level's part of a cycle can be written as steps.
template <class Scalar, class Space>
bool has_steps(const Hierarchy<Scalar, Space>& hierarchy, std::size_t depth) {
  const Level<Scalar, Space>& level = hierarchy.levels[depth];
  const bool is_coarsest = depth + 1 == hierarchy.levels.size();
  if (level.A->num_rows() == 0) return false;
  if (is_coarsest && !hierarchy.coarsest_is_relaxed)
    return hierarchy.coarse_solver.dense_inverse().extent(0) > 0;
  return is_in_steps(level.smoother.get()) && is_in_rows(level.A.get()) &&
         (is_coarsest || (is_in_rows(level.P.get()) && is_in_rows(level.R.get())));
}

/// Writes the corrections of a cycle (see CycleWalk) as a list of steps.
template <class Scalar, class Space>
class CycleWriter {
 public:
  using Step = kernels::Step<Scalar>;

  explicit CycleWriter(const Hierarchy<Scalar, Space>& hierarchy) : m_hierarchy(hierarchy) {}

  /// A visit of the level, or the solve on the coarsest: x from b.
  void visit(CycleType type, std::size_t depth, int b, int x) {
    if (is_coarsest(depth)) {
      m_hierarchy.coarsest_is_relaxed ? relax(depth, b, x) : solve(depth, b, x);
      return;
    }
    const int u = vector(depth, "iterate");
    const int r = vector(depth, "residual");
    smooth_from_zero(depth, b, u);
    multiply({.kind = StepKind::residual, .b = b, .x = u, .y = r}, level(depth).A);
    const int b_coarse = vector(depth + 1, "right-hand side");
    const int x_coarse = vector(depth + 1, "solution");
    multiply({.kind = StepKind::product, .x = r, .y = b_coarse}, level(depth).R);
    correct(type, depth + 1, b_coarse, x_coarse);
    multiply({.kind = StepKind::add_product, .x = x_coarse, .y = u}, level(depth).P);
    smooth(depth, b, u, x);
  }

  /// What the level above takes of this one: x from b.
  void correct(CycleType type, std::size_t depth, int b, int x) {
    visit(type, depth, b, x);
    if (type == CycleType::v || is_coarsest(depth)) return;
    const int r = vector(depth, "what the first visit leaves");
    const int e = vector(depth, "the second visit's correction");
    multiply({.kind = StepKind::residual, .b = b, .x = x, .y = r}, level(depth).A);
    visit(type == CycleType::f ? CycleType::v : CycleType::w, depth, r, e);
    m_writer.push({.kind = StepKind::add, .num_rows = level(depth).A->num_rows(), .x = e, .y = x});
  }

  const std::vector<Step>& steps() const { return m_writer.steps(); }
  const std::vector<std::size_t>& lengths() const { return m_writer.lengths(); }

 private:
  const Level<Scalar, Space>& level(std::size_t depth) const { return m_hierarchy.levels[depth]; }
  bool is_coarsest(std::size_t depth) const { return depth + 1 == m_hierarchy.levels.size(); }

  /// Visits of a level have the same vectors, for they come one after the other.
  int vector(std::size_t depth, const char* purpose) {
    return m_writer.vector(depth, purpose, level(depth).A->num_rows());
  }

  void solve(std::size_t depth, int b, int x) {
    m_writer.push({.kind = StepKind::dense,
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

  void smooth_from_zero(std::size_t depth, int b, int x_out) { smooth(depth, b, no_vector, x_out); }
  void smooth(std::size_t depth, int b, int x_in, int x_out) {
    require_written(level(depth).smoother->write_steps(
        m_writer, {.level = depth, .b = b, .x_in = x_in, .x_out = x_out}));
  }

  void multiply(const Step& step, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A) {
    require_written(m_writer.multiply(step, *A));
  }

  static void require_written(bool is_written) {
    require(is_written,
            [] { return std::string("the levels of one kernel must be in compressed rows"); });
  }

  const Hierarchy<Scalar, Space>& m_hierarchy;
  StepWriter<Scalar, Space> m_writer;
};

template <class Scalar, class Space>
CycleWriter<Scalar, Space> written(CycleType type, const Hierarchy<Scalar, Space>& hierarchy) {
  using Program = kernels::StepProgram<Scalar, Space>;
  CycleWriter<Scalar, Space> writer(hierarchy);
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

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, obstacle_to_one_kernel)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, cycle_program)

}  // namespace tessera::amg
