// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse direct solver on the host, and what it would cost.
#pragma once

#include "tessera/direct/cost.hpp"
#include "tessera/direct/host_matrix.hpp"
#include "tessera/direct/parameters.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <memory>
#include <string>

namespace tessera::direct {

/// Refuses an order that the library cannot make.
/// @throws Error of kind `configuration`
void require_ordering(Ordering ordering);

/// Whether the library was built with SuiteSparse, without which there is no direct solver.
bool available();

/// Factors of one matrix: L L^T where it is symmetric positive definite, L U elsewhere. They are in
/// double, with the same bits for any number of threads: L L^T and L U in panels are made and
/// applied by those of an instance, KLU's L U by one.
class SparseDirect {
 public:
  /// Orders `A` and estimates the cost of its factors. `maybe_definite`: A is symmetric with a
  /// positive diagonal, so that Cholesky is tried first. Nothing is ordered in detail where
  /// factors would take more than `max_bytes`. By `automatic` the order is that of minimum degree
  /// before `settle_order`.
  /// @throws Error of kind `configuration` where the library was built without SuiteSparse, or
  ///         without the SCOTCH that `ordering` asks for.
  SparseDirect(HostMatrix A, bool maybe_definite, double max_bytes,
               Ordering ordering = Ordering::automatic);
  ~SparseDirect();

  const Cost& cost() const;
  bool fits() const;  ///< the factors are estimated to take no more than the limit

  /// Takes a nested dissection, where the order is left open and what minimum degree forecasts is
  /// much for the size of the graph, or does not fit; `cost` is of what has fewer operations. Once
  /// for each pattern, and `factor` does it, too: worth while only where factors will be made, as a
  /// dissection takes as long as some hundreds of products with the matrix.
  void settle_order();

  /// Makes the factors; `epsilon` is the unit round-off of the arithmetic that made A. A singular
  /// matrix is answered by factors of one nearby: see SparseCholesky, or, without symmetry, the
  /// matrix with 1e-8 of each row's largest entry added to its diagonal. False where A holds a NaN
  /// or an infinity, where factors do not fit the limit, or a factor is not finite.
  [[nodiscard]] bool factor(const HostSpace& exec, double epsilon);

  /// The same for new values of the same pattern; the order is kept.
  [[nodiscard]] bool factor(const HostSpace& exec, HostMatrix A, double epsilon);

  /// x <- A^-1 x, n numbers.
  void solve(const HostSpace& exec, double* x) const;

  int num_rows() const;
  bool is_cholesky() const;  ///< of the factors that were made
  /// Which factors were made, e.g. "cholesky, 120034 entries", with what the first order forecast
  /// where they have another number of entries.
  std::string description() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace tessera::direct
