// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One run of one of Belos's methods, how it left off, and the columns that it works on, of about
/// the size of 1.
#pragma once

#include "tessera/belos/instrumented.hpp"
#include "tessera/belos/krylov.hpp"
#include "tessera/belos/krylov_method.hpp"

#include <optional>
#include <vector>

namespace tessera::belos {

/// How Belos left off, as far as it and its exceptions tell.
enum class Ending { believes_done, iteration_limit, time_limit, breakdown, not_a_number };

struct Run {
  SolverName method;
  double tolerance;  ///< relative to the right-hand side where `by_rhs`, else to the first residual
  bool by_rhs;
  int limit;  ///< of iterations
  int restart;
  KrylovOutput output;
};

struct RunOutcome {
  Ending ending = Ending::breakdown;
  std::vector<int> iterations;  ///< in which each column took part
};

/// From the guess that the problem holds, which need not be set (`setProblem`). `monitor` is asked
/// what its products were. Collective.
RunOutcome run_belos(const Run& run, const Teuchos::RCP<LinearProblem>& problem,
                     const Monitor& monitor);

/// Columns of b and x times 2^-e, each with its own e by b's largest magnitude, where that is far
/// from 1: squares of norms neither vanish nor overflow then, and no significand changes. Copies
/// are made only where a column needs it. All of it is collective.
class ScaledColumns {
 public:
  /// Both outlive this.
  ScaledColumns(const Vectors& b, Vectors& x);

  const Vectors& b() const { return m_own_b ? *m_own_b : m_b; }
  Vectors& x() { return m_own_x ? *m_own_x : m_x; }
  int exponent(std::size_t j) const { return m_exponents[j]; }

  /// Writes x() to the x that was given, times the powers. True where an entry lost bits, as it
  /// overflowed or became denormal: x() is what was written then, times 2^-e.
  bool give_back();

 private:
  const Vectors& m_b;
  Vectors& m_x;
  std::vector<int> m_exponents;
  std::optional<Vectors> m_own_b;
  std::optional<Vectors> m_own_x;
};

}  // namespace tessera::belos
