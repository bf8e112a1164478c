// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Problems of the gallery in shares.
#pragma once

#include "support/all_processes.hpp"
#include "support/error_of.hpp"
#include "tessera/distributed/matrix.hpp"
#include "tessera/distributed/partition.hpp"
#include "tessera/distributed/solver.hpp"
#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace tessera::test {

using Space = DeviceSpace;
using DistributedSolver = distributed::Solver<Space>;
using Vectors = MultiVector<double, Space>;

inline int num_processes() { return all_processes()->size(); }
inline int process() { return all_processes()->rank(); }

template <class T>
Array<T, Space> on_device(const std::vector<T>& given) {
  const Array<T, Space> copy("given", given.size());
  const auto host = Kokkos::create_mirror_view(copy);
  std::copy(given.begin(), given.end(), host.data());
  Kokkos::deep_copy(copy, host);
  return copy;
}

inline std::vector<double> on_host(const Vectors& v) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  return {host.data(), host.data() + host.size()};
}

/// This process's rows of a matrix, on the host.
struct HostShare {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;

  int num_rows() const { return static_cast<int>(offsets.size()) - 1; }
  void push(std::int64_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(columns.size())); }
};

/// The same where a solver takes it.
struct Share {
  Array<std::int64_t, Space> offsets;
  Array<std::int64_t, Space> columns;
  Array<double, Space> values;

  explicit Share(const HostShare& given)
      : offsets(on_device(given.offsets)),
        columns(on_device(given.columns)),
        values(on_device(given.values)) {}
  distributed::ShareOfRows<Space> rows() const { return {offsets, columns, values}; }
};

/// How many of `rows` nodes each process has: of the first one half as many as of the others, so
/// that shares cut through lines and aggregates.
inline RowRange odd_share(int nodes, int processes, int rank) {
  const auto begin = [&](int p) {
    return p == 0 ? 0
                  : static_cast<int>((2 * p - 1) * static_cast<std::int64_t>(nodes) /
                                     (2 * processes - 1));
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

/// Every second process has no rows, but for a last one that is left over.
inline RowRange share_of_pairs(int nodes, int processes, int rank) {
  const auto begin = [&](int p) {
    return p >= processes
               ? nodes
               : static_cast<int>(p / 2 * 2 * static_cast<std::int64_t>(nodes) / processes);
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

/// One node, then one more than that, and so on; the last process has the rest.
inline RowRange growing_share(int nodes, int processes, int rank) {
  const auto begin = [&](int p) {
    return p >= processes ? nodes : std::min(nodes, p * (p + 1) / 2);
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

/// A problem's rows on one of some processes.
struct SharedProblem {
  Problem<double, HostSpace, std::int64_t> own;
  HostShare host;

  SharedProblem(const GalleryParameters& parameters, int processes, int rank,
                RowRange (*share)(int, int, int) = odd_share) {
    const HostSpace exec;
    own = make_problem_rows<double, HostSpace, std::int64_t>(exec, parameters, {0, 0});
    const int block = own.block_size;
    RowRange range = share(own.A.num_cols / block, processes, rank);
    range.first *= block;
    range.count *= block;
    own = make_problem_rows<double, HostSpace, std::int64_t>(exec, parameters, range);
    exec.fence("tessera::test::SharedProblem");
    for (Ordinal i = 0; i < own.A.num_rows; ++i) {
      for (auto e = own.A.offsets(i); e < own.A.offsets(i + 1); ++e)
        host.push(own.A.columns(e), own.A.values(e));
      host.end_row();
    }
    first = range.first;
  }
  /// Of all processes that the test runs on.
  explicit SharedProblem(const GalleryParameters& parameters)
      : SharedProblem(parameters, num_processes(), process()) {}

  Vectors vectors_of(const MultiVector<double, HostSpace>& v) const {
    const Vectors copy("vectors", v.extent(0), v.extent(1));
    Kokkos::deep_copy(copy, v);
    return copy;
  }
  Vectors near_nullspace() const { return vectors_of(own.near_nullspace); }
  Vectors b() const { return vectors_of(own.b); }
  int num_rows() const { return own.A.num_rows; }

  std::int64_t first = 0;
};

/// Jacobi for flows, of which factors within each process would be picked: iterations by these
/// depend on how rows are shared out.
inline void relax_all_rows(distributed::Parameters& p, const GalleryParameters& gallery) {
  if (gallery.problem == ProblemKind::convdiff2d || gallery.problem == ProblemKind::convdiff3d)
    p.solve.amg.smoother.type = SmootherType::jacobi;
}

/// sin(1 + 3.7 i + j) of row i and column j of all.
inline Vectors waves(std::int64_t first, int rows, int columns = 1) {
  const Vectors v("waves", rows, columns);
  const auto host = Kokkos::create_mirror_view(v);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      host(i, j) = std::sin(1 + 3.7 * static_cast<double>(first + i) + j);
  Kokkos::deep_copy(v, host);
  return v;
}

inline Vectors zeros(int rows, int columns = 1) { return Vectors("zeros", rows, columns); }

/// The largest | a - b | over all processes relative to the largest | b |; b's first row is row
/// `first` of `whole`.
inline double distance(const Vectors& a, std::int64_t first, const std::vector<double>& whole) {
  const auto own = on_host(a);
  double numbers[] = {0, 0};
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double expected = whole[static_cast<std::size_t>(first) + i];
    numbers[0] = std::max(numbers[0], std::abs(own[i] - expected));
    numbers[1] = std::max(numbers[1], std::abs(expected));
  }
  all_processes()->maximum(numbers);
  return numbers[1] > 0 ? numbers[0] / numbers[1] : numbers[0];
}

}  // namespace tessera::test
