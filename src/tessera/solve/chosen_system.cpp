// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/chosen_system.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/solve/fallback.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/reacting_unknowns.hpp"
#include "tessera/solve/scaling_search.hpp"
#include "tessera/solve/select.hpp"

#include <type_traits>
#include <utility>

namespace tessera::detail {

/// What was found of the nodes beyond what the user said; empty where it is nothing.
inline std::string nodes_note(const amg::Nodes& nodes, int reacting_unknowns,
                              int given_block_size) {
  if (reacting_unknowns > 1)
    return std::to_string(reacting_unknowns) +
           " unknowns per node, taken one by one: they turn into each other there";
  if (nodes.block_size == 1) return {};
  const std::string count = std::to_string(nodes.block_size) + " unknowns per node";
  if (nodes.by_unknown) return count + ", numbered unknown by unknown: found from the pattern";
  return given_block_size == 0 ? count + ": found from the pattern" : std::string();
}

template <class Scalar, class Space, class Offset>
ChosenSystem<Scalar, Space, Offset> ChosenSystem<Scalar, Space, Offset>::of_no_matrix() const {
  ChosenSystem none(m_system.parameters);
  none.m_system.near_nullspace = m_system.near_nullspace;
  none.m_system.given_nullspace = m_system.given_nullspace;
  none.m_system.given_transposed_nullspace = m_system.given_transposed_nullspace;
  none.m_system.functions = m_system.functions;
  return none;
}

template <class Scalar, class Space, class Offset>
void ChosenSystem<Scalar, Space, Offset>::take_arrays(const Matrix& A) {
  m_system.A = CrsMatrix<Scalar, Space, Offset>(A, m_system.A.plan());
}

template <class Scalar, class Space, class Offset>
void ChosenSystem<Scalar, Space, Offset>::release() {
  m_factors = {};
  m_near_nullspace = {};
}

template <class Scalar, class Space, class Offset>
void ChosenSystem<Scalar, Space, Offset>::take(const Space& exec, const Matrix& A,
                                               const ConstVectors& near_nullspace, int block_size) {
  m_system.A = CrsMatrix<Scalar, Space, Offset>(exec, A);
  m_system.block_size = block_size;
  // They may be those that were kept before.
  if (near_nullspace.data() != m_system.near_nullspace.data()) {
    m_system.near_nullspace = {};
    if (near_nullspace.extent(1) > 0)
      m_system.near_nullspace = converted<Scalar>(exec, near_nullspace);
  }
  m_system.facts = inspect(exec, m_system.A.view(), m_system.A.plan());
}

template <class Scalar, class Space, class Offset>
double ChosenSystem<Scalar, Space, Offset>::choose_only(const Space& exec, const Matrix& A,
                                                        const ConstVectors& near_nullspace,
                                                        int block_size) {
  const kernels::ColumnPatternScope patterns(m_system.parameters.column_patterns);
  m_system.A = CrsMatrix<Scalar, Space, Offset>(exec, A);
  m_system.block_size = block_size;
  m_system.facts = inspect(exec, m_system.A.view(), m_system.A.plan());
  choose(exec, near_nullspace, false);
  if (m_choices.effective.preconditioner != PreconditionerKind::direct) return 0;
  return m_factors.bytes(exec, m_system);
}

template <class Scalar, class Space, class Offset>
MatrixFacts ChosenSystem<Scalar, Space, Offset>::known_facts() const {
  MatrixFacts known = m_system.facts;
  known.one_level_failed = m_one_level_failed;
  known.nodes_are_given = m_system.block_size > 1;
  return known;
}

template <class Scalar, class Space, class Offset>
void ChosenSystem<Scalar, Space, Offset>::choose(const Space& exec,
                                                 const ConstVectors& near_nullspace,
                                                 bool makes_factors) {
  const SolveParameters& asked = m_system.parameters;
  SolveParameters& effective = m_choices.effective;
  const auto kind = asked.preconditioner;
  direct::require_ordering(asked.direct.ordering);
  m_nullspace.settle(exec, m_system);
  const bool by_one_level = one_level_may_do(asked, known_facts());
  const bool multigrid_is_open =
      (kind == PreconditionerKind::amg || kind == PreconditionerKind::automatic) &&
      (!by_one_level || m_system.block_size > 0);
  const bool has_no_nodes =
      m_system.block_size == 0 &&
      (has_cells(m_system.facts) || amg::takes_one_unknown(asked.amg.coarsening));
  m_system.nodes = amg::find_nodes(exec, m_system.A.view(),
                                   multigrid_is_open && !has_no_nodes ? m_system.block_size : 1);
  m_system.facts.reacting_unknowns = 1;
  const bool nodes_are_open = m_system.block_size == 0 && near_nullspace.extent(1) == 0 &&
                              asked.amg.classical.systems == amg::SystemSplitting::unknowns;
  if (nodes_are_open)
    m_system.nodes = without_reacting(exec, m_system.A.view(), m_system.nodes, m_system.facts);
  const amg::Nodes& nodes = m_system.nodes;
  if (multigrid_is_open && nodes.block_size == 1 && near_nullspace.extent(1) == 0)
    look_for_scaling(exec, m_system);
  m_system.facts.has_vectors = amg::is_more_than_constant<Scalar, Space>(exec, near_nullspace);
  const MatrixFacts facts = known_facts();
  const direct::Cost* cost = nullptr;
  if (!by_one_level &&
      may_pay_directly(asked, facts, near_nullspace.extent(1) > 0, nodes.block_size))
    cost = direct_cost(exec);
  const auto select = [&] {
    effective = asked;
    return select_parameters(effective, facts, std::is_same_v<Scalar, double>, nodes.block_size,
                             nodes.coupled && near_nullspace.extent(1) == 0, cost);
  };
  auto selections = select();
  if (effective.preconditioner == PreconditionerKind::direct && makes_factors &&
      !m_factors.make(exec, m_system)) {
    m_factors.set_failed();
    cost = nullptr;
    selections = select();
  }
  for (const Selection& selection : selections)
    m_choices.notes.push_back(selection.note());
  if (effective.preconditioner == PreconditionerKind::direct && m_factors.failed()) {
    effective.preconditioner = PreconditionerKind::jacobi;
    m_choices.notes.push_back("preconditioner jacobi: no factors of finite numbers were found");
  }
}

template <class Scalar, class Space, class Offset>
auto ChosenSystem<Scalar, Space, Offset>::choose_with_vectors(const Space& exec,
                                                              const ConstVectors& near_nullspace,
                                                              MultiVector<Scalar, Space>& storage)
    -> Near {
  choose(exec, near_nullspace, true);
  Near near{near_nullspace, {}, m_system.nodes.block_size};
  if (m_choices.effective.preconditioner == PreconditionerKind::amg) {
    const std::string note =
        nodes_note(m_system.nodes, m_system.facts.reacting_unknowns, m_system.block_size);
    if (!note.empty()) m_choices.notes.push_back(note);
    near = find_near_nullspace(exec, m_system, near_nullspace, storage);
  }
  m_annihilated = near.annihilated;
  return near;
}

template <class Scalar, class Space, class Offset>
void ChosenSystem<Scalar, Space, Offset>::keep_near_nullspace(const Space& exec,
                                                              const ConstVectors& near_nullspace) {
  m_near_nullspace = {};
  const SolveParameters& effective = m_choices.effective;
  const bool of_use = effective.precision == Precision::same &&
                      (may_strengthen(m_system.parameters, effective, m_system.facts) ||
                       has_picked_ilu(m_system.parameters, effective));
  if (of_use && near_nullspace.extent(1) > 0)
    m_near_nullspace = converted<Scalar>(exec, near_nullspace);
}

template <class Scalar, class Space, class Offset>
std::string ChosenSystem<Scalar, Space, Offset>::look_for_nullspace(const Space& exec,
                                                                    bool or_scaled) {
  SolveParameters& effective = m_choices.effective;
  std::string found = m_nullspace.look(exec, m_system, effective, or_scaled);
  if (found.empty()) return {};
  effective.solver.nullspace = NullspaceKind::components;
  if (near_nullspace_is_nullspace()) {
    if (!m_system.nullspace.is_constant &&
        m_system.parameters.equilibration == Equilibration::automatic)
      effective.equilibration = Equilibration::powers_of_two;
    MultiVector<Scalar, Space> storage;
    m_annihilated = find_near_nullspace(exec, m_system, {}, storage).annihilated;
    m_near_nullspace = storage;
  }
  return found;
}

template <class Scalar, class Space, class Offset>
bool ChosenSystem<Scalar, Space, Offset>::near_nullspace_is_nullspace() const {
  return m_choices.effective.preconditioner == PreconditionerKind::amg &&
         m_system.near_nullspace.extent(1) == 0 && m_system.nodes.block_size == 1;
}

template <class Scalar, class Space, class Offset>
bool ChosenSystem<Scalar, Space, Offset>::take_parameters(const Space& exec,
                                                          const SolveParameters& effective) {
  const bool needs_factors = effective.preconditioner == PreconditionerKind::direct &&
                             m_choices.effective.preconditioner != PreconditionerKind::direct;
  if (needs_factors && !m_factors.make(exec, m_system)) {
    m_factors.set_failed();
    return false;
  }
  m_choices.effective = effective;
  return true;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, ChosenSystem)

}  // namespace tessera::detail
