// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The spectral radius of a matrix that is distributed over processes.
#pragma once

#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/amg/spectral/spectral_recurrence.hpp"

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tessera::tpetra::distributed_detail {

/// y = D^-1 x + beta y, column by column.
template <class Vectors>
void scale_by(const Vectors& diagonal, double alpha, const Vectors& x, double beta, Vectors& y) {
  y.elementWiseMultiply(alpha, *diagonal.getVector(0), x, beta);
}

/// v's entries by number of row, the same for any number of processes.
template <class Vectors>
void fill_by_sines(Vectors& v) {
  using Space = typename Vectors::execution_space;
  const auto rows = v.getMap()->getLocalMap();
  const auto entries = v.getLocalViewDevice(Tpetra::Access::OverwriteAll);
  const Space exec;
  Kokkos::parallel_for(
      "tessera::tpetra::sines",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(entries.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        entries(i, 0) = Kokkos::sin(1 + 78.233 * static_cast<double>(rows.getGlobalElement(i)));
      });
  exec.fence("tessera::tpetra::sines");
}

/// inverse = 1 / given, 0 where that is 0.
template <class Vectors>
void invert(const Vectors& given, Vectors& inverse) {
  using Space = typename Vectors::execution_space;
  const auto d = given.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const auto entries = inverse.getLocalViewDevice(Tpetra::Access::OverwriteAll);
  const Space exec;
  Kokkos::parallel_for(
      "tessera::tpetra::invert",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(entries.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) { entries(i, 0) = d(i, 0) != 0 ? 1 / d(i, 0) : 0; });
  exec.fence("tessera::tpetra::invert");
}

/// before = |D|^-1/2, after = the same with D's sign, and the start vector of
/// `amg::spectral_radius_arnoldi`.
template <class Vectors>
void start_arnoldi(const Vectors& inverse_diagonal, Vectors& before, Vectors& after,
                   Vectors& start) {
  using Space = typename Vectors::execution_space;
  const auto rows = start.getMap()->getLocalMap();
  const auto d = inverse_diagonal.getLocalViewDevice(Tpetra::Access::ReadOnly);
  const auto root = before.getLocalViewDevice(Tpetra::Access::OverwriteAll);
  const auto signed_root = after.getLocalViewDevice(Tpetra::Access::OverwriteAll);
  const auto w = start.getLocalViewDevice(Tpetra::Access::OverwriteAll);
  const Space exec;
  Kokkos::parallel_for(
      "tessera::tpetra::start_arnoldi",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(d.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        root(i, 0) = Kokkos::sqrt(Kokkos::abs(d(i, 0)));
        signed_root(i, 0) = Kokkos::copysign(root(i, 0), d(i, 0));
        const auto row = static_cast<Ordinal>(rows.getGlobalElement(i));
        w(i, 0) = amg::start_entry(row, double(d(i, 0)), 0);
      });
  exec.fence("tessera::tpetra::start_arnoldi");
}

/// Lanczos in D's inner product, which is one where D is positive, A symmetric. The basis is
/// normalised: each step ends with a sum over processes that all of them wait for.
template <class Matrix, class Vectors>
class DistributedLanczos {
 public:
  DistributedLanczos(const Matrix& A, const Vectors& inverse_diagonal)
      : m_A(A),
        m_inverse_diagonal(inverse_diagonal),
        m_D(A.getRowMap(), 1),
        m_Du(A.getRowMap(), 1),
        m_u(A.getRowMap(), 1),
        m_before(A.getRowMap(), 1),
        m_next(A.getRowMap(), 1),
        m_w(A.getRowMap(), 1) {}

  void start() {
    invert(m_inverse_diagonal, m_D);
    fill_by_sines(m_u);
    m_length = length_of_u();
  }
  /// The first length is in A's units, those after it are of what is left of a vector of length 1.
  bool goes_on(int step) const {
    return step == 0 ? m_length > 0 : std::isfinite(m_length) && m_length > 1e-12;
  }
  void multiply(int) {
    m_u.scale(1 / m_length);
    m_A.apply(m_u, m_w);
    m_alpha = m_w.getVector(0)->dot(*m_u.getVector(0));
  }
  void orthogonalise(int step) {
    scale_by(m_inverse_diagonal, 1, m_w, 0, m_next);
    m_next.update(-m_alpha, m_u, -(step > 0 ? m_length : 0), m_before, 1);
    std::swap(m_before, m_u);
    std::swap(m_u, m_next);
    m_length = length_of_u();
    m_matrix.diagonal.push_back(m_alpha);
    m_matrix.squares.push_back(m_length * m_length);
  }
  amg::Tridiagonal matrix() const { return m_matrix; }

 private:
  double length_of_u() {
    scale_by(m_D, 1, m_u, 0, m_Du);
    return std::sqrt(std::max(0.0, m_Du.getVector(0)->dot(*m_u.getVector(0))));
  }

  const Matrix& m_A;
  const Vectors& m_inverse_diagonal;
  Vectors m_D, m_Du, m_u, m_before, m_next, m_w;
  double m_length = 0;
  double m_alpha = 0;
  amg::Tridiagonal m_matrix;
};

/// Arnoldi on sign(D) |D|^-1/2 A |D|^-1/2 with Gram-Schmidt twice: but for roundings, what
/// `amg::spectral_radius_arnoldi` finds on one process.
template <class Matrix, class Vectors>
class DistributedArnoldi {
 public:
  DistributedArnoldi(const Matrix& A, const Vectors& inverse_diagonal, int steps)
      : m_A(A),
        m_inverse_diagonal(inverse_diagonal),
        m_before(A.getRowMap(), 1),
        m_after(A.getRowMap(), 1),
        m_w(A.getRowMap(), 1),
        m_t(A.getRowMap(), 1),
        m_V(A.getRowMap(), static_cast<std::size_t>(std::max(steps, 1))) {
    using Map = typename Vectors::map_type;
    const auto& rows = *A.getRowMap();
    for (int count = 1; count <= steps; ++count) {
      const auto numbers =
          Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(count), rows.getIndexBase(),
                               rows.getComm(), Tpetra::LocallyReplicated));
      m_coefficients.emplace_back(numbers, 1);
    }
  }

  void start() {
    start_arnoldi(m_inverse_diagonal, m_before, m_after, m_w);
    m_first_length = m_length = m_w.getVector(0)->norm2();
    m_extends = m_length > 0;
  }
  bool goes_on(int) const { return m_extends && std::isfinite(m_length); }
  void normalise(int step) {
    m_w.scale(1 / m_length);
    Tpetra::deep_copy(*m_V.getVectorNonConst(static_cast<std::size_t>(step)), *m_w.getVector(0));
  }
  void multiply(int) {
    scale_by(m_before, 1, m_w, 0, m_t);
    m_A.apply(m_t, m_w);
    scale_by(m_after, 1, m_w, 0, m_t);
    std::swap(m_w, m_t);
  }
  void orthogonalise(int step) {
    std::vector<double> column(static_cast<std::size_t>(step) + 1, 0.0);
    for (int pass = 0; pass < 2; ++pass)
      remove_basis(column);
    m_length = m_w.getVector(0)->norm2();
    m_extends = m_columns.add(std::move(column), m_length, m_length * m_length);
  }
  amg::ArnoldiOutcome outcome() const { return {m_first_length, m_columns.matrix()}; }

 private:
  /// Takes from w what it has of V's first columns, as many as `column` has entries, and adds the
  /// coefficients to those.
  void remove_basis(std::vector<double>& column) {
    const auto count = column.size();
    const auto basis = m_V.subView(Teuchos::Range1D(0, static_cast<Teuchos::Ordinal>(count) - 1));
    Vectors& c = m_coefficients[count - 1];
    c.multiply(Teuchos::TRANS, Teuchos::NO_TRANS, 1, *basis, m_w, 0);
    m_w.multiply(Teuchos::NO_TRANS, Teuchos::NO_TRANS, -1, *basis, c, 1);
    const auto local = c.getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t i = 0; i < count; ++i)
      column[i] += local(i, 0);
  }

  const Matrix& m_A;
  const Vectors& m_inverse_diagonal;
  Vectors m_before;  ///< |D|^-1/2
  Vectors m_after;  ///< with D's sign
  Vectors m_w, m_t, m_V;
  std::vector<Vectors> m_coefficients;  ///< on each process all of them, for 1, 2, ... columns
  double m_first_length = 0;
  double m_length = 0;
  bool m_extends = false;
  amg::HessenbergColumns m_columns{std::numeric_limits<double>::epsilon()};
};

/// As on one process: Arnoldi where Lanczos has no inner product, too.
template <class Matrix, class Vectors>
double spectral_radius(const Matrix& A, const Vectors& inverse_diagonal, bool symmetric,
                       int steps) {
  if (symmetric) {
    const double radius =
        amg::radius_by_lanczos(DistributedLanczos<Matrix, Vectors>(A, inverse_diagonal), steps);
    if (std::isfinite(radius)) return radius;
  }
  const auto rows = static_cast<std::int64_t>(A.getRowMap()->getGlobalNumElements());
  steps = static_cast<int>(std::min<std::int64_t>(steps, rows));
  return amg::radius_by_arnoldi(DistributedArnoldi<Matrix, Vectors>(A, inverse_diagonal, steps),
                                steps);
}

}  // namespace tessera::tpetra::distributed_detail
