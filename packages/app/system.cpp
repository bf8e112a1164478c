// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/system.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "app/random_number.hpp"
#include "frontend/near_nullspace.hpp"
#include "tessera/io/matrix_file.hpp"
#include "tessera/io/vector.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/error.hpp"

namespace tessera::app {

namespace {

/// What a matrix brings along, whether it came from a file or from the gallery.
template <class Scalar, class Space, class Offset>
struct Source {
  System<Scalar, Space, Offset> system;
  std::optional<MultiVector<Scalar, Space>> own_rhs;
};

/// Fills columns from `first` on.
template <class Scalar, class Space>
struct FillRandom {
  MultiVector<Scalar, Space> b;
  std::uint64_t seed;
  std::size_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (std::size_t j = first; j < b.extent(1); ++j)
      b(i, j) = static_cast<Scalar>(random_number(seed, static_cast<std::uint64_t>(i), j));
  }
};

template <class Scalar, class Space>
void fill_random(const Space& exec, const MultiVector<Scalar, Space>& b, int seed,
                 std::size_t first) {
  Kokkos::parallel_for(
      "tessera::app::fill_random",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, b.extent(0)),
      FillRandom<Scalar, Space>{b, static_cast<std::uint64_t>(seed), first});
}

template <class Scalar, class Space, class Offset>
Source<Scalar, Space, Offset> generate(const Space& exec, const GalleryParameters& parameters,
                                       ProblemReport& report) {
  Problem<Scalar, Space, Offset> problem;
  try {
    problem = make_problem<Scalar, Space, Offset>(exec, parameters);
  } catch (const Error& error) {
    // The gallery's parameters are options of the command line.
    if (error.kind() == ErrorKind::configuration) throw UsageError(error.what());
    throw;
  }
  exec.fence("tessera::app::generate");
  report.description = problem.description;
  return {{problem.A, {}, problem.near_nullspace, problem.block_size, {}}, problem.b};
}

template <class Scalar, class Space, class Offset>
Source<Scalar, Space, Offset> read(const Space& exec, const SolveOptions& options,
                                   Progress& progress) {
  ReadOptions how;
  how.duplicates = options.sum_duplicates ? Duplicates::sum : Duplicates::error;
  how.progress = [&progress](std::size_t done, std::size_t all) {
    if (all > 0)
      progress.detail(
          fmt::format("{:.0f}%", 100.0 * static_cast<double>(done) / static_cast<double>(all)));
  };
  auto file = read_matrix<Scalar, Offset>(exec, options.matrix, how);
  if (file.A.num_rows != file.A.num_cols) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: the matrix is {} x {}; expected a square one", options.matrix,
                            file.A.num_rows, file.A.num_cols));
  }
  return {{file.A, {}, {}, 0, {}}, file.rhs};
}

/// Throws unless a file's vectors have a row for each row of the matrix.
void check_rows(const char* option, const std::string& path, std::size_t rows, Ordinal expected) {
  if (rows == static_cast<std::size_t>(expected)) return;
  throw Error(ErrorKind::bad_input, fmt::format("{} {}: {} rows; expected {}, as the matrix has",
                                                option, path, rows, expected));
}

/// The columns of --rhs FILE, whatever their magnitudes.
template <class Scalar, class Space>
MultiVector<Scalar, Space> read_rhs(const Space& exec, const std::string& path,
                                    std::vector<int>& exponents) {
  if constexpr (std::is_same_v<Scalar, double>) {
    return read_vector<Scalar>(exec, path);
  } else {
    constexpr int most = 100;  // within 2^±126
    const auto given = read_vector<double>(exec, path);
    const std::size_t k = given.extent(1);
    const auto largest = kernels::allocate_report<double>(exec, "tessera::app::magnitudes", k);
    kernels::column_magnitudes<double, Space>(exec, given, largest);
    exec.fence("tessera::app::magnitudes");
    std::vector<int> down(k, 0);
    for (std::size_t j = 0; j < k; ++j) {
      if (!(largest(j) > 0) || !std::isfinite(largest(j))) continue;
      const int exponent = std::ilogb(largest(j));
      if (std::abs(exponent) <= most) continue;
      exponents.resize(k, 0);
      exponents[j] = exponent;
      down[j] = -exponent;
    }
    kernels::scale_columns<double, Space>(exec, down, given, given);
    const auto b = allocate_multivector<Scalar>(exec, "tessera::app::b", given.extent(0), k);
    kernels::copy(exec, ConstMultiVectorView<double, Space>(given),
                  MultiVectorView<Scalar, Space>(b));
    exec.fence("tessera::app::read_rhs");
    return b;
  }
}

/// The columns that --rhs gives; at least one.
template <class Scalar, class Space>
MultiVector<Scalar, Space> given_columns(const Space& exec, const SolveOptions& options, Ordinal n,
                                         const std::optional<MultiVector<Scalar, Space>>& own,
                                         ProblemReport& report, std::vector<std::string>& picks,
                                         std::vector<int>& exponents) {
  report.rhs = options.rhs;
  if (options.rhs == "problem" && own) return *own;
  if (options.rhs == "problem" || options.rhs == "ones") {
    if (options.rhs == "problem") {
      report.rhs = "ones";
      picks.push_back("right-hand side: all ones, because the file holds none");
    }
    auto b = allocate_multivector<Scalar>(exec, "tessera::app::b", n);
    Kokkos::deep_copy(exec, b, Scalar(1));
    return b;
  }
  if (options.rhs == "random") {
    auto b = allocate_multivector<Scalar>(exec, "tessera::app::b", n);
    fill_random(exec, b, options.seed, 0);
    return b;
  }
  const auto b = read_rhs<Scalar>(exec, options.rhs, exponents);
  check_rows("--rhs", options.rhs, b.extent(0), n);
  if (b.extent(1) == 0) {
    throw Error(ErrorKind::bad_input,
                fmt::format("--rhs {}: no columns; expected at least one", options.rhs));
  }
  return b;
}

/// Adds random columns up to --nrhs.
template <class Scalar, class Space>
MultiVector<Scalar, Space> right_hand_sides(const Space& exec, const SolveOptions& options,
                                            const MultiVector<Scalar, Space>& given) {
  const std::size_t wanted =
      options.num_rhs == 0 ? given.extent(1) : static_cast<std::size_t>(options.num_rhs);
  if (wanted == given.extent(1)) return given;
  if (wanted < given.extent(1)) {
    throw UsageError(
        fmt::format("--nrhs {}: {} has {} columns", wanted, options.rhs, given.extent(1)));
  }
  auto b = allocate_multivector<Scalar>(exec, "tessera::app::b", given.extent(0), wanted);
  const std::pair<std::size_t, std::size_t> first(0, given.extent(1));
  Kokkos::deep_copy(exec, Kokkos::subview(b, Kokkos::ALL, first), given);
  fill_random(exec, b, options.seed, given.extent(1));
  return b;
}

/// What --near-nullspace, --coordinates and --block-size say beyond the source.
template <class Scalar, class Space, class Offset>
void read_near_nullspace(const Space& exec, const SolveOptions& options,
                         System<Scalar, Space, Offset>& system) {
  if (options.block_size > 0) system.block_size = options.block_size;
  if (!options.near_nullspace.empty()) {
    system.near_nullspace = read_vector<Scalar>(exec, options.near_nullspace);
    check_rows("--near-nullspace", options.near_nullspace, system.near_nullspace.extent(0),
               system.A.num_rows);
  }
  if (!options.coordinates.empty()) {
    const auto coordinates = read_vector<Scalar>(exec, options.coordinates);
    system.near_nullspace = frontend::rigid_body_modes_of(exec, system.A.view(), coordinates,
                                                          "--coordinates", options.coordinates);
    system.block_size = static_cast<int>(coordinates.extent(1));
  }
  if (system.block_size > 0 && system.A.num_rows % system.block_size != 0) {
    throw Error(ErrorKind::bad_input,
                fmt::format("--block-size {}: the matrix's {} rows are not a multiple of it",
                            system.block_size, system.A.num_rows));
  }
}

}  // namespace

template <class Scalar, class Space, class Offset>
System<Scalar, Space, Offset> load_system(const Space& exec, const SolveOptions& options,
                                          const std::optional<GalleryParameters>& gallery,
                                          Progress& progress, ProblemReport& report,
                                          std::vector<std::string>& picks) {
  const Kokkos::Timer timer;
  report.generated = gallery.has_value();
  report.name = gallery ? options.problem.name : options.matrix;
  progress.start((gallery ? "generating " : "reading ") + report.name);
  auto source = gallery ? generate<Scalar, Space, Offset>(exec, *gallery, report)
                        : read<Scalar, Space, Offset>(exec, options, progress);
  report.load_ms = timer.seconds() * 1e3;
  System<Scalar, Space, Offset>& system = source.system;
  const auto given = given_columns<Scalar, Space>(exec, options, system.A.num_rows, source.own_rhs,
                                                  report, picks, system.exponents);
  system.b = right_hand_sides<Scalar, Space>(exec, options, given);
  if (!system.exponents.empty()) system.exponents.resize(system.b.extent(1), 0);
  read_near_nullspace(exec, options, system);
  report.rows = system.A.num_rows;
  report.entries = static_cast<std::int64_t>(system.A.num_entries());
  report.seed = options.seed;
  report.num_rhs = static_cast<int>(system.b.extent(1));
  report.num_random_rhs = report.num_rhs - static_cast<int>(given.extent(1));
  report.near_nullspace = static_cast<int>(system.near_nullspace.extent(1));
  exec.fence("tessera::app::load_system");
  return system;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, load_system)

}  // namespace tessera::app
