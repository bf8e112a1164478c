// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves by Belos as most tests ask for them, and what is described.
#pragma once

#include "support/belos_solve.hpp"

#include <gtest/gtest.h>
#include <Teuchos_FancyOStream.hpp>

#include <sstream>
#include <string>

namespace tessera::test {

/// From the guess zero with waves on the right; expected to converge.
inline BelosOutcome waves_by_belos(const std::string& method, const Teuchos::RCP<TpetraMatrix>& A,
                                   const Teuchos::RCP<const TpetraOperator>& M,
                                   std::size_t columns = 1) {
  const Teuchos::RCP<const TpetraMap> map = A->getRowMap();
  const auto x = Teuchos::rcp(new TpetraVectors(map, columns));
  const BelosOutcome outcome = solve_by_belos(method, A, M, x, waves(map, columns));
  EXPECT_TRUE(outcome.converged) << method;
  return outcome;
}

/// factor A, by Tpetra's own means.
inline void scale_in_place(TpetraMatrix& A, double factor) {
  A.resumeFill();
  A.scale(factor);
  A.fillComplete();
}

/// M x.
inline TpetraVectors applied(const TpetraOperator& M, const TpetraVectors& x) {
  TpetraVectors y(M.getRangeMap(), x.getNumVectors());
  M.apply(x, y);
  return y;
}

inline std::string described(const Teuchos::Describable& M) {
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  M.describe(out, Teuchos::VERB_LOW);
  return text.str();
}

}  // namespace tessera::test
