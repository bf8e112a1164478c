// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A system, and what is chosen for it.
#pragma once

#include "tessera/solve/direct_factorization.hpp"
#include "tessera/solve/near_nullspace.hpp"
#include "tessera/solve/nullspace_search.hpp"
#include "tessera/solve/solver_choices.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

/// Fills in what the parameters leave open for a system, and keeps what that took: its facts, its
/// nullspace, the vectors that multigrid is made from, and factors.
template <class Scalar, class Space, class Offset>
class ChosenSystem {
 public:
  using System = LinearSystem<Scalar, Space, Offset>;
  using Matrix = kernels::Csr<Scalar, Space, Offset>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Near = NearNullspace<Scalar, Space>;
  using Factors = DirectFactorization<Scalar, Space, Offset>;

  explicit ChosenSystem(const SolveParameters& parameters) {
    m_choices.effective = m_system.parameters = parameters;
  }

  /// What the next setup is to be made by.
  void set_parameters(const SolveParameters& parameters) { m_system.parameters = parameters; }
  /// The nullspace of later matrices (n by m), and that of their transposes, of which these are
  /// copies.
  void give_nullspace(MultiVector<Scalar, Space> basis, MultiVector<Scalar, Space> transposed) {
    m_system.given_nullspace = std::move(basis);
    m_system.given_transposed_nullspace = std::move(transposed);
  }
  /// Which function each row of later matrices is of.
  void give_functions(const Array<const Ordinal, Space>& functions) {
    m_system.functions = functions;
  }
  /// The parameters, the nullspace and the functions that were given, and the copy of the
  /// near-nullspace vectors, which `take` may be given; nothing else.
  ChosenSystem of_no_matrix() const;
  /// Frees what was made for the choices, and keeps the system.
  void release();

  /// Takes the system, with a copy of the near-nullspace vectors (n by m) for a later setup, and
  /// inspects A. The vectors may be those that it has.
  void take(const Space& exec, const Matrix& A, const ConstVectors& near_nullspace, int block_size);
  /// Takes the arrays of A, in the pattern that it has.
  void take_arrays(const Matrix& A);

  /// Fills in what is open, and gives what multigrid is made from, of which new vectors lie in
  /// `storage`. A direct solver has its factors then. Adds to the notes.
  Near choose_with_vectors(const Space& exec, const ConstVectors& near_nullspace,
                           MultiVector<Scalar, Space>& storage);
  /// Inspects A and fills in what is open, and makes nothing. Returns the bytes of the factors that
  /// were picked, 0 without.
  double choose_only(const Space& exec, const Matrix& A, const ConstVectors& near_nullspace,
                     int block_size);
  /// Dividing by the diagonal took too many iterations: it is no choice any more.
  void set_one_level_failed() { m_one_level_failed = true; }
  /// The facts, but for those that a solve has shown to mislead.
  MatrixFacts known_facts() const;

  /// What factors would take, null where they are no choice.
  const direct::Cost* direct_cost(const Space& exec) {
    return m_system.facts.given_nullspace > 0 ? nullptr : m_factors.cost(exec, m_system);
  }
  /// Takes other parameters, and makes the factors that they name. False where there are none of
  /// finite numbers: they are no choice then, and the parameters stay.
  [[nodiscard]] bool take_parameters(const Space& exec, const SolveParameters& effective);

  /// Looks for a nullspace, and for scaled constants where `or_scaled`. What is found is projected
  /// out by methods that are made later. Returns what to say of it; empty where nothing is.
  std::string look_for_nullspace(const Space& exec, bool or_scaled);
  /// Whether multigrid is to be built again from the nullspace that was found.
  bool near_nullspace_is_nullspace() const;
  /// Keeps the near-nullspace where a later solve may build again.
  void keep_near_nullspace(const Space& exec, const ConstVectors& near_nullspace);
  /// The same of vectors that nobody else has.
  void keep_near_nullspace(MultiVector<Scalar, Space> vectors) {
    m_near_nullspace = std::move(vectors);
  }
  /// What was kept of them.
  Near kept_near_nullspace() const {
    return {m_near_nullspace, m_annihilated, m_system.nodes.block_size};
  }

  const System& system() const { return m_system; }
  const NullspaceSearch<Scalar, Space, Offset>& nullspace() const { return m_nullspace; }
  const Factors& factors() const { return m_factors; }
  Factors& factors() { return m_factors; }
  const SolverChoices& choices() const { return m_choices; }
  SolverChoices& choices() { return m_choices; }

 private:
  /// Fills in what is open; a direct solver has its factors then, where it `makes_factors`.
  void choose(const Space& exec, const ConstVectors& near_nullspace, bool makes_factors);

  System m_system;
  SolverChoices m_choices;
  Factors m_factors;
  NullspaceSearch<Scalar, Space, Offset> m_nullspace;
  MultiVector<Scalar, Space> m_near_nullspace;  ///< for a second multigrid after one in double
  std::vector<int> m_annihilated;  ///< near-nullspace vectors of which A makes zero
  bool m_one_level_failed = false;
};

}  // namespace tessera::detail
