// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Problems of the gallery as Tpetra's matrices and vectors, over any number of processes.
#pragma once

#include "tessera/gallery/problem.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include <algorithm>
#include <vector>

namespace tessera::test {

using TpetraMatrix = Tpetra::CrsMatrix<double>;
using TpetraOperator = Tpetra::Operator<double>;
using TpetraVectors = Tpetra::MultiVector<double>;
using TpetraMap = Tpetra::Map<>;
using TpetraOrdinal = TpetraMap::global_ordinal_type;

inline int num_processes() { return Tpetra::getDefaultComm()->getSize(); }
inline int process() { return Tpetra::getDefaultComm()->getRank(); }

/// Contiguous rows on each process, whole nodes of `block_size` unknowns.
inline Teuchos::RCP<const TpetraMap> contiguous_map(int num_rows, int block_size = 1) {
  const int nodes = num_rows / block_size;
  const int mine = nodes / num_processes() + (process() < nodes % num_processes() ? 1 : 0);
  return Teuchos::rcp(new TpetraMap(Tpetra::global_size_t(num_rows),
                                    static_cast<std::size_t>(mine * block_size), 0,
                                    Tpetra::getDefaultComm()));
}

/// All rows on the last process, none on the others.
inline Teuchos::RCP<const TpetraMap> map_on_last(int num_rows) {
  const bool is_last = process() == num_processes() - 1;
  return Teuchos::rcp(new TpetraMap(Tpetra::global_size_t(num_rows),
                                    static_cast<std::size_t>(is_last ? num_rows : 0), 0,
                                    Tpetra::getDefaultComm()));
}

/// Rows on every other process, from the last one on; none on those between.
inline Teuchos::RCP<const TpetraMap> map_with_gaps(int num_rows) {
  const int sharing = (num_processes() + 1) / 2;
  const int place = (num_processes() - 1 - process()) / 2;
  const bool has_rows = (num_processes() - 1 - process()) % 2 == 0;
  const int mine = has_rows ? num_rows / sharing + (place < num_rows % sharing ? 1 : 0) : 0;
  return Teuchos::rcp(new TpetraMap(Tpetra::global_size_t(num_rows), static_cast<std::size_t>(mine),
                                    0, Tpetra::getDefaultComm()));
}

/// The rows of `A`, a whole matrix, that `map` has on this process, times `factor`.
inline Teuchos::RCP<TpetraMatrix> distribute(const kernels::Csr<double, HostSpace>& A,
                                             const Teuchos::RCP<const TpetraMap>& map,
                                             double factor = 1) {
  std::size_t longest = 0;
  for (int i = 0; i < A.num_rows; ++i)
    longest = std::max(longest, static_cast<std::size_t>(A.offsets(i + 1) - A.offsets(i)));
  const auto matrix = Teuchos::rcp(new TpetraMatrix(map, longest));
  std::vector<TpetraOrdinal> columns;
  std::vector<double> values;
  for (std::size_t k = 0; k < map->getLocalNumElements(); ++k) {
    const auto i = map->getGlobalElement(static_cast<int>(k));
    columns.clear();
    values.clear();
    for (int e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      columns.push_back(A.columns(e));
      values.push_back(factor * A.values(e));
    }
    matrix->insertGlobalValues(i, Teuchos::arrayViewFromVector(columns),
                               Teuchos::arrayViewFromVector(values));
  }
  matrix->fillComplete();
  return matrix;
}

/// The rows of `v` that `map` has on this process.
inline Teuchos::RCP<TpetraVectors> distribute(const MultiVector<double, HostSpace>& v,
                                              const Teuchos::RCP<const TpetraMap>& map) {
  const auto vectors = Teuchos::rcp(new TpetraVectors(map, v.extent(1)));
  const auto local = vectors->getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (std::size_t i = 0; i < local.extent(0); ++i) {
    for (std::size_t j = 0; j < local.extent(1); ++j)
      local(i, j) = v(map->getGlobalElement(static_cast<int>(i)), j);
  }
  return vectors;
}

/// sin(1 + 3.7 i + j) in row i of column j.
inline Teuchos::RCP<TpetraVectors> waves(const Teuchos::RCP<const TpetraMap>& map,
                                         std::size_t columns = 1) {
  const auto vectors = Teuchos::rcp(new TpetraVectors(map, columns));
  const auto local = vectors->getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (std::size_t i = 0; i < local.extent(0); ++i) {
    for (std::size_t j = 0; j < columns; ++j)
      local(i, j) =
          std::sin(1.0 + 3.7 * map->getGlobalElement(static_cast<int>(i)) + static_cast<double>(j));
  }
  return vectors;
}

/// Node coordinates of a problem on the unit square of n by n unknowns, for Zoltan2.
inline Teuchos::RCP<TpetraVectors> coordinates_2d(const Teuchos::RCP<const TpetraMap>& map, int n) {
  const auto coordinates = Teuchos::rcp(new TpetraVectors(map, 2));
  const auto local = coordinates->getLocalViewHost(Tpetra::Access::OverwriteAll);
  for (std::size_t i = 0; i < local.extent(0); ++i) {
    const auto row = static_cast<int>(map->getGlobalElement(static_cast<int>(i)));
    local(i, 0) = row % n;
    local(i, 1) = row / n;
  }
  return coordinates;
}

/// A problem of the gallery, whole on every process, and its distributed matrix.
struct TpetraSystem {
  Problem<double, HostSpace> problem;
  Teuchos::RCP<const TpetraMap> map;
  Teuchos::RCP<TpetraMatrix> A;

  explicit TpetraSystem(const GalleryParameters& gallery)
      : problem(make_problem<double, HostSpace>(HostSpace(), gallery)),
        map(contiguous_map(problem.A.num_rows, problem.block_size)),
        A(distribute(problem.A, map)) {}
  TpetraSystem(ProblemKind kind, int n)
      : TpetraSystem(GalleryParameters{.problem = kind, .n = n}) {}

  /// The same on this process alone, with a communicator of its own.
  TpetraSystem alone() const {
    const auto own = Tpetra::getDefaultComm()->split(process(), 0);
    TpetraSystem system(*this);
    system.map = Teuchos::rcp(new TpetraMap(Tpetra::global_size_t(problem.A.num_rows), 0, own));
    system.A = distribute(problem.A, system.map);
    return system;
  }
};

/// The largest of || a_j - b_j || / || b_j ||.
inline double relative_difference(const TpetraVectors& a, const TpetraVectors& b) {
  TpetraVectors difference(b, Teuchos::Copy);
  difference.update(1, a, -1);
  std::vector<double> norms(b.getNumVectors());
  std::vector<double> references(b.getNumVectors());
  difference.norm2(Teuchos::arrayViewFromVector(norms));
  b.norm2(Teuchos::arrayViewFromVector(references));
  double largest = 0;
  for (std::size_t j = 0; j < norms.size(); ++j)
    largest = std::max(largest, norms[j] / references[j]);
  return largest;
}

/// || b - A x || / || b ||, the largest of all columns.
inline double relative_residual(const TpetraMatrix& A, const TpetraVectors& x,
                                const TpetraVectors& b) {
  TpetraVectors product(b.getMap(), b.getNumVectors());
  A.apply(x, product);
  return relative_difference(product, b);
}

}  // namespace tessera::test
