// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_mpi/system.hpp"

#include "app/random_number.hpp"
#include "app/solve_plan.hpp"
#include "app_mpi/matrix_shares.hpp"
#include "tessera/gallery/problem_rows.hpp"
#include "tessera/gallery/rigid_body_modes.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/operator/error.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <utility>

namespace tessera::app_mpi {
namespace {

using Problem = tessera::Problem<double, HostSpace, std::int64_t>;

Columns columns_of(const MultiVector<double, HostSpace>& vectors) {
  Columns columns{static_cast<std::int64_t>(vectors.extent(0)), vectors.extent(1), {}};
  for (std::size_t j = 0; j < vectors.extent(1); ++j)
    for (std::size_t i = 0; i < vectors.extent(0); ++i)
      columns.values.push_back(vectors(i, j));
  return columns;
}

/// How many nodes stay together: those of a line of the grid, where all lines are `n` nodes long
/// and there is one for each process; else 1.
Ordinal nodes_together(const GalleryParameters& parameters, Ordinal nodes, int processes) {
  const Ordinal n = parameters.n;
  const bool has_lines = parameter_names(parameters.problem).front() == "n" && nodes % n == 0;
  return has_lines && nodes / n >= processes ? n : 1;
}

/// Each process its own rows; the problem's right-hand side goes to `b`.
System generate(const Communicator& processes, const GalleryParameters& parameters, Columns& b,
                app::ProblemReport& report) {
  const HostSpace exec;
  System system;
  Problem own;
  const auto make = [&](const RowRange& range) {
    try {
      own = make_problem_rows<double, HostSpace, std::int64_t>(exec, parameters, range);
    } catch (const Error& error) {
      // The gallery's parameters are options of the command line.
      if (error.kind() == ErrorKind::configuration) throw app::UsageError(error.what());
      throw;
    }
    exec.fence("tessera::app_mpi::generate");
  };
  together(processes, [&] {
    make({0, 0});  // what holds of all rows
    const Ordinal rows = own.A.num_cols;
    const bool by_unknown = parameters.numbering == Numbering::unknowns && own.block_size > 1;
    system.block_size = by_unknown ? 1 : own.block_size;
    const Ordinal nodes = nodes_together(parameters, rows / own.block_size, processes.size());
    system.shares =
        equal_rows(rows, processes.size(), by_unknown ? 1 : std::int64_t(nodes) * own.block_size);
    const auto count = static_cast<Ordinal>(system.shares.count(processes.rank()));
    make({count > 0 ? static_cast<Ordinal>(system.shares.first(processes.rank())) : 0, count});
    system.rows.offsets.clear();
    if (count == 0) system.rows.offsets = {0};
    for (std::size_t i = 0; i < own.A.offsets.extent(0) && count > 0; ++i)
      system.rows.offsets.push_back(own.A.offsets(i));
    const std::size_t entries = count > 0 ? own.A.num_entries() : 0;
    for (std::size_t e = 0; e < entries; ++e) {
      system.rows.columns.push_back(own.A.columns(e));
      system.rows.values.push_back(own.A.values(e));
    }
    b = columns_of(own.b);
    b.count = 1;
    if (own.near_nullspace.extent(1) > 1) system.near_nullspace = columns_of(own.near_nullspace);
    report.description = own.description;
  });
  return system;
}

Balance chosen_balance(const std::string& balance) {
  if (balance == "entries") return Balance::entries;
  if (balance.empty() || balance == "rows") return Balance::rows;
  throw app::UsageError(fmt::format("--balance {}: expected one of: rows, entries", balance));
}

/// Of the file, and where it holds one, its right-hand side in `b`.
System read(const Communicator& processes, const Options& options, app::Progress& progress,
            Columns& b) {
  const app::SolveOptions& given = options.solve;
  MatrixRequest request;
  request.path = given.matrix;
  request.sum_duplicates = given.sum_duplicates;
  request.threads = HostSpace().concurrency();
  request.rows_of_node = given.block_size;
  request.progress = [&progress](std::int64_t done, std::int64_t all) {
    progress.detail(fmt::format("{} of {} entries", done, all));
  };
  // Nodes of two or three unknowns, as coordinates say.
  if (!given.coordinates.empty() && given.block_size == 0) request.rows_of_node = 6;
  together(processes, [&] { request.balance = chosen_balance(options.balance); });
  MatrixShare share = read_matrix_share(processes, request);
  System system;
  system.shares = std::move(share.shares);
  system.rows = std::move(share.rows);
  system.block_size = given.block_size;
  b = {system.shares.count(processes.rank()), share.rhs_columns, std::move(share.rhs)};
  return system;
}

Columns read_columns(const std::string& path) {
  return columns_of(read_vector<double>(HostSpace(), path));
}

/// Random columns from `b.count` on up to `wanted`.
void add_random(const RowShares& shares, int rank, int seed, std::size_t wanted, Columns& b) {
  const auto first = static_cast<std::uint64_t>(shares.first(rank));
  for (std::size_t j = b.count; j < wanted; ++j)
    for (std::int64_t i = 0; i < b.rows; ++i)
      b.values.push_back(app::random_number(static_cast<std::uint64_t>(seed),
                                            first + static_cast<std::uint64_t>(i), j));
  b.count = wanted;
}

/// What --rhs names; `own` is the problem's or the file's, without columns where there is none.
Columns given_columns(const Communicator& processes, const app::SolveOptions& options,
                      const RowShares& shares, Columns own, app::SolveReport& report) {
  report.problem.rhs = options.rhs;
  if (options.rhs == "problem" && own.count > 0) return own;
  Columns b{shares.count(processes.rank()), 0, {}};
  if (options.rhs == "problem" || options.rhs == "ones") {
    if (options.rhs == "problem") {
      report.problem.rhs = "ones";
      report.picks.push_back("right-hand side: all ones, because the file holds none");
    }
    b.count = 1;
    b.values.assign(static_cast<std::size_t>(b.rows), 1.0);
    return b;
  }
  if (options.rhs == "random") {
    add_random(shares, processes.rank(), options.seed, 1, b);
    return b;
  }
  return scattered_from(processes, shares, "--rhs", options.rhs,
                        [&] { return read_columns(options.rhs); });
}

/// What --near-nullspace, --coordinates and --block-size say beyond the source.
void read_near_nullspace(const Communicator& processes, const app::SolveOptions& options,
                         System& system) {
  if (options.block_size > 0) system.block_size = options.block_size;
  if (!options.near_nullspace.empty())
    system.near_nullspace =
        scattered_from(processes, system.shares, "--near-nullspace", options.near_nullspace,
                       [&] { return read_columns(options.near_nullspace); });
  if (!options.coordinates.empty()) {
    double dimension = 0;
    system.near_nullspace =
        scattered_from(processes, system.shares, "--coordinates", options.coordinates, [&] {
          const auto places = read_vector<double>(HostSpace(), options.coordinates);
          const std::size_t d = places.extent(1);
          if (d != 2 && d != 3)
            throw Error(ErrorKind::bad_input,
                        fmt::format("--coordinates {}: {} columns; expected 2 or 3",
                                    options.coordinates, d));
          dimension = static_cast<double>(d);
          return columns_of(rigid_body_modes<double>(HostSpace(), places));
        });
    system.block_size = static_cast<int>(processes.maximum_of(dimension));
  }
  together(processes, [&] {
    if (system.block_size > 0 && system.shares.all() % system.block_size != 0)
      throw Error(ErrorKind::bad_input,
                  fmt::format("--block-size {}: the matrix's {} rows are not a multiple of it",
                              system.block_size, system.shares.all()));
  });
}

}  // namespace

System load_system(const distributed::Communicator& processes, const Options& options,
                   const std::optional<GalleryParameters>& gallery, app::Progress& progress,
                   app::SolveReport& report) {
  const app::SolveOptions& given = options.solve;
  const Kokkos::Timer timer;
  app::ProblemReport& problem = report.problem;
  problem.generated = gallery.has_value();
  problem.name = gallery ? given.problem.name : given.matrix;
  progress.start((gallery ? "generating " : "reading ") + problem.name);
  Columns own;
  System system = gallery ? generate(processes, *gallery, own, problem)
                          : read(processes, options, progress, own);
  problem.load_ms = timer.seconds() * 1e3;
  system.b = given_columns(processes, given, system.shares, std::move(own), report);
  const std::size_t named = system.b.count;
  together(processes, [&] {
    const std::size_t wanted =
        given.num_rhs == 0 ? system.b.count : static_cast<std::size_t>(given.num_rhs);
    if (wanted < system.b.count)
      throw app::UsageError(
          fmt::format("--nrhs {}: {} has {} columns", wanted, given.rhs, system.b.count));
    add_random(system.shares, processes.rank(), given.seed, wanted, system.b);
  });
  read_near_nullspace(processes, given, system);
  problem.rows = system.shares.all();
  problem.entries = processes.sum_of(static_cast<std::int64_t>(system.rows.values.size()));
  problem.seed = given.seed;
  problem.num_rhs = static_cast<int>(system.b.count);
  problem.num_random_rhs = static_cast<int>(system.b.count - named);
  problem.near_nullspace = static_cast<int>(system.near_nullspace.count);
  return system;
}

}  // namespace tessera::app_mpi
