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

namespace tessera::detail {

/// Builds multigrid for the system, and takes new values into what it has built last.
template <class Scalar, class Space, class Offset>
class MultigridBuilder {
 public:
  using System = LinearSystem<Scalar, Space, Offset>;
  using Near = NearNullspace<Scalar, Space>;
  /// Null where the hierarchy's numbers are not finite.
  using Built = std::shared_ptr<Preconditioner<Scalar, Space>>;

  /// Multigrid as `picked` has it, for vectors in the numbering of A. `near`: numbered node by
  /// node. What there is to know of the hierarchy becomes `info`.
  Built build(const Space& exec, const System& system, const SolveParameters& picked,
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
  template <class Working>
  using Extras = amg::FinestExtras<Working, Space, Offset>;

  /// A with its unknowns numbered node by node.
  static Matrix by_node(const Space& exec, const System& system);
  /// Multigrid of that matrix, for vectors in its numbering.
  Built build_by_node(const Space& exec, const System& system, const SolveParameters& picked,
                      const Matrix& by_node, const Near& near, HierarchyInfo& info);
  enum class Scaled { symmetrically, by_rows_and_columns, as_a_whole };
  /// The same of A scaled by powers of two. `plan`: of products in `Working`.
  template <class Working>
  Built equilibrated_multigrid(const Space& exec, const amg::Parameters& p, Scaled how,
                               const Matrix& by_node, const kernels::CsrSpmvPlan<Space>* plan,
                               const Near& near, HierarchyInfo& info);
  /// Multigrid of `by_node` in another precision or not, for vectors of Scalar. `values`: the
  /// matrix's in that precision, nobody else's, or empty where they are yet to be made. `extras`:
  /// of that matrix; what its values were rounded from is nobody else's, either. `scaling`: what
  /// makes the values of A's, null where nothing does.
  template <class Working>
  Built multigrid_in(const Space& exec, const amg::Parameters& p, const Matrix& by_node,
                     Array<Working, Space> values, Extras<Working> extras,
                     const NearNullspace<Working, Space>& near, const Scaling* scaling,
                     HierarchyInfo& info);
  /// Makes `m_refill`. `note`: notes on the multigrid beside its own notes.
  /// `source`: the matrix of which values are written when the multigrid asks. `range`: the
  /// magnitudes at setup, where new values must be near them.
  template <class Working>
  void keep_refill(const std::shared_ptr<amg::Multigrid<Working, Space>>& multigrid,
                   const std::string& note, const std::shared_ptr<Matrix>& source,
                   const Scaling* scaling,
                   const std::optional<kernels::Csr<double, Space, Offset>>& in_double,
                   const std::optional<Magnitudes>& range);

  BuiltMultigrid<Scalar, Space> m_built;
  MultiVector<float, Space> m_float_near_nullspace;
  /// Takes values of A, numbered node by node, into the multigrid that was built, and gives what
  /// there is to know of it by now; false where its numbers are not finite. Empty where nothing is
  /// reused.
  std::function<bool(const Space&, const Matrix&, HierarchyInfo&)> m_refill;
};

}  // namespace tessera::detail
