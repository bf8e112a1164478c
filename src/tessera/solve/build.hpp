// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From parameters to the preconditioner that they name.
#pragma once

#include "tessera/operator/captured_preconditioner.hpp"
#include "tessera/operator/jacobi_preconditioner.hpp"
#include "tessera/smoother/ilu_smoother.hpp"
#include "tessera/solve/direct_factorization.hpp"
#include "tessera/solve/multigrid_builder.hpp"
#include "tessera/solve/parameters.hpp"
#include "tessera/solve/solver_choices.hpp"

#include <memory>
#include <string>

namespace tessera::detail {

/// Builds a preconditioner, takes new values into it, and knows it by its type.
template <class Scalar, class Space, class Offset>
class PreconditionerBuilder {
 public:
  using System = LinearSystem<Scalar, Space, Offset>;
  using Near = NearNullspace<Scalar, Space>;
  using Factors = DirectFactorization<Scalar, Space, Offset>;

  /// Builds what `choices` name or, where its numbers are not finite, the next of multigrid in
  /// float, in double, and Jacobi; `choices` tell of it then, with a hierarchy's own notes alone.
  /// `factors`: made before, where they are named.
  void build_preconditioner(const Space& exec, const System& system, const Near& near,
                            const Factors& factors, SolverChoices& choices);

  /// Whether anything stays for new values. Nothing does of `jacobi` and `none` that were chosen,
  /// or took the place of what these values did not permit.
  bool can_update(const SolveParameters& asked, const SolveParameters& effective) const;
  /// Takes A's new values. Returns why that turns out to be impossible; empty where it is done.
  [[nodiscard]] std::string update(const Space& exec, const System& system, Factors& factors,
                                   SolverChoices& choices);

  /// Gives the memory back; factors of A are there before what is made of them.
  void release();

  /// Null for the identity.
  Preconditioner<Scalar, Space>* get() const { return m_applied.get(); }
  /// What `get` is, by type; null where it is something else.
  const JacobiPreconditioner<Scalar, Space>* jacobi() const { return m_jacobi.get(); }
  const BlockJacobiPreconditioner<Scalar, Space>* blocks() const { return m_blocks.get(); }
  const IluPreconditioner<Scalar, Space, Offset>* incomplete() const { return m_incomplete.get(); }
  const CapturedPreconditioner<Scalar, Space>* captured() const { return m_captured.get(); }

  const MultigridBuilder<Scalar, Space, Offset>& multigrid() const { return m_multigrid; }
  MultigridBuilder<Scalar, Space, Offset>& multigrid() { return m_multigrid; }

 private:
  /// Of the levels, where a solve in one kernel may take them.
  void choose_format(const Space& exec, const System& system, SolveParameters& effective) const;
  /// Makes `choices` name Jacobi for incomplete factors that nobody asked for, and releases what
  /// was built. True where there are any.
  bool leaves_ilu(const System& system, SolverChoices& choices);
  /// Whether what was built in float does not do: `choices` name double then, and it is released.
  bool turns_to_double(const System& system, SolverChoices& choices);
  /// Takes multigrid for a preconditioner, or leaves it to Jacobi where none was built.
  void take_multigrid(const Space& exec, const System& system, SolverChoices& choices);
  /// Makes incomplete factors or, where they hold no finite numbers, leaves it to Jacobi.
  void build_incomplete_factors(const Space& exec, const System& system, SolverChoices& choices);
  void build_jacobi(const Space& exec, const System& system);
  void build_blocks(const Space& exec, const System& system, SolverChoices& choices);
  /// Takes the factors for a preconditioner.
  void use_factors(const System& system, const Factors& factors, SolverChoices& choices);
  [[nodiscard]] std::string update_incomplete_factors(const Space& exec, const System& system,
                                                      SolverChoices& choices);
  [[nodiscard]] std::string update_multigrid(const Space& exec, const System& system,
                                             SolverChoices& choices);
  /// Whether round-off has made the coarsest operator below a matrix for CG one that has no
  /// Cholesky factors, though it is regular.
  bool loses_definiteness(const SolveParameters& effective) const;

  std::shared_ptr<Preconditioner<Scalar, Space>> m_applied;
  std::shared_ptr<JacobiPreconditioner<Scalar, Space>> m_jacobi;
  std::shared_ptr<BlockJacobiPreconditioner<Scalar, Space>> m_blocks;
  std::shared_ptr<IluPreconditioner<Scalar, Space, Offset>> m_incomplete;
  std::shared_ptr<CapturedPreconditioner<Scalar, Space>> m_captured;  ///< around multigrid
  MultigridBuilder<Scalar, Space, Offset> m_multigrid;
};

}  // namespace tessera::detail
