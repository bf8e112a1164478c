// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/system.hpp"

#include "app/gallery_options.hpp"
#include "app_tpetra/together.hpp"
#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/instantiate.hpp"

#include <fmt/format.h>
#include <MatrixMarket_Tpetra.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tessera::app_tpetra {
namespace {

using Map = Matrix::map_type;
using GlobalOrdinal = Matrix::global_ordinal_type;
using Comm = Teuchos::RCP<const Teuchos::Comm<int>>;
using Reader = Tpetra::MatrixMarket::Reader<Matrix>;

/// Equal shares of whole nodes, one after the other.
Teuchos::RCP<const Map> equal_shares(const Comm& processes, std::int64_t rows, int block_size) {
  const std::int64_t nodes = rows / block_size;
  const std::int64_t size = processes->getSize();
  const std::int64_t rank = processes->getRank();
  const std::int64_t own = nodes / size + (rank < nodes % size ? 1 : 0);
  return Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(rows),
                              static_cast<std::size_t>(own * block_size), 0, processes));
}

/// Rows from `first` of `A` on, or all of A where it has no more, as this process's part.
Teuchos::RCP<Matrix> spread(const kernels::Csr<double, HostSpace>& A, std::int64_t first,
                            const Teuchos::RCP<const Map>& map) {
  const auto own = static_cast<Ordinal>(map->getLocalNumElements());
  Teuchos::ArrayRCP<std::size_t> lengths(static_cast<std::size_t>(own));
  for (Ordinal i = 0; i < own; ++i)
    lengths[i] = static_cast<std::size_t>(A.offsets(first + i + 1) - A.offsets(first + i));
  const auto matrix = Teuchos::rcp(new Matrix(map, lengths()));
  std::vector<GlobalOrdinal> columns;
  for (Ordinal i = 0; i < own; ++i) {
    const auto begin = A.offsets(first + i);
    columns.assign(A.columns.data() + begin, A.columns.data() + A.offsets(first + i + 1));
    matrix->insertGlobalValues(map->getGlobalElement(i), static_cast<int>(columns.size()),
                               A.values.data() + begin, columns.data());
  }
  return matrix;
}

Teuchos::RCP<Vectors> spread(const MultiVector<double, HostSpace>& v, std::int64_t first,
                             const Teuchos::RCP<const Map>& map) {
  const auto vectors = Teuchos::rcp(new Vectors(map, v.extent(1)));
  const auto local = vectors->getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (std::size_t i = 0; i < local.extent(0); ++i)
    for (std::size_t j = 0; j < local.extent(1); ++j)
      local(i, j) = v(first + static_cast<std::int64_t>(i), j);
  return vectors;
}

/// Calls `make` for a problem of the gallery, whose parameters are options of the command line.
template <class Make>
auto with_usage_errors(const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::configuration) throw app::UsageError(error.what());
    throw;
  }
}

/// Problems on grids of points by the rows of each process, others whole on each.
System generate(const Comm& processes, const Options& options, app::ProblemReport& report) {
  const HostSpace exec;
  GalleryParameters parameters;
  Problem<double, HostSpace> problem;
  Ordinal grid_rows = 0;
  together(*processes, [&] {
    parameters = app::gallery_parameters(options.problem);
    parameters.seed = options.seed;
    with_usage_errors([&] {
      grid_rows = num_grid_rows(parameters);
      if (grid_rows == 0) problem = make_problem<double, HostSpace>(exec, parameters);
    });
    exec.fence("tessera::app_tpetra::generate");
  });
  const bool by_rows = grid_rows > 0;
  const auto map = equal_shares(processes, by_rows ? grid_rows : problem.A.num_rows,
                                by_rows ? 1 : problem.block_size);
  const auto count = static_cast<Ordinal>(map->getLocalNumElements());
  auto first = count > 0 ? static_cast<Ordinal>(map->getMinGlobalIndex()) : 0;
  System system;
  together(*processes, [&] {
    // A process without rows makes the first one, for what is said of the problem.
    if (by_rows)
      problem = make_problem_rows<double, HostSpace>(exec, parameters,
                                                     {first, std::max(Ordinal(1), count)});
    exec.fence("tessera::app_tpetra::generate");
    if (by_rows) first = 0;
    system.A = spread(problem.A, first, map);
  });
  system.A->fillComplete();
  report.description = problem.description;
  system.block_size = problem.block_size;
  system.b = spread(problem.b, first, map);
  if (problem.near_nullspace.extent(1) > 1)
    system.vectors = spread(problem.near_nullspace, first, map);
  return system;
}

/// Process 0 says whether it can read the file, before all of them try.
void check_readable(const Comm& processes, const std::string& path) {
  together(*processes, [&] {
    if (processes->getRank() == 0 && !std::ifstream(path))
      throw Error(ErrorKind::io, path + ": cannot be opened");
  });
}

/// Throws where the file holds fewer entries than its size line says, which Trilinos's reader does
/// not notice.
void check_whole(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  bool coordinate = false;
  while (std::getline(file, line) && (line.empty() || line.front() == '%'))
    coordinate = coordinate || line.find("coordinate") != std::string::npos;
  std::istringstream sizes(line);
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;
  if (!coordinate || !(sizes >> rows >> columns >> entries)) return;
  std::int64_t found = 0;
  while (std::getline(file, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos && line.front() != '%') ++found;
  if (found < entries)
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: the file ends after {} of {} entries", path, found, entries));
}

/// What Trilinos throws, as bad input that names the file.
template <class Work>
auto naming(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    throw Error(ErrorKind::bad_input, path + ": " + error.what());
  }
}

System read(const Comm& processes, const Options& options) {
  check_readable(processes, options.matrix);
  together(*processes, [&] {
    if (processes->getRank() == 0) check_whole(options.matrix);
  });
  System system;
  together(*processes, [&] {
    system.A =
        naming(options.matrix, [&] { return Reader::readSparseFile(options.matrix, processes); });
    const auto rows = system.A->getGlobalNumRows();
    const auto columns = system.A->getGlobalNumCols();
    if (rows != columns || !system.A->getDomainMap()->isSameAs(*system.A->getRowMap()))
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: the matrix is {} x {}; expected a square one", options.matrix,
                              rows, columns));
  });
  return system;
}

/// splitmix64 (Steele, Lea & Flood, 2014) of each row and column, from `first_column` on: the same
/// for any number of processes.
void fill_random(Vectors& b, int seed, std::size_t first_column) {
  const auto local = b.getLocalViewHost(Tpetra::Access::ReadWrite);
  const auto& map = *b.getMap();
  const auto rows = static_cast<std::uint64_t>(b.getGlobalLength());
  for (std::size_t j = first_column; j < local.extent(1); ++j) {
    for (std::size_t i = 0; i < local.extent(0); ++i) {
      const auto row = static_cast<std::uint64_t>(map.getGlobalElement(static_cast<int>(i)));
      std::uint64_t z = (static_cast<std::uint64_t>(seed) + row + j * rows) * 0x9E3779B97F4A7C15ull;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
      z ^= z >> 31;
      local(i, j) = static_cast<double>(z >> 11) * (2.0 / 9007199254740992.0) - 1.0;
    }
  }
}

/// What --rhs names. `own` is the problem's; null for a file.
Teuchos::RCP<Vectors> given_columns(const Comm& processes, const Options& options, const Matrix& A,
                                    const Teuchos::RCP<Vectors>& own, app::SolveReport& report) {
  const auto map = A.getRowMap();
  report.problem.rhs = options.rhs;
  if (options.rhs == "problem" && !own.is_null()) return own;
  const auto b = Teuchos::rcp(new Vectors(map, 1));
  if (options.rhs == "problem" || options.rhs == "ones") {
    if (options.rhs == "problem") {
      report.problem.rhs = "ones";
      report.picks.push_back("right-hand side: all ones, because the file holds none");
    }
    b->putScalar(1);
    return b;
  }
  if (options.rhs == "random") {
    fill_random(*b, options.seed, 0);
    return b;
  }
  check_readable(processes, options.rhs);
  Teuchos::RCP<Vectors> given;
  together(*processes, [&] {
    Teuchos::RCP<const Map> rows = map;
    given =
        naming(options.rhs, [&] { return Reader::readDenseFile(options.rhs, processes, rows); });
  });
  return given;
}

/// Adds random columns up to --nrhs.
Teuchos::RCP<Vectors> right_hand_sides(const Comm& processes, const Options& options,
                                       const Teuchos::RCP<Vectors>& given) {
  const std::size_t known = given->getNumVectors();
  const std::size_t wanted =
      options.num_rhs == 0 ? known : static_cast<std::size_t>(options.num_rhs);
  together(*processes, [&] {
    if (wanted < known)
      throw app::UsageError(
          fmt::format("--nrhs {}: {} has {} columns", wanted, options.rhs, known));
  });
  if (wanted == known) return given;
  const auto b = Teuchos::rcp(new Vectors(given->getMap(), wanted));
  Tpetra::deep_copy(*b->subViewNonConst(Teuchos::Range1D(0, static_cast<int>(known) - 1)), *given);
  fill_random(*b, options.seed, known);
  return b;
}

}  // namespace

System load(const Comm& processes, const Options& options, app::SolveReport& report) {
  const Kokkos::Timer timer;
  app::ProblemReport& problem = report.problem;
  problem.generated = options.matrix.empty();
  problem.name = problem.generated ? options.problem.name : options.matrix;
  System system =
      problem.generated ? generate(processes, options, problem) : read(processes, options);
  system.b = right_hand_sides(processes, options,
                              given_columns(processes, options, *system.A, system.b, report));
  if (options.block_size > 0) system.block_size = options.block_size;
  problem.rows = static_cast<std::int64_t>(system.A->getGlobalNumRows());
  problem.entries = static_cast<std::int64_t>(system.A->getGlobalNumEntries());
  problem.seed = options.seed;
  problem.num_rhs = static_cast<int>(system.b->getNumVectors());
  problem.candidates =
      system.vectors.is_null() ? 0 : static_cast<int>(system.vectors->getNumVectors());
  problem.load_ms = timer.seconds() * 1e3;
  return system;
}

}  // namespace tessera::app_tpetra
