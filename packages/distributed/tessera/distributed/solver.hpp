// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way in: a Krylov method with multigrid for a matrix whose rows are shared out.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/distributed/communicator.hpp"
#include "tessera/distributed/parameters.hpp"
#include "tessera/distributed/rows_in_parts.hpp"
#include "tessera/distributed/traffic.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solve/memory_forecast.hpp"
#include "tessera/solver/logger.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::distributed {

/// The rows of one process in compressed form: row i has the entries from offsets(i) up to
/// offsets(i + 1). Columns are numbered through over all processes, as rows are: those of process 0
/// come first, those of process 1 follow. A row has each column once, in any order.
template <class Space>
struct ShareOfRows {
  ArrayView<const std::int64_t, Space> offsets;  ///< n + 1; nothing stands for no rows
  ArrayView<const std::int64_t, Space> columns;
  ArrayView<const double, Space> values;
};

/// Solves A x = b, each process having contiguous rows of A, b and x: any number of them, none
/// included. In double.
///
/// All calls but those of `const` functions are collective over the communicator. Where one process
/// finds something wrong, all throw, with its message: none waits for one that has left. How a
/// solve ends is the same on all of them.
///
/// @code
/// tessera::distributed::Solver<Space> solver(tessera::distributed::mpi_communicator(comm));
/// solver.setup(exec, rows);
/// const tessera::SolveResult result = solver.solve(exec, b, x);
/// @endcode
template <class Space>
class Solver {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// @throws Error of kind `configuration` for what there is not on several processes, and where a
  ///         parameter is out of its range.
  explicit Solver(std::shared_ptr<const Communicator> processes, const Parameters& parameters = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Copies the rows and sets up the preconditioner. `near_nullspace`: this process's part of the
  /// near-nullspace vectors, n by m, the same m <= 10 on all processes; without, a unit vector for
  /// each unknown of a node.
  /// @throws Error on all processes for rows that are not as they should be, a NaN among the
  ///         values, and as `tessera::Solver::setup` does; of kind `out_of_memory` where
  ///         `max_memory_mb`, which each process has, is less than some process needs.
  void setup(const Space& exec, const ShareOfRows<Space>& rows,
             const ConstVectors& near_nullspace = {});

  /// The same of rows in two parts, which are read where they lie. Their arrays, with those of the
  /// values, have to stay as they are until the next setup or update or the solver's end:
  ///
  /// - Products with A, outside multigrid and on its finest level, share them, but where a format,
  ///   a scalar other than double, `reproducible` or a smoother asks for another form.
  /// - Setup needs whole rows whose columns ascend. Where nothing couples this process to others
  ///   and its rows ascend, these are the same arrays; else a copy of columns and values is made.
  ///   With `amg.reuse` = `none` it is gone when setup ends; else levels keep it, and updates write
  ///   new values into its pattern.
  /// - With `amg.reuse` = `hierarchy` levels outlive the values that they were made of, so that
  ///   they share nothing.
  ///
  /// - Where the host's memory is the device's, `ghosts` and the list of what is sent are shared,
  ///   too, and copied where `amg.reuse` is not `none`: levels keep them then.
  ///
  /// Lists of neighbours and of what is sent are taken over where they are given, else worked out.
  /// @throws Error as for whole rows; also for parts, ghosts or lists that do not fit together
  void setup_parts(const Space& exec, const RowsInParts<Space>& rows,
                   const ConstVectors& near_nullspace = {});

  /// What `setup` of these rows and a solve for one right-hand side are expected to take of this
  /// process's memory beside the arrays of A, b and x, the copy that setup makes of the rows being
  /// included. Sets up a piece of the rows on all processes; where these would have sparse factors,
  /// gathers and orders all rows. Collective. Waits for `exec`.
  /// @throws Error of kind `configuration` where factors that were asked for cannot be had
  MemoryForecast forecast_memory(const Space& exec, const ShareOfRows<Space>& rows,
                                 const ConstVectors& near_nullspace = {}) const;

  /// Solves from the guess in x. b and x: this process's n rows by k, the same k on all processes,
  /// and they do not overlap.
  SolveResult solve(const Space& exec, const ConstVectors& b, const Vectors& x);

  /// z = M r: the preconditioner once from the guess zero, for a method that is somebody else's.
  /// r and z as b and x of `solve`, which nobody compares with those of other processes here. Waits
  /// for `exec`.
  void apply_preconditioner(const Space& exec, const ConstVectors& r, const Vectors& z);

  /// Takes new values in the pattern of `setup`, in the order of its entries. `amg.reuse` says what
  /// of the hierarchy is kept. @throws Error as `setup` does; another update may succeed then.
  void update_values(const Space& exec, const ArrayView<const double, Space>& values);

  /// The same after `setup_parts`, of rows whose arrays may be others by now: from here on
  /// these are shared, and those of before are not read. `halo` is looked at where lists are
  /// shared.
  /// @throws Error also for another number of rows or entries and for other ghosts; whether the
  ///         pattern is that of setup is for `has_pattern` to say
  void update_parts(const Space& exec, const RowsInParts<Space>& rows);
  /// Whether the matrix's list of what is sent is the one that was given, as `setup_parts` says;
  /// the same on all processes.
  bool shares_exports() const;
  /// That list lies elsewhere from now on, with the same entries; those before are not read again.
  /// Does nothing where it is not shared. On this process alone.
  void move_exports(const HostArray<Ordinal>& exports);
  /// Whether these parts have the pattern of the last setup, which was of parts, too: by their
  /// sizes and 128 bits of a hash, for what was shared may have been changed. On this process
  /// alone.
  bool has_pattern(const Space& exec, const RowsInParts<Space>& rows) const;

  /// The nullspace of the matrices of later setups, this process's rows by m, the same m on all
  /// processes: every vector that they take to zero, in any basis, of which a copy is kept; and,
  /// of matrices that are not symmetric, that of their transposes, the `left` one. All as in
  /// `tessera::Solver::set_nullspace`, which says what for; a View without columns on all processes
  /// forgets it. A setup throws an Error on all processes where its matrix, or its transpose, does
  /// not annihilate one of the vectors, `solver.nullspace` is neither `auto` nor `given`, or the
  /// process has another number of rows.
  /// @throws Error on all processes where these have other numbers of vectors, or a vector is all
  ///         zeros or holds a NaN or an infinity.
  void set_nullspace(const Space& exec, const ConstVectors& basis, const ConstVectors& left = {});

  /// Called on the process that has it, at the start and after every iteration: false, on any of
  /// them, stops the solve an iteration later.
  void set_logger(Logger logger);

  /// What all processes together send in one application of the preconditioner to one vector, which
  /// is one cycle of multigrid; reductions are counted once. Applies it, to zeros.
  /// @throws Error before a setup.
  Traffic cycle_traffic(const Space& exec);
  /// The same by level, from the finest to the one that is gathered, on all processes; the sum is
  /// that of `cycle_traffic`. To a level belong the messages of its smoother and residual, those of
  /// the R and P between it and the next coarser one, and those that move its vectors to fewer
  /// processes, or gather them on one, and back. Levels below the gathered one send nothing and are
  /// left out; a preconditioner without levels counts as one. @throws Error before a setup.
  std::vector<Traffic> cycle_traffic_by_level(const Space& exec);

  /// The parameters with what was picked for the method and the nullspace.
  const Parameters& parameters() const;
  /// The levels, with the rows and entries of all processes, and what was picked and why. The
  /// process that goes on with the coarsest has its levels behind them. Bytes are this process's;
  /// how a matrix is stored of which it has no rows is what the process with most of it says.
  HierarchyInfo hierarchy() const;
  /// A line for each level, with the processes that have a share in it, and where the device
  /// records iterations one on the recordings.
  std::vector<std::string> description() const;
  /// Rows of all processes.
  std::int64_t num_rows() const;
  /// Of those of other processes, how many this one's rows couple to.
  std::int64_t num_ghost_rows() const;
  double setup_ms() const;

 private:
  struct State;
  State& state() const;

  std::unique_ptr<State> m_state;
};

}  // namespace tessera::distributed
