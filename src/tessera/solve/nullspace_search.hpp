// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The search for the nullspace of a system.
#pragma once

#include "tessera/solve/component_nullspace.hpp"
#include "tessera/solve/given_nullspace.hpp"

#include <string>

namespace tessera::detail {

/// What `solver.nullspace=components` ends with where there are none.
Error no_component_is_singular(bool symmetric);

/// Finds the nullspace of a system, and keeps what projects it out.
template <class Scalar, class Space, class Offset>
class NullspaceSearch {
 public:
  using System = LinearSystem<Scalar, Space, Offset>;

  /// Checks the nullspace that was asked for, and looks for components that are singular where
  /// rows tell of them at sight.
  /// @throws Error of kind `configuration` where A has no nullspace of the kind asked for, or that
  ///         was given.
  void settle(const Space& exec, System& system);
  /// After a solve that failed: looks for components of the matrix that are singular, and for
  /// scaled constants where `or_scaled`, each at most once. Returns what to say of `system`'s
  /// nullspace; empty where it has none.
  std::string look(const Space& exec, System& system, const SolveParameters& effective,
                   bool or_scaled);

  /// Whether A, whose values are new, still annihilates the nullspace that is projected out.
  bool still_holds(const Space& exec, const System& system, NullspaceKind kind) const;

  /// Of the nullspace that was found.
  const NullspaceProjector<Scalar, Space>& projector() const { return m_projectors.of_matrix; }
  /// Of that of A^T, which was given; empty where it was not.
  const NullspaceProjector<Scalar, Space>& transposed_projector() const {
    return m_projectors.of_transpose;
  }

 private:
  void look_for_components(const Space& exec, System& system);
  /// Keeps what was found, if it is more than the constant of all rows.
  void take(const Space& exec, System& system, const ComponentNullspace<Scalar, Space>& found);

  NullspaceProjectors<Scalar, Space> m_projectors;
  bool m_knows_components = false;  ///< which of A's components are singular by their row sums
  bool m_knows_scaled = false;  ///< whether scaled constants are to be found
};

}  // namespace tessera::detail
