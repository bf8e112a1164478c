// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Near-nullspace vectors for multigrid, and the search for a nullspace.
#pragma once

#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve/component_nullspace.hpp"
#include "tessera/solver/nullspace_projector.hpp"

#include <string>
#include <vector>

namespace tessera::detail {

/// The near-nullspace that multigrid is made from; no vectors stand for a unit vector for each
/// unknown of a node.
template <class Scalar, class Space>
struct NearNullspace {
  ConstMultiVectorView<Scalar, Space> near_nullspace;
  std::vector<int> annihilated;  ///< columns of which A makes zero, to round-off or to 2^-40
  int block_size = 1;  ///< unknowns per node
};

/// What multigrid of `system` takes, its nodes being known: the vectors given (n by m), numbered
/// node by node, or those that its nodes ask for, and which of them A annihilates. New vectors lie
/// in `storage`, which the result refers to.
template <class Scalar, class Space, class Offset>
NearNullspace<Scalar, Space> find_near_nullspace(
    const Space& exec, const LinearSystem<Scalar, Space, Offset>& system,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& given,
    MultiVector<Scalar, Space>& storage);

/// The same vectors in another precision.
template <class To, class From, class Space>
MultiVector<To, Space> converted(const Space& exec, const ConstMultiVectorView<From, Space>& v) {
  const auto result =
      allocate_multivector<To>(exec, "tessera::near_nullspace", v.extent(0), v.extent(1));
  kernels::copy(exec, v, MultiVectorView<To, Space>(result));
  return result;
}

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
  const NullspaceProjector<Scalar, Space>& projector() const { return m_projector; }
  /// Of that of A^T, which was given; empty where it was not.
  const NullspaceProjector<Scalar, Space>& transposed_projector() const {
    return m_transposed_projector;
  }

 private:
  /// Checks the nullspace that was given, and makes what projects it out.
  void take_given(const Space& exec, System& system);
  void look_for_components(const Space& exec, System& system);
  /// Keeps what was found, if it is more than the constant of all rows.
  void take(const Space& exec, System& system, const ComponentNullspace<Scalar, Space>& found);

  NullspaceProjector<Scalar, Space> m_projector;
  NullspaceProjector<Scalar, Space> m_transposed_projector;
  bool m_knows_components = false;  ///< which of A's components are singular by their row sums
  bool m_knows_scaled = false;  ///< whether scaled constants are to be found
};

}  // namespace tessera::detail
