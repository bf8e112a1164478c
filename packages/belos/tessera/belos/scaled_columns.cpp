// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/scaled_columns.hpp"

#include "tessera/tpetra/column_powers.hpp"

#include <algorithm>

namespace tessera::belos {

ScaledColumns::ScaledColumns(const Vectors& b, Vectors& x)
    : m_b(b), m_x(x), m_exponents(tpetra::exponents_of_columns(b)) {
  if (!tpetra::any_power(m_exponents)) return;
  m_own_b.emplace(b, Teuchos::Copy);
  m_own_x.emplace(x, Teuchos::Copy);
  tpetra::multiply_columns(*m_own_b, m_exponents, -1);
  tpetra::multiply_columns(*m_own_x, m_exponents, -1);
}

bool ScaledColumns::give_back() {
  if (!m_own_x) return false;
  Tpetra::deep_copy(m_x, *m_own_x);
  tpetra::multiply_columns(m_x, m_exponents, 1);
  Vectors stored(m_x, Teuchos::Copy);
  tpetra::multiply_columns(stored, m_exponents, -1);
  Vectors lost(stored, Teuchos::Copy);
  lost.update(-1, *m_own_x, 1);
  std::vector<double> largest(lost.getNumVectors());
  lost.normInf(Teuchos::arrayViewFromVector(largest));
  // Negated, for they may be NaNs.
  const bool any = !std::ranges::all_of(largest, [](double size) { return size == 0; });
  if (any) Tpetra::deep_copy(*m_own_x, stored);
  return any;
}

}  // namespace tessera::belos
