// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/system.hpp"

#include "app/settings.hpp"
#include "app_tpetra/together.hpp"
#include "tessera/gallery/problem_rows.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/tpetra/gallery_problem.hpp"

#include <fmt/format.h>
#include <MatrixMarket_Tpetra.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace tessera::app_tpetra {
namespace {

using Map = Matrix::map_type;
using Comm = Teuchos::RCP<const Teuchos::Comm<int>>;
using Reader = Tpetra::MatrixMarket::Reader<Matrix>;

/// Each process its own rows.
System generate(const Comm& processes, const Options& options, app::ProblemReport& report) {
  GalleryParameters parameters;
  together(*processes, [&] {
    parameters = app::gallery_parameters(options.problem);
    parameters.seed = options.seed;
    try {
      num_problem_rows(parameters);
    } catch (const Error& error) {
      throw app::UsageError(error.what());  // they are options of the command line
    }
  });
  tpetra::GalleryProblem problem;
  together(*processes, [&] { problem = tpetra::make_gallery_problem(processes, parameters); });
  report.description = problem.description;
  System system;
  system.A = problem.A;
  system.b = problem.b;
  system.block_size = problem.block_size;
  if (problem.near_nullspace->getNumVectors() > 1) system.vectors = problem.near_nullspace;
  return system;
}

/// Process 0 says whether it can read the file, before all of them try. It is read more than once,
/// which a pipe cannot be.
void check_readable(const Comm& processes, const std::string& path) {
  together(*processes, [&] {
    if (processes->getRank() != 0) return;
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      throw Error(ErrorKind::bad_input, path + ": not a regular file");
    if (!std::ifstream(path)) throw Error(ErrorKind::io, path + ": cannot be opened");
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
  const auto named = given_columns(processes, options, *system.A, system.b, report);
  system.b = right_hand_sides(processes, options, named);
  if (options.block_size > 0) system.block_size = options.block_size;
  problem.rows = static_cast<std::int64_t>(system.A->getGlobalNumRows());
  problem.entries = static_cast<std::int64_t>(system.A->getGlobalNumEntries());
  problem.seed = options.seed;
  problem.num_rhs = static_cast<int>(system.b->getNumVectors());
  problem.num_random_rhs = problem.num_rhs - static_cast<int>(named->getNumVectors());
  problem.near_nullspace =
      system.vectors.is_null() ? 0 : static_cast<int>(system.vectors->getNumVectors());
  problem.load_ms = timer.seconds() * 1e3;
  return system;
}

}  // namespace tessera::app_tpetra
