// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What `Solver` picks for a system, and builds.
#pragma once

#include "tessera/core/captured_preconditioner.hpp"
#include "tessera/smoother/ilu_preconditioner.hpp"
#include "tessera/solve/direct_factorization.hpp"
#include "tessera/solve/multigrid_builder.hpp"
#include "tessera/solver/krylov_solver.hpp"
#include "tessera/solver/single_kernel.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::detail {

/// A Krylov method and a preconditioner for a system, and what there is to say of them.
template <class Scalar, class Space, class Offset>
struct SolverState {
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Near = NearNullspace<Scalar, Space>;

  explicit SolverState(const SolveParameters& parameters) : effective(parameters) {
    system.parameters = parameters;
  }

  /// Gives the memory of the preconditioner back; factors of A are there before what is made of
  /// them.
  void release_preconditioner();
  /// Copies what the user gave, `candidates` (n by m), for a setup anew.
  void keep_given(const Space& exec, const ConstVectors& candidates, int block_size);
  /// Fills in `effective` by what is known of A, and builds what it names.
  void choose_and_build(const Space& exec, const ConstVectors& given, int block_size);
  /// After a solve that failed: looks for components of the matrix that are singular, and for
  /// scaled constants where `or_scaled`, each at most once. What is found is projected out from the
  /// next `rebuild` or `make_krylov` on. Returns what to say of it; empty where nothing is.
  std::string look_for_nullspace(const Space& exec, bool or_scaled);
  /// Whether multigrid is to be made anew of the nullspace that was found.
  bool candidates_are_of_nullspace() const;
  /// Builds what `effective` names by now, of the vectors that were kept.
  void rebuild(const Space& exec);
  /// Makes the method that `effective` names.
  void make_krylov();
  /// Its iterations go through `runner`, null for none.
  void run_by(std::shared_ptr<IterationRunner<Space>> runner);
  /// Says what of the solves so far could not be recorded.
  void note_failed_recordings();

  /// Solves for one right-hand side by `single_kernel`, which is there, or does a part of that.
  SolveResult solve_in_one_kernel(const Space& exec, const ConstVectors& b,
                                  const MultiVectorView<Scalar, Space>& x, const SolvePart& part);
  /// Solves go by launches from now on, and the notes say why.
  void leave_single_kernel(const std::string& why);

  /// Whether anything stays for new values. Nothing does of `jacobi` and `none` that were picked,
  /// or took the place of what these values did not bear.
  bool can_update() const;
  /// Makes it for `system.A`'s new values. Returns why that turns out to be impossible; empty where
  /// it is done.
  [[nodiscard]] std::string update(const Space& exec);
  /// Says, until the values are new again, why they were set up anew.
  void note_set_up_anew(const std::string& why);

  /// The facts, but for those that a solve has shown to mislead.
  MatrixFacts known_facts() const;

  LinearSystem<Scalar, Space, Offset> system;
  SolveParameters effective;  ///< with every open choice filled in
  std::shared_ptr<Preconditioner<Scalar, Space>> M;
  std::unique_ptr<KrylovSolver<Scalar, Space>> krylov;
  /// Solves in one launch, where that can be done and pays; else null.
  std::unique_ptr<SingleKernelSolver<Scalar, Space>> single_kernel;
  DirectFactorization<Scalar, Space, Offset> factors;
  bool diagonal_failed = false;  ///< dividing by it took too many iterations
  std::vector<std::string> notes;
  HierarchyInfo info;  ///< with the notes
  bool ready = false;  ///< a setup has succeeded

 private:
  /// Checks the nullspace that was asked for, and looks for components that are singular where
  /// rows tell of them at sight.
  void settle_nullspace(const Space& exec);
  /// Keeps what was found, if it is more than the constant of all rows.
  void take_nullspace(const Space& exec, const ComponentNullspace<Scalar, Space>& found);
  /// Picks what is open; a direct solver has its factors then. Adds to the notes.
  void choose(const Space& exec, const ConstVectors& given, int block_size);
  /// Builds what `effective` names or, where its numbers are not finite, the next of multigrid in
  /// float, in double, and Jacobi.
  void build(const Space& exec, const Near& near);
  void build_multigrid(const Space& exec, const Near& near);
  /// Whether round-off has made the coarsest operator below a matrix for CG one that has no
  /// Cholesky factors, though it is regular.
  bool loses_definiteness() const;
  /// Takes a flexible method where the levels that were built round more than A's scalar does.
  void bear_rounding();
  /// Whether a solve in one kernel is to be on tiles.
  bool takes_tiles() const;
  /// Makes `single_kernel`, with tiles where it takes and can have them.
  void make_single_kernel(const Space& exec);
  /// The same where one kernel can be had and pays, and returns what there is to say of it.
  std::string plan_single_kernel(const Space& exec);
  /// The same, with notes of it.
  void tell_of_single_kernel(const Space& exec);
  /// Whether that is asked for, or by itself what pays.
  bool wants_single_kernel(const Space& exec) const;
  /// Adds to what is said of the solver, unless that is said already.
  void note_once(const std::string& note);
  /// Makes the block-Jacobi preconditioner.
  void take_blocks(const Space& exec);
  /// Takes the factors for a preconditioner.
  void take_factors();
  /// Makes incomplete factors or, where they hold no finite numbers, Jacobi.
  void build_incomplete_factors(const Space& exec);
  /// Keeps the near-nullspace where a later solve may build anew.
  void keep_candidates(const Space& exec, const ConstVectors& candidates);

  std::shared_ptr<IterationRunner<Space>> m_runner;  ///< of `krylov`, null where it has none
  std::shared_ptr<CapturedPreconditioner<Scalar, Space>> m_captured;  ///< M, where it is one
  std::shared_ptr<IluPreconditioner<Scalar, Space, Offset>> m_incomplete;  ///< M, where it is one
  MultigridBuilder<Scalar, Space, Offset> m_multigrid;
  std::string m_tile_obstacle;  ///< why `single_kernel` has no tiles though they are asked for
  std::vector<std::string> m_kernel_notes;  ///< of `single_kernel`, and why there is none
  CycleProgram<Scalar, Space> m_cycle;  ///< where `single_kernel` has multigrid inside
  kernels::FactorsInside<Scalar, Space> m_factors_inside;  ///< where it has incomplete factors
  MultiVector<Scalar, Space> m_candidates;  ///< for a second multigrid after one in double
  std::vector<int> m_annihilated;  ///< candidates of which A makes zero
  NullspaceProjector<Scalar, Space> m_nullspace;  ///< of `system.nullspace`
  bool m_knows_components = false;  ///< which of A's components are singular by their row sums
  bool m_knows_scaled = false;  ///< whether scaled constants are to be found
};

}  // namespace tessera::detail
