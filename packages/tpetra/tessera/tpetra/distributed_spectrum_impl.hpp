// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The spectral radius of a matrix that is spread over processes.
#pragma once

#include "tessera/amg/hessenberg.hpp"
#include "tessera/amg/start_entry.hpp"
#include "tessera/amg/tridiagonal.hpp"

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace tessera::tpetra::distributed_detail {

/// y = D^-1 x + beta y, column by column.
template <class Vectors>
void scale_by(const Vectors& diagonal, double alpha, const Vectors& x, double beta, Vectors& y) {
  y.elementWiseMultiply(alpha, *diagonal.getVector(0), x, beta);
}

/// The spectral radius of D^-1 A, A symmetric, by `steps` steps of Lanczos in D's inner product,
/// which is an inner product where D is positive; the largest Ritz value and half its residual.
template <class Matrix, class Vectors>
double radius_by_lanczos(const Matrix& A, const Vectors& inverse_diagonal, int steps) {
  Vectors v(A.getRowMap(), 1);
  Vectors Dv(A.getRowMap(), 1);  // D v
  Vectors w(A.getRowMap(), 1);
  Vectors before(A.getRowMap(), 1);
  {
    const auto local = v.getLocalViewHost(Tpetra::Access::OverwriteAll);
    const auto& rows = *A.getRowMap();
    for (std::size_t i = 0; i < local.extent(0); ++i)
      local(i, 0) =
          std::sin(1 + 78.233 * static_cast<double>(rows.getGlobalElement(static_cast<int>(i))));
  }
  Vectors D(inverse_diagonal, Teuchos::Copy);
  {
    const auto local = D.getLocalViewHost(Tpetra::Access::ReadWrite);
    for (std::size_t i = 0; i < local.extent(0); ++i)
      local(i, 0) = local(i, 0) != 0 ? 1 / local(i, 0) : 0;
  }
  const auto norm = [&](const Vectors& u) {
    scale_by(D, 1, u, 0, Dv);
    return std::sqrt(std::max(0.0, Dv.getVector(0)->dot(*u.getVector(0))));
  };
  amg::Tridiagonal matrix;
  double length = norm(v);
  // The first length is in A's units, those after it are of what is left of a vector of length one.
  for (int step = 0; step < steps && length > (step == 0 ? 0 : 1e-12); ++step) {
    v.scale(1 / length);
    A.apply(v, w);
    const double alpha = w.getVector(0)->dot(*v.getVector(0));
    Vectors next(A.getRowMap(), 1);
    scale_by(inverse_diagonal, 1, w, 0, next);
    next.update(-alpha, v, -(step > 0 ? length : 0), before, 1);
    before = Vectors(v, Teuchos::Copy);
    v = next;
    length = norm(v);
    if (!std::isfinite(alpha) || !std::isfinite(length))
      return std::numeric_limits<double>::quiet_NaN();
    matrix.diagonal.push_back(alpha);
    matrix.squares.push_back(length * length);
  }
  if (matrix.diagonal.empty()) return 0;
  const auto ritz = amg::largest_ritz_value(matrix);
  return std::abs(ritz.value) + ritz.residual / 2;
}

/// Takes from w what it has of V's first columns, as many as `column` has entries, and adds the
/// coefficients to those.
template <class Vectors>
void remove_basis(const Vectors& V, Vectors& w, std::vector<double>& column) {
  using Map = typename Vectors::map_type;
  const auto& map = *V.getMap();
  const auto count = column.size();
  const auto basis = V.subView(Teuchos::Range1D(0, static_cast<Teuchos::Ordinal>(count) - 1));
  Vectors c(
      Teuchos::rcp(new Map(count, map.getIndexBase(), map.getComm(), Tpetra::LocallyReplicated)),
      1);
  c.multiply(Teuchos::TRANS, Teuchos::NO_TRANS, 1, *basis, w, 0);
  w.multiply(Teuchos::NO_TRANS, Teuchos::NO_TRANS, -1, *basis, c, 1);
  const auto local = c.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < count; ++i)
    column[i] += local(i, 0);
}

/// Of any A by Arnoldi on sign(D) |D|^-1/2 A |D|^-1/2 with Gram-Schmidt twice, from the start of
/// `amg::spectral_radius_arnoldi`: but for roundings, what that finds on one process. NaN where A
/// holds one.
template <class Matrix, class Vectors>
double radius_by_arnoldi(const Matrix& A, const Vectors& inverse_diagonal, int steps) {
  const auto map = A.getRowMap();
  Vectors before(map, 1);  // |D|^-1/2
  Vectors after(map, 1);  // with D's sign
  Vectors w(map, 1);
  {
    const auto start = w.getLocalViewHost(Tpetra::Access::OverwriteAll);
    const auto d = inverse_diagonal.getLocalViewHost(Tpetra::Access::ReadOnly);
    const auto root = before.getLocalViewHost(Tpetra::Access::OverwriteAll);
    const auto signed_root = after.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < d.extent(0); ++i) {
      root(i, 0) = std::sqrt(std::abs(d(i, 0)));
      signed_root(i, 0) = std::copysign(root(i, 0), d(i, 0));
      const auto row = map->getGlobalElement(static_cast<int>(i));
      start(i, 0) = amg::start_entry(static_cast<Ordinal>(row), double(d(i, 0)), 0);
    }
  }
  const auto rows = static_cast<std::int64_t>(map->getGlobalNumElements());
  steps = static_cast<int>(std::min<std::int64_t>(steps, rows));
  const auto norm = [](const Vectors& v) { return v.getVector(0)->norm2(); };
  Vectors V(map, static_cast<std::size_t>(std::max(steps, 1)));
  Vectors t(map, 1);
  double length = norm(w);
  std::vector<std::vector<double>> columns;
  double largest_column = 0;
  while (static_cast<int>(columns.size()) < steps && std::isfinite(length)) {
    const std::size_t j = columns.size();
    if (length <= 100 * std::numeric_limits<double>::epsilon() * largest_column || length == 0)
      break;
    w.scale(1 / length);
    Tpetra::deep_copy(*V.getVectorNonConst(j), *w.getVector(0));
    scale_by(before, 1, Vectors(w, Teuchos::Copy), 0, t);
    A.apply(t, w);
    scale_by(after, 1, Vectors(w, Teuchos::Copy), 0, w);
    std::vector<double> column(j + 1, 0.0);
    for (int pass = 0; pass < 2; ++pass)
      remove_basis(V, w, column);
    length = norm(w);
    double square = length * length;
    for (const double entry : column)
      square += entry * entry;
    largest_column = std::max(largest_column, std::sqrt(square));
    column.push_back(length);
    columns.push_back(std::move(column));
  }
  if (!std::isfinite(length)) return std::numeric_limits<double>::quiet_NaN();
  if (columns.empty()) return 0;
  const auto size = static_cast<int>(columns.size());
  amg::Hessenberg matrix{
      size, std::vector<double>(static_cast<std::size_t>(size) * columns.size(), 0.0), length};
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < std::min(j + 2, size); ++i)
      matrix(i, j) = columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
  const auto ritz = amg::largest_ritz_modulus(matrix);
  return ritz.value + ritz.residual / 2;
}

/// As on one process: Arnoldi where Lanczos has no inner product, too.
template <class Matrix, class Vectors>
double spectral_radius(const Matrix& A, const Vectors& inverse_diagonal, bool symmetric,
                       int steps) {
  if (symmetric) {
    const double radius = radius_by_lanczos(A, inverse_diagonal, steps);
    if (std::isfinite(radius)) return radius;
  }
  return radius_by_arnoldi(A, inverse_diagonal, steps);
}

}  // namespace tessera::tpetra::distributed_detail
