// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Multigrid as a choice of `Solver`'s: in the precision, scaling and numbering that were picked.
#pragma once

#include "tessera/amg/cycle/hierarchy_info.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/amg/scaling/equilibration.hpp"
#include "tessera/matrix/magnitudes.hpp"
#include "tessera/solve/built_multigrid.hpp"
#include "tessera/solve/near_nullspace.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace tessera::detail {

/// Builds multigrid for the system, and takes new values into what it has built last.
template <class Scalar, class Space, class Offset>
class MultigridBuilder {
 public:
  using System = LinearSystem<Scalar, Space, Offset>;
  using Near = NearNullspace<Scalar, Space>;
  /// Null where the hierarchy's numbers are not finite.
  using Built = std::shared_ptr<Preconditioner<Scalar, Space>>;

  /// Multigrid as `picked` has it, in `Working`, for vectors in the numbering of A. `near`:
  /// numbered node by node. What there is to know of the hierarchy becomes `info`.
  template <class Working>
  Built build_multigrid(const Space& exec, const System& system, const SolveParameters& picked,
                        const Near& near, HierarchyInfo& info);

  /// Whether it keeps what new values can be taken into.
  bool can_update() const { return m_refill != nullptr; }
  /// Takes A's new values into the multigrid that was built. False where its numbers are not
  /// finite.
  [[nodiscard]] bool update(const Space& exec, const System& system, HierarchyInfo& info) const;

  /// Frees what was built.
  void release() {
    m_refill = nullptr;
    m_built = {};
  }

  /// What was built last.
  const BuiltMultigrid<Scalar, Space>& built() const { return m_built; }

  /// The near-nullspace in float, numbered node by node, after multigrid in float; else empty.
  ConstMultiVectorView<float, Space> float_near_nullspace() const { return m_float_near_nullspace; }
  void forget_near_nullspace() { m_float_near_nullspace = {}; }

 private:
  using Matrix = kernels::Csr<Scalar, Space, Offset>;
  using Scaling = amg::Equilibration<Space>;

  /// A with its unknowns numbered node by node.
  static Matrix by_node(const Space& exec, const System& system);
  /// `near` in `Working`, its vectors being `m_float_near_nullspace` in another scalar than A's.
  template <class Working>
  NearNullspace<Working, Space> near_in(const Near& near) const;
  /// The multigrid for vectors of A: of its scalar, scaling and numbering.
  template <class Working>
  Built wrapped(const Space& exec, const System& system, const std::optional<Scaling>& scaling,
                std::shared_ptr<amg::Multigrid<Working, Space>> multigrid);
  /// Makes `m_refill`. `note`: notes on the multigrid beside its own notes.
  /// `matrix`: that of which values are written when the multigrid asks. `range`: the magnitudes at
  /// setup, where new values must be near them.
  template <class Working>
  void keep_refill(const std::shared_ptr<amg::Multigrid<Working, Space>>& multigrid,
                   const std::string& note, const std::shared_ptr<Matrix>& matrix,
                   const std::optional<Magnitudes>& range,
                   const std::optional<amg::FoundScaling<Space>>& found);

  BuiltMultigrid<Scalar, Space> m_built;
  MultiVector<float, Space> m_float_near_nullspace;
  /// Takes values of A, numbered node by node, into the multigrid that was built, and gives what
  /// there is to know of it by now; false where its numbers are not finite. Empty where nothing is
  /// reused.
  std::function<bool(const Space&, const Matrix&, HierarchyInfo&)> m_refill;
};

}  // namespace tessera::detail
