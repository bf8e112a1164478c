// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The base of all Krylov methods: start, verification of the true residual, restarts, result.
#pragma once

#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/solver/detail/scaled_system.hpp"
#include "tessera/solver/iteration_control.hpp"
#include "tessera/solver/krylov_solver.hpp"
#include "tessera/solver/nullspace_projector.hpp"

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tessera {

/// What all methods share.
///
/// A solve is a sequence of cycles. Each starts from the true residual b - A x, iterates until the
/// method believes that it is done, and ends with the true residual again: so `converged` always
/// speaks of the true residual.
template <class Scalar, class Space>
class KrylovMethod : public KrylovSolver<Scalar, Space> {
 public:
  using typename KrylovSolver<Scalar, Space>::Operator;
  using typename KrylovSolver<Scalar, Space>::ConstVectors;
  using typename KrylovSolver<Scalar, Space>::Vectors;

  explicit KrylovMethod(const SolverParameters& parameters);

  const SolverParameters& parameters() const override { return m_parameters; }
  void set_logger(Logger logger) override { m_logger = std::move(logger); }
  void set_runner(std::shared_ptr<IterationRunner<Space>> runner) override {
    m_runner = std::move(runner);
  }
  void forget_recordings() override {
    if (m_runner != nullptr) m_runner->forget();
  }
  void set_nullspace(const Space& exec, const ConstVectors& vectors) override;
  void set_nullspace(const NullspaceProjector<Scalar, Space>& projector) override;
  void set_nullspaces(const NullspaceProjector<Scalar, Space>& projector,
                      const NullspaceProjector<Scalar, Space>& transposed) override;
  void trust_nullspace(Ordinal n) override { m_checked_rows = n; }
  void prepare(const Space& exec, Ordinal n, int k) override;
  SolveResult solve(const Space& exec, const Operator& A, Preconditioner<Scalar, Space>* M,
                    const ConstVectors& b, const Vectors& x,
                    const SolveResult* before = nullptr) override;

 protected:
  /// The arguments of `solve`.
  struct System {
    const Operator& A;
    Preconditioner<Scalar, Space>* M;
    ConstVectors b;
    Vectors x;
  };

  /// For methods that have no true residual at hand in each iteration: throws `Error` of kind
  /// `configuration` with the reason where the parameters ask for it.
  void refuse_true_residual(const char* reason) const;

  /// Allocates the method's vectors.
  virtual void prepare_method(const Space& exec, Ordinal n, int k) = 0;
  /// Iterates from x, whose residual stands in `residual()` with the squared norms
  /// `residual_norm()`, until `advance` says otherwise or the method wants to go on from the true
  /// residual, and leaves its last iterate in x.
  virtual void run_cycle(const Space& exec, const System& system) = 0;
  /// How many breakdowns of a column are answered by a restart.
  virtual int restarts_after_breakdown() const { return 0; }
  /// Items and sums of the largest reduction of the method.
  virtual int workspace_items(int k) const { return k; }
  virtual int workspace_sums() const { return 2; }

  /// z = M r, or a copy where there is no preconditioner, without its part in the nullspace.
  void precondition(const Space& exec, const System& system, const ConstVectors& r,
                    const Vectors& z) const;
  /// True where `precondition` does anything but copy.
  bool has_preconditioner(const System& system) const {
    return system.M != nullptr || !m_nullspace.empty();
  }
  bool projects() const { return !m_nullspace.empty(); }
  /// Takes the nullspace out of a solution or a correction to it.
  void project(const Space& exec, const Vectors& v) const { m_nullspace.apply(exec, v); }
  /// Takes what is not in the range of A out of a residual.
  void project_residual(const Space& exec, const Vectors& r) const {
    (m_range_is_apart ? m_transposed_nullspace : m_nullspace).apply(exec, r);
  }

  /// Whether an iteration is queued before the last one's report is read.
  bool runs_ahead() const;

  /// A system whose M is the one inside a CapturedPreconditioner where the runner records whole
  /// iterations, and what changes with the memory that M works on.
  struct RepeatedSystem {
    System system;
    std::uint64_t M_revision;
  };
  RepeatedSystem repeated(const System& system) const;
  /// Queues on `exec` what `iteration` queues, by the runner where there is one: the same for
  /// every call with this system and `variant`.
  void run_iteration(const Space& exec, const RepeatedSystem& repeated, const void* variant,
                     const typename IterationRunner<Space>::Work& iteration) const;

  using SystemWork = std::function<void(const Space&, const System&)>;
  /// The same for an iteration that comes again after others, at the same `position` in a cycle:
  /// queues what `iteration` queues for `system`. Before it is recorded, and that may take many
  /// cycles, M is applied by a recording of its own. Where an iteration does without b and x, they
  /// are empty, so that a recording serves solves for others.
  void run_iteration_at(const Space& exec, const System& system, int position,
                        const SystemWork& iteration) const;

  /// `save(j, target)` writes the iterate of column j before the last step to `target` (n by 1).
  using SaveIterate = std::function<void(int, const Vectors&)>;

  /// Takes what the kernels reported on this iteration (after a fence), in the half `turn` of the
  /// reports, and decides. Where a column has got worse, `save` keeps its iterate; a method whose x
  /// stays as it is within a cycle, or that keeps the best iterate itself, gives an empty one.
  /// A column fails after `stagnation_window` iterations without progress; 0: no limit. Columns
  /// that have failed iterate no more.
  detail::Step advance(const Space& exec, const SaveIterate& save, int stagnation_window = 0,
                       int turn = 0);
  /// x_j before the step alpha(j) d_j that led to it; for a `SaveIterate`.
  static void undo_step(const Space& exec, int j, const ConstVectors& x,
                        const Array<double, Space>& alpha, const ConstVectors& d,
                        const Vectors& target);
  /// Column j of v as an n by 1 view.
  template <class ViewType>
  static ViewType column(const ViewType& v, int j) {
    return ViewType(v.data() + static_cast<std::size_t>(j) * v.stride(1), v.extent(0), 1);
  }

  Ordinal num_rows() const { return m_num_rows; }
  int num_columns() const { return m_num_columns; }
  Vectors residual() const { return m_residual; }
  ArrayView<const double, Space> residual_norm() const { return m_norm; }
  /// The same on the host, valid until the first iteration's report.
  std::span<const double> start_norms() const { return m_start_norms; }
  detail::IterationControl& control() { return m_control; }
  /// For a method that keeps the best iterate of a cycle itself.
  Vectors best() const { return m_best; }
  const kernels::ReductionWorkspace<Space>& workspace() const { return m_workspace; }
  const kernels::ColumnState<Space>& columns() const { return m_columns; }

 private:
  static typename IterationRunner<Space>::Key key_of(const RepeatedSystem& repeated,
                                                     const void* variant);
  void track_best(const SaveIterate& save);
  /// The norms of b and of the residual of the guess, which is projected.
  void measure_start(const Space& exec, const System& system);
  /// Whether squares of norms, and what float makes of the columns, are far from the ends of their
  /// range, by the start's norms. A column of zeros is not.
  bool is_well_scaled() const;
  bool guess_is_useful(int j) const;
  /// Solves from what `measure_start` has found.
  void iterate(const Space& exec, const System& system);
  /// The same for columns of any magnitude, by powers of two.
  void iterate_scaled(const Space& exec, const System& system);
  void run_cycles(const Space& exec, const System& system);
  void start_cycle(const Space& exec);
  void measure(const Space& exec, const System& system);
  void restore_best(const Space& exec, const Vectors& x);
  /// Keeps the columns of x whose true residual, just measured, is the least so far.
  void keep_if_best(const Space& exec, const Vectors& x);
  /// Puts kept columns back where x has not converged and got worse, and their norms into
  /// `m_true_norms`.
  void restore_kept(const Space& exec, const Vectors& x);
  void check_nullspace(const Space& exec, const Operator& A);
  void check_arguments(const Operator& A, const ConstVectors& b, const Vectors& x) const;

  SolverParameters m_parameters;
  Logger m_logger;
  std::shared_ptr<IterationRunner<Space>> m_runner;
  detail::IterationControl m_control;
  detail::ScaledSystem<Scalar, Space> m_scaled;
  NullspaceProjector<Scalar, Space> m_nullspace;
  NullspaceProjector<Scalar, Space> m_transposed_nullspace;  ///< of A^T, where
  bool m_range_is_apart = false;  ///< it is not A's

  Ordinal m_checked_rows = -1;  ///< of the A that is known to annihilate the nullspace
  Ordinal m_num_rows = -1;
  int m_num_columns = -1;
  kernels::ReductionWorkspace<Space> m_workspace;
  kernels::ColumnState<Space> m_columns;
  MultiVector<Scalar, Space> m_residual;
  /// Within a cycle: the iterate of a column that has got worse since, by its recurrence.
  MultiVector<Scalar, Space> m_best;
  /// Over all cycles: the iterates of least true residual, which is what no recurrence can tell.
  MultiVector<Scalar, Space> m_kept;
  Array<double, Space> m_norm;  ///< of the (projected) residual that starts a cycle
  Array<double, Space> m_rhs_norm;
  kernels::Report<double, Space> m_rhs_report;
  kernels::Report<double, Space> m_true_report;
  kernels::Report<double, Space> m_start_report;
  kernels::Report<double, Space> m_target_upload;
  std::vector<double> m_true_norms;  ///< of b - A x
  std::vector<double> m_start_norms;  ///< the same, projected
  std::vector<double> m_outside_norms;  ///< of the part of b - A x in the nullspace
  std::vector<double> m_kept_norms;  ///< of the (projected) residual of the kept x
  std::vector<double> m_kept_true_norms;  ///< of b - A x for it
  std::vector<double> m_best_norms;
  std::vector<char> m_best_is_current;
};

}  // namespace tessera
