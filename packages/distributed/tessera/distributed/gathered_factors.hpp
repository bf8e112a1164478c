// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse factors of a matrix over several processes, on one of them.
#pragma once

#include "tessera/direct/direct_preconditioner.hpp"
#include "tessera/distributed/counted_memory.hpp"
#include "tessera/distributed/gathered_rows.hpp"
#include "tessera/operator/solve_result.hpp"
#include "tessera/solver/logger.hpp"
#include "tessera/solver/solver_parameters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::distributed {

/// Factors of the whole matrix on the first process, which the others send their part of each
/// vector and have it back from. What it knows of them, all do.
template <class Space>
class GatheredFactors {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// Gathers A and orders it. `maybe_definite`: A is symmetric with a positive diagonal.
  /// Collective.
  GatheredFactors(const Space& exec, const Matrix<Space>& A, const direct::Parameters& parameters,
                  bool maybe_definite);

  /// Whether factors are estimated to take no more than the parameters allow.
  bool fits() const { return m_fits; }
  const direct::Cost& cost() const { return m_cost; }

  /// Makes them. False where there are none of finite numbers, or they do not fit. Collective.
  [[nodiscard]] bool factor(const Space& exec);
  /// Has them counted by `MemoryTracker` as if they were made, by their estimate: for a forecast,
  /// whose residuals `apply` leaves as they are. False where they do not fit. Collective.
  [[nodiscard]] bool count(const Space& exec);
  /// The same of new values in the same pattern. Collective.
  [[nodiscard]] bool update(const Space& exec, const Matrix<Space>& A);
  /// Of the factors that were made, for notes.
  const std::string& description() const { return m_description; }

  /// Makes room for k columns; sends nothing: a step of all processes.
  void prepare(const Space& exec, std::size_t k);
  /// z = A^-1 r over this process's rows, of as many columns. Collective. Waits for `exec`.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z);

  /// Refines the columns of x (n by k) that have stagnated, as `Solver` on one process does:
  /// `result` tells what became of them. `logger`: the first process's alone is called. Returns
  /// what there is to note. Collective.
  std::vector<std::string> refine(const Space& exec, const SolverParameters& parameters,
                                  const ConstVectors& b, const Vectors& x, const Logger& logger,
                                  SolveResult& result);

 private:
  bool agree_on_factors(bool are_made);
  MultiVector<double, Space> gathered(const Space& exec, const ConstVectors& v);

  GatheredRows<Space> m_rows;
  std::shared_ptr<direct::SparseDirect> m_factors;  ///< on the first process, if it can have any
  std::unique_ptr<direct::DirectPreconditioner<double, Space>> m_solve;
  std::unique_ptr<const CountedMemory> m_counted;  ///< of factors that are not made
  bool m_fits = true;
  direct::Cost m_cost;
  std::string m_description;
  MultiVector<double, Space> m_gathered_r, m_gathered_z;
};

}  // namespace tessera::distributed
