// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a `Solver` holds: the system, what was chosen for it, and what was built.
#pragma once

#include "tessera/solve/build.hpp"
#include "tessera/solve/chosen_system.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/memory_forecast.hpp"
#include "tessera/solve/single_kernel_plan.hpp"
#include "tessera/solver/krylov_solver.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace tessera::detail {

/// A Krylov method and a preconditioner for a system, and notes on them.
template <class Scalar, class Space, class Offset>
class SolverState {
 public:
  using System = LinearSystem<Scalar, Space, Offset>;
  using Matrix = kernels::Csr<Scalar, Space, Offset>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  explicit SolverState(const SolveParameters& parameters) : m_chosen(parameters) {}

  /// Forgets all but the parameters and takes the system, with a copy of the near-nullspace vectors
  /// (n by m) for a later setup. Inspects A, fills in what is open of the parameters, and builds
  /// what they name. A and the vectors may be those that it has.
  void choose_and_build(const Space& exec, const Matrix& A, const ConstVectors& near_nullspace,
                        int block_size);
  /// What the next setup is to be made by.
  void set_parameters(const SolveParameters& parameters) { m_chosen.set_parameters(parameters); }
  /// The nullspace of the matrices of later setups (n by m), and that of their transposes, of which
  /// these are copies.
  void give_nullspace(MultiVector<Scalar, Space> basis,
                      MultiVector<Scalar, Space> transposed = {}) {
    m_chosen.give_nullspace(std::move(basis), std::move(transposed));
  }
  /// Which function each row of later matrices is of.
  void give_functions(const Array<const Ordinal, Space>& functions) {
    m_chosen.give_functions(functions);
  }
  /// What it is at while it is not ready.
  const char* step() const { return m_step; }
  /// Frees what was built, and keeps the system.
  void release();
  /// Whether it has taken a system, be it that no setup for it has succeeded.
  bool has_system() const { return m_has_system; }
  /// Whether a setup has succeeded, and nothing after it has failed.
  bool is_ready() const { return m_ready; }
  /// `step`: what begins with it, for messages.
  void set_ready(bool ready, const char* step = "checks of the arguments") {
    m_ready = ready;
    m_step = step;
  }

  /// Whether anything stays for new values.
  bool can_update() const { return m_builder.can_update(system().parameters, effective()); }
  /// Takes new values in A's pattern. Returns why that turns out to be impossible; empty where it
  /// is done.
  [[nodiscard]] std::string update(const Space& exec, const Matrix& A);
  /// Says, until the values are new again, why they were set up again.
  void note_repeated_setup(const std::string& why);

  /// After a solve that failed: looks for a nullspace, and for scaled constants where `or_scaled`.
  /// What is found is projected out once the fallback for it is applied. Returns what to say of it;
  /// empty where nothing is.
  std::string look_for_nullspace(const Space& exec, bool or_scaled);
  /// Whether multigrid is to be built again from the nullspace that was found.
  bool near_nullspace_is_nullspace() const { return m_chosen.near_nullspace_is_nullspace(); }
  /// What factors would take, null where they are no choice.
  const direct::Cost* direct_cost(const Space& exec) { return m_chosen.direct_cost(exec); }
  /// Takes other parameters, and makes the factors that they name. False where there are none of
  /// finite numbers: they are no choice then, and the parameters stay.
  [[nodiscard]] bool take_parameters(const Space& exec, const SolveParameters& effective) {
    return m_chosen.take_parameters(exec, effective);
  }
  /// Builds what the parameters taken name, and says why. False where what is set does not suit
  /// that: what `before` names is there again then.
  [[nodiscard]] bool apply(const Space& exec, const Fallback& fallback,
                           const SolveParameters& before);

  /// Solves for one right-hand side by `single_kernel`, which is there, or does a part of that.
  SolveResult solve_in_one_kernel(const Space& exec, const ConstVectors& b, const Vectors& x,
                                  const SolvePart& part);
  /// Solves go by launches from now on, and the notes say why.
  void leave_single_kernel(const std::string& why);
  /// Iterations go through `runner`, null for none.
  void run_by(std::shared_ptr<IterationRunner<Space>> runner);
  /// Says what of the solves so far could not be recorded.
  void note_failed_recordings();

  const System& system() const { return m_chosen.system(); }
  const SolveParameters& effective() const { return m_chosen.choices().effective; }
  const HierarchyInfo& info() const { return m_chosen.choices().info; }
  void note_once(const std::string& note) { m_chosen.choices().note_once(note); }
  void set_peak_bytes(std::uint64_t bytes) { m_chosen.choices().info.setup_peak_bytes = bytes; }
  void show_forecast(const MemoryForecast& forecast) {
    m_chosen.choices().info.setup_forecast_bytes = forecast.setup_bytes;
    m_chosen.choices().info.peak_forecast_bytes = forecast.peak_bytes();
  }
  /// The facts, but for those that a solve has shown to mislead.
  MatrixFacts known_facts() const { return m_chosen.known_facts(); }
  /// Null for the identity.
  Preconditioner<Scalar, Space>* preconditioner() const { return m_builder.get(); }
  /// Neither of its two where the preconditioner is not multigrid.
  const BuiltMultigrid<Scalar, Space>& multigrid() const { return m_builder.multigrid().built(); }
  KrylovSolver<Scalar, Space>& krylov() { return *m_krylov; }
  /// Null where none were made.
  const std::shared_ptr<direct::SparseDirect>& factors() const { return m_chosen.factors().get(); }
  /// Solves in one launch, where that can be done and pays; else null.
  SingleKernelSolver<Scalar, Space>* single_kernel() const { return m_single_kernel.solver(); }

 private:
  using Chosen = ChosenSystem<Scalar, Space, Offset>;
  using Near = NearNullspace<Scalar, Space>;

  explicit SolverState(Chosen chosen) : m_chosen(std::move(chosen)) {}

  void apply(const Space& exec, const Fallback& fallback);
  /// Builds what `before` names again, and says why.
  void return_to(const Space& exec, const SolveParameters& before, const std::string& why);
  /// Fills in what is open, and gives what multigrid is made from, of which new vectors lie in
  /// `storage`.
  Near choose_with_vectors(const Space& exec, const ConstVectors& near_nullspace,
                           MultiVector<Scalar, Space>& storage);
  /// Makes the method for the preconditioner that was built.
  void complete(const Space& exec);
  /// Builds after another choice.
  void build_again(const Space& exec, const Near& near);
  /// Builds of the vectors that were kept.
  void rebuild(const Space& exec);
  /// Makes the method that the parameters name.
  void make_krylov();
  /// Plans a solve in one kernel, with notes of it.
  void plan_single_kernel(const Space& exec);

  Chosen m_chosen;
  PreconditionerBuilder<Scalar, Space, Offset> m_builder;
  std::unique_ptr<KrylovSolver<Scalar, Space>> m_krylov;
  std::shared_ptr<IterationRunner<Space>> m_runner;  ///< of `m_krylov`, null where it has none
  SingleKernelPlan<Scalar, Space, Offset> m_single_kernel;
  const char* m_step = "";
  bool m_has_system = false;
  bool m_ready = false;
};

}  // namespace tessera::detail
