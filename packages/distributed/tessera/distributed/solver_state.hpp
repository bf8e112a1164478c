// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a `Solver` over several processes holds.
#pragma once

#include "tessera/distributed/block_jacobi.hpp"
#include "tessera/distributed/counting_communicator.hpp"
#include "tessera/distributed/gathered_factors.hpp"
#include "tessera/distributed/krylov.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/multigrid.hpp"
#include "tessera/distributed/nullspace_choice.hpp"
#include "tessera/distributed/parameters.hpp"
#include "tessera/distributed/pattern_hash.hpp"
#include "tessera/distributed/step_memory_limit.hpp"
#include "tessera/operator/out_of_memory.hpp"
#include "tessera/smoother/ilu_smoother.hpp"
#include "tessera/solve/memory_forecast.hpp"
#include "tessera/solve/memory_limit.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::distributed {

/// Of rows in two parts that arrays are shared with.
struct PatternOfParts {
  PatternHash own;
  PatternHash ghost;
  bool operator==(const PatternOfParts&) const = default;
};

/// What is taken where CG is not: from the left GMRES, where that is asked for, else FGMRES.
inline SolverName gmres_for(const SolverParameters& p) {
  return p.side == PreconditioningSide::left ? SolverName::gmres : SolverName::fgmres;
}

template <class Space>
struct SolverState {
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  std::shared_ptr<const CountingCommunicator> processes;
  Parameters asked;
  Parameters given;  ///< that, or what a limit of memory leaves of it
  Parameters parameters;  ///< with what was picked
  Logger logger;
  Numbered<Space> A;
  std::optional<PatternOfParts> pattern;  ///< where A was given in parts
  std::shared_ptr<const SparseOperator<double, Space>> op;
  std::unique_ptr<Multigrid<Space>> multigrid;
  Array<double, Space> inverse_diagonal;  ///< for Jacobi
  std::unique_ptr<BlockJacobi<Space>> blocks;
  std::unique_ptr<IluPreconditioner<double, Space, std::int64_t>> factors;  ///< of the own block
  std::unique_ptr<GatheredFactors<Space>> sparse;  ///< of the whole matrix, or ordered for them
  bool by_factors = false;  ///< they precondition
  bool counts_factors = false;  ///< of a forecast: their memory is counted, and they are not made
  bool factors_failed = false;  ///< there are none, or they do not fit
  std::string why_factors;  ///< were taken that nobody asked for
  MultiVector<double, Space> near_nullspace;
  GivenNullspace<Space> given_nullspace;  ///< of later setups
  NullspaceProjectors<Space> nullspace;
  KnownComponents<Space> components;
  std::unique_ptr<Krylov<Space>> method;
  std::shared_ptr<IterationRecorder<Space>> recorder;  ///< of the method's iterations, or null
  std::uint64_t revision = 0;  ///< of the memory and the coefficients of the matrix and of M
  std::size_t applied_columns = 0;  ///< that M has room for
  std::vector<std::string> notes;
  double setup_ms = 0;
  SetupPhases row_phases_ms;  ///< what came before multigrid, where that is measured
  bool is_ready = false;
  MemoryForecast forecast;  ///< of the last setup, where it made one, or by factors since
  std::string limit_note;  ///< what that has given up, and why
  std::uint64_t peak_bytes = 0;  ///< what it had at once, where that is measured
  std::int64_t kept_bytes = 0;  ///< what is there now, where there is a limit
  std::int64_t kept_by_setup = 0;  ///< the same without what solves have left
  bool is_limited = false;  ///< the limit holds for what is being done

  bool uses_multigrid() const {
    const auto kind = given.solve.preconditioner;
    return kind == PreconditionerKind::amg || kind == PreconditionerKind::automatic;
  }
  bool forecasts() const { return asked.solve.max_memory_mb > 0 || asked.solve.forecast_memory; }
  bool measures() const { return forecasts() || asked.solve.amg.measure_memory; }
  /// What the next setup is to be made by. Multigrid is in double unless float is asked for: the
  /// method around has to be able to bear it.
  void give(const SolveParameters& choice) {
    given = asked;
    given.solve = choice;
    if (given.solve.precision == Precision::automatic) given.solve.precision = Precision::same;
  }
  /// Whether levels outlive the values that they were made of: they share no arrays then.
  bool keeps_levels() const { return given.solve.amg.reuse == amg::Reuse::hierarchy; }
  /// A as levels are made of it.
  Matrix<Space> for_levels(const Matrix<Space>& matrix) const {
    Matrix<Space> made = matrix;
    if (keeps_levels()) made.parts = nullptr;
    return made;
  }
  /// Behind a setup or an update, whole rows that were put together for it; of their pattern what
  /// the next update asks for stays.
  void free_joined_rows();
  /// Frees what a setup has made of the rows.
  void release() {
    is_ready = false;
    change();
    multigrid.reset();
    op.reset();
    method.reset();
    inverse_diagonal = {};
    blocks.reset();
    factors.reset();
    nullspace = {};
    components = {};
    forget_factors();
  }
  void forget_factors() {
    sparse.reset();
    by_factors = factors_failed = false;
    why_factors.clear();
  }
  /// Runs `work`, whose steps all processes take, below the limit of memory, if there is one. It
  /// may be a part of what runs so already. `borrowed_bytes`: what it may have beyond that and
  /// gives back.
  template <class Work>
  void within_limit(const Work& work, std::int64_t borrowed_bytes = 0) {
    if (asked.solve.max_memory_mb <= 0 || is_limited) return work();
    const StepMemoryLimit limit(Space::memory_space::name(),
                                static_cast<std::int64_t>(tessera::detail::max_bytes(asked.solve)) -
                                    kept_bytes + borrowed_bytes);
    is_limited = true;
    try {
      work();
    } catch (...) {
      is_limited = false;
      if (!is_ready) release();
      kept_bytes += limit.live_bytes();
      throw;
    }
    is_limited = false;
    kept_bytes += limit.live_bytes();
  }

  /// Runs `work`, an update, and notes what it has taken.
  template <class Work>
  void take_values(const Work& work) {
    try {
      row_phases_ms.clear();
      within_limit(work);
    } catch (const MemoryLimitExceeded& error) {
      throw tessera::detail::limit_reached("update_values", error);
    }
    kept_by_setup = kept_bytes;
  }

  /// Levels, or their new values, and what else follows from the matrix's values. Collective.
  void prepare(const Space& exec, const Matrix<Space>& next);
  /// Inverses of blocks on the diagonal. Collective.
  void invert_blocks(const Space& exec);
  /// Incomplete factors of each process's own block, for the method that is picked. Collective.
  void factor(const Space& exec);
  /// The method and the nullspace, by the values of all processes. Collective.
  void pick(const Space& exec);
  /// Memory or coefficients of the matrix or of M are about to change. Recordings go first, for
  /// NCCL may have registered memory that they work on.
  void change() {
    ++revision;
    applied_columns = 0;
    if (recorder != nullptr) recorder->forget();
  }
  /// Has CG's iterations recorded where they can be. Collective.
  void plan_recording();
  /// How iterations were launched, where they may be recorded; else empty.
  std::string launches() const;
  /// Checks and copies what the user gave. Collective.
  void take_near_nullspace(const Space& exec, const ConstVectors& vectors);
  /// Makes room in M for k columns on this process and sends nothing; 0: what there is may not be
  /// there on all.
  void make_room(const Space& exec, std::size_t k);
  /// What methods iterate on; it points into the state.
  System<Space> system();
  /// What this process has sent so far, by level. To the finest one counts all that no other level
  /// has sent, such as what setup and the method did.
  std::vector<Traffic> counted() const;
  /// What all processes send in one application of M to zeros, by level. Collective.
  std::vector<Traffic> cycle_traffic_by_level(const Space& exec);
};

}  // namespace tessera::distributed
