// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices and vectors of the host in shares, and solves of them by one process and by several.
#pragma once

#include "distributed/shares.hpp"
#include "support/device.hpp"
#include "support/host_matrix.hpp"
#include "tessera/solve.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::test::shared_matrix {

using Communicator = std::shared_ptr<const distributed::Communicator>;
using ShareOfRow = RowRange (*)(int, int, int);
using Vector = std::vector<double>;

inline HostShare rows_of(const HostMatrix<double>& A, const RowRange& range) {
  HostShare own;
  for (Ordinal i = range.first; i < range.first + range.count; ++i) {
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e)
      own.push(A.columns[e], A.values[e]);
    own.end_row();
  }
  return own;
}

/// Of vectors of n rows each, one after the other.
inline Vectors rows_of(const Vector& whole, Ordinal n, const RowRange& range) {
  const std::size_t columns = n > 0 ? whole.size() / static_cast<std::size_t>(n) : 0;
  const Vectors own("own rows", range.count, columns);
  const auto host = Kokkos::create_mirror_view(own);
  for (std::size_t j = 0; j < columns; ++j)
    for (Ordinal i = 0; i < range.count; ++i)
      host(i, j) = whole[j * static_cast<std::size_t>(n) + range.first + i];
  Kokkos::deep_copy(own, host);
  return own;
}

/// A matrix in shares, with what a solver over them is given.
struct Shared {
  const HostMatrix<double>& A;
  Communicator processes = all_processes();
  RowRange range;

  explicit Shared(const HostMatrix<double>& matrix, const Communicator& all = all_processes(),
                  ShareOfRow share = odd_share)
      : A(matrix), processes(all), range(share(matrix.num_rows, all->size(), all->rank())) {}

  HostShare rows() const { return rows_of(A, range); }
  Vectors vectors(const Vector& whole) const { return rows_of(whole, A.num_rows, range); }
  /// Collective.
  double dot(const Vectors& x, int column, const Vector& whole, int other) const {
    const auto own = on_host(x);
    double sum = 0;
    for (Ordinal i = 0; i < range.count; ++i)
      sum += own[static_cast<std::size_t>(column) * range.count + i] *
             whole[static_cast<std::size_t>(other) * A.num_rows + range.first + i];
    return processes->sum_of(sum);
  }
};

struct SharedSolve {
  SolveResult result;
  Vectors x;
  RowRange range;
  distributed::Parameters parameters;
};

/// From zero, of a solver that was set up for the rows.
inline SharedSolve solved(DistributedSolver& solver, const Shared& shared, const Vector& b) {
  const Vectors own = shared.vectors(b);
  const Vectors x = zeros(shared.range.count, static_cast<int>(own.extent(1)));
  auto result = solver.solve(Space(), own, x);
  return {std::move(result), x, shared.range, solver.parameters()};
}

/// Entries of x and of the history that have other bits than those of `alone`; of all processes.
inline std::int64_t num_different(const SharedSolve& together, const SharedSolve& alone) {
  const auto own = on_host(together.x), whole = on_host(alone.x);
  const std::size_t n = alone.x.extent(0);
  std::int64_t differ = 0;
  const auto compare = [&](double a, double b) {
    if (std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b)) ++differ;
  };
  for (std::size_t j = 0; j < together.x.extent(1); ++j)
    for (Ordinal i = 0; i < together.range.count; ++i)
      compare(own[j * together.range.count + i], whole[j * n + together.range.first + i]);
  const auto& history = alone.result.residual_history;
  EXPECT_EQ(together.result.residual_history.size(), history.size());
  for (std::size_t i = 0; i < std::min(history.size(), together.result.residual_history.size());
       ++i)
    compare(together.result.residual_history[i], history[i]);
  return all_processes()->sum_of(differ);
}

}  // namespace tessera::test::shared_matrix
