// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/scaled_columns.hpp"

#include "tessera/tpetra/column_powers.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::belos {
namespace {

std::vector<double> largest_of(const Vectors& V) {
  std::vector<double> largest(V.getNumVectors());
  V.normInf(Teuchos::arrayViewFromVector(largest));
  return largest;
}

}  // namespace

ScaledColumns::ScaledColumns(const Vectors& b, Vectors& x)
    : m_b(b), m_x(x), m_exponents(tpetra::exponents_of_columns(b)) {
  if (!tpetra::any_power(m_exponents)) return;
  m_own_b.emplace(b, Teuchos::Copy);
  m_own_x.emplace(x, Teuchos::Copy);
  tpetra::multiply_columns(*m_own_b, m_exponents, -1);
  tpetra::multiply_columns(*m_own_x, m_exponents, -1);
  // A guess that overflows beside b has none of b's digits.
  const std::vector<double> given = largest_of(x), scaled = largest_of(*m_own_x);
  for (std::size_t j = 0; j < given.size(); ++j) {
    if (std::isfinite(given[j]) && !std::isfinite(scaled[j]))
      m_own_x->getVectorNonConst(j)->putScalar(0);
  }
}

bool ScaledColumns::give_back() {
  if (!m_own_x) return false;
  Tpetra::deep_copy(m_x, *m_own_x);
  tpetra::multiply_columns(m_x, m_exponents, 1);
  Vectors stored(m_x, Teuchos::Copy);
  tpetra::multiply_columns(stored, m_exponents, -1);
  Vectors lost(stored, Teuchos::Copy);
  lost.update(-1, *m_own_x, 1);
  const std::vector<double> largest = largest_of(lost);
  // Negated, for they may be NaNs.
  const bool any = !std::ranges::all_of(largest, [](double size) { return size == 0; });
  if (any) Tpetra::deep_copy(*m_own_x, stored);
  return any;
}

}  // namespace tessera::belos
