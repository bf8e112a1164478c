// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems of Tpetra's that Belos's methods solve, on any number of processes.
#pragma once

#include "tessera/belos/krylov.hpp"

#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace tessera::test::krylov_solves {

using belos::Operator;
using belos::Vectors;
using Matrix = Tpetra::CrsMatrix<double>;
using Map = Tpetra::Map<>;
using Row = std::vector<std::pair<int, double>>;

inline Teuchos::RCP<Matrix> matrix_of(int n, const std::function<Row(int)>& row_of) {
  const auto map =
      Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(n), 0, Tpetra::getDefaultComm()));
  const auto A = Teuchos::rcp(new Matrix(map, 5));
  for (std::size_t k = 0; k < map->getLocalNumElements(); ++k) {
    const auto i = map->getGlobalElement(static_cast<int>(k));
    for (const auto& [j, value] : row_of(static_cast<int>(i))) {
      const Map::global_ordinal_type column = j;
      A->insertGlobalValues(i, 1, &value, &column);
    }
  }
  A->fillComplete();
  return A;
}

/// `sign` times the second difference, with what is on the diagonal; free ends where it is
/// singular.
inline Row second_difference(int i, int n, double sign, bool has_free_ends = false) {
  Row row;
  if (i > 0) row.emplace_back(i - 1, -sign);
  if (i + 1 < n) row.emplace_back(i + 1, -sign);
  row.emplace_back(i, has_free_ends ? sign * static_cast<double>(row.size()) : 2 * sign);
  return row;
}

inline Teuchos::RCP<Matrix> tridiagonal(int n, double sign = 1) {
  return matrix_of(n, [=](int i) { return second_difference(i, n, sign); });
}

/// y = factor x, and after so many applications NaN.
class Scaling : public Operator {
 public:
  Scaling(Teuchos::RCP<const Map> map, double factor) : m_map(std::move(map)), m_factor(factor) {}
  Teuchos::RCP<const Map> getDomainMap() const override { return m_map; }
  Teuchos::RCP<const Map> getRangeMap() const override { return m_map; }
  bool hasTransposeApply() const override { return true; }
  void apply(const Vectors& X, Vectors& Y, Teuchos::ETransp, double alpha,
             double beta) const override {
    const bool breaks = m_applications++ >= breaks_at;
    Y.update(breaks ? std::nan("") : alpha * m_factor, X, beta);
  }
  int breaks_at = 1000000;

 private:
  Teuchos::RCP<const Map> m_map;
  double m_factor;
  mutable int m_applications = 0;
};

struct Solved {
  Teuchos::RCP<Matrix> A;
  Teuchos::RCP<Vectors> b;
  Teuchos::RCP<Vectors> x;
  Teuchos::RCP<Scaling> M;

  explicit Solved(const Teuchos::RCP<Matrix>& matrix, std::size_t columns = 1)
      : A(matrix),
        b(Teuchos::rcp(new Vectors(A->getRowMap(), columns))),
        x(Teuchos::rcp(new Vectors(A->getRowMap(), columns))),
        M(Teuchos::rcp(new Scaling(A->getRowMap(), 1))) {
    const auto local = b->getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < local.extent(0); ++i) {
      const auto row = static_cast<double>(A->getRowMap()->getGlobalElement(static_cast<int>(i)));
      for (std::size_t j = 0; j < columns; ++j)
        local(i, j) = std::sin(1 + 3.7 * row + static_cast<double>(j));
    }
  }
  double residual(std::size_t j = 0) const {
    Vectors r(*b->getVector(j), Teuchos::Copy);
    A->apply(*x->getVector(j), r, Teuchos::NO_TRANS, -1, 1);
    return r.getVector(0)->norm2() / b->getVector(j)->norm2();
  }
  SolveResult by(SolverName method, SolverParameters p = {}) const {
    p.name = method;
    return belos::solve_by_belos(A, M, p, belos::chosen_method(p, *A, *M, false), *b, *x);
  }
  SolverName chosen(bool varies = false) const { return belos::chosen_method({}, *A, *M, varies); }
};

inline Teuchos::RCP<Matrix> alternating(int n) {
  return matrix_of(n, [](int i) { return Row{{i, i % 2 == 0 ? 1.0 : -1.0}}; });
}

inline constexpr SolverName methods[] = {SolverName::cg, SolverName::gmres, SolverName::fgmres,
                                         SolverName::bicgstab};

}  // namespace tessera::test::krylov_solves
