// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/gathered_solver.hpp"

#include "tessera/distributed/nonzero_columns.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <limits>

namespace tessera::distributed {

template <class Space>
GatheredSolver<Space>::GatheredSolver(const Space& exec, const Matrix<Space>& A,
                                      const MultiVector<double, Space>& vectors,
                                      const GatheredParameters& parameters)
    : m_processes(A.processes), m_is_first(A.processes->rank() == 0), m_solver(parameters.solve) {
  require(A.row_shares->size() <= std::numeric_limits<Ordinal>::max(), [&] {
    return "a level of " + std::to_string(A.row_shares->size()) +
           " rows is too large to be gathered on one process";
  });
  const Plan plan = gathering_plan(A.processes, *A.row_shares);
  m_rows = RowExchange<Space>(plan, RowExchange<Space>::Direction::forward);
  m_exchange = Exchange<double, Space>(plan);
  m_num_all = m_is_first ? static_cast<Ordinal>(A.row_shares->size()) : 0;
  const ColumnNumbers numbers(A.column_shares->first(), A.num_own_columns(), A.ghosts);
  const auto others = m_rows.pattern(exec, A.rows, numbers);
  on_all_processes(*A.processes, [&] {
    if (!m_is_first) return;
    // All columns are the first process's now, by their numbers among all; its own come first.
    const std::vector<Ordinal> number(A.ghosts.begin(), A.ghosts.end());
    const auto own = renumbered_others(exec, A.rows, A.num_own_columns(), number, m_num_all);
    const auto columns = ColumnNumbers(0, m_num_all).add<Space>(exec, others.columns);
    m_num_own_entries = own.num_entries();
    m_stack = stacked_rows(exec, own, A.rows.num_rows, others, columns, m_num_all);
  });
  gather_values(exec, A);
  const auto given =
      allocate_multivector<double>(exec, "tessera::distributed::vectors",
                                   static_cast<std::size_t>(m_num_all), vectors.extent(1));
  if (vectors.extent(1) > 0) m_exchange.forward(exec, vectors, given);
  on_all_processes(*A.processes, [&] {
    if (has_rows())
      m_solver.setup(exec, m_gathered, without_zero_columns<Space>(exec, given),
                     parameters.block_size);
  });
  agree_on_symmetry();
}

template <class Space>
void GatheredSolver<Space>::gather_values(const Space& exec, const Matrix<Space>& A) {
  m_rows.values(exec, A.rows,
                m_is_first ? values_below(m_stack, m_num_own_entries) : Array<double, Space>());
  on_all_processes(*A.processes, [&] {
    if (!m_is_first) return;
    const auto own = std::make_pair(std::size_t(0), m_num_own_entries);
    if (m_num_own_entries > 0)
      Kokkos::deep_copy(exec, Kokkos::subview(m_stack.values, own), A.rows.values);
    m_gathered = kernels::sort_rows(exec, m_stack.view());
  });
}

template <class Space>
void GatheredSolver<Space>::update(const Space& exec, const Matrix<Space>& A) {
  gather_values(exec, A);
  on_all_processes(*A.processes, [&] {
    if (has_rows()) m_solver.update_values(exec, m_gathered);
  });
  agree_on_symmetry();
}

template <class Space>
void GatheredSolver<Space>::agree_on_symmetry() {
  m_prepared_columns = -1;
  double own = 1;
  if (has_rows()) {
    const SolveParameters& p = m_solver.parameters();
    const bool by_diagonal = p.preconditioner == PreconditionerKind::none ||
                             p.preconditioner == PreconditionerKind::jacobi;
    const bool by_cycles = p.preconditioner == PreconditionerKind::amg &&
                           (p.amg.cycle == amg::CycleType::v || p.amg.cycle == amg::CycleType::w);
    const bool by_matrix = by_cycles || p.preconditioner == PreconditionerKind::direct ||
                           p.preconditioner == PreconditionerKind::block_jacobi ||
                           p.preconditioner == PreconditionerKind::ilu;
    own = by_diagonal || (by_matrix && p.amg.symmetry == amg::AssumedSymmetry::symmetric) ? 1 : 0;
  }
  m_is_symmetric = m_processes->minimum_of(own) > 0;
}

/// z = M r of the gathered vectors.
template <class Space>
void GatheredSolver<Space>::precondition(const Space& exec) {
  if (!has_rows()) return;
  Preconditioner<double, Space>* const M = m_solver.preconditioner();
  if (M == nullptr) return kernels::copy<double, double, Space>(exec, m_gathered_r, m_gathered_z);
  const auto k = static_cast<int>(m_gathered_r.extent(1));
  if (k != m_prepared_columns) M->prepare(exec, k);
  m_prepared_columns = k;
  if (wants_usual_magnitudes(m_solver.parameters()))
    return m_powers.apply(exec, *M, m_gathered_r, m_gathered_z);
  M->apply(exec, m_gathered_r, m_gathered_z);
}

template <class Space>
template <class Scalar>
void GatheredSolver<Space>::apply(const Space& exec, const ConstMultiVectorView<Scalar, Space>& b,
                                  const MultiVectorView<Scalar, Space>& x) {
  const std::size_t n = b.extent(0);
  const std::size_t k = b.extent(1);
  if (m_r.extent(0) != n || m_r.extent(1) != k) {
    const auto all = static_cast<std::size_t>(m_num_all);
    m_r = allocate_multivector<double>(exec, "tessera::distributed::r", n, k);
    m_z = allocate_multivector<double>(exec, "tessera::distributed::z", n, k);
    m_gathered_r = allocate_multivector<double>(exec, "tessera::distributed::r", all, k);
    m_gathered_z = allocate_multivector<double>(exec, "tessera::distributed::z", all, k);
  }
  if (n > 0) kernels::copy<Scalar, double, Space>(exec, b, m_r);
  m_exchange.forward(exec, m_r, m_gathered_r);
  precondition(exec);
  m_exchange.backward(exec, m_gathered_z, m_z);
  if (n > 0) kernels::copy<double, Scalar, Space>(exec, m_z, x);
}

template <class Space>
bool GatheredSolver<Space>::waits_for_host() const {
  if (!has_rows()) return false;
  const SolveParameters& p = m_solver.parameters();
  return p.preconditioner == PreconditionerKind::direct || wants_usual_magnitudes(p);
}

template <class Space>
HierarchyInfo GatheredSolver<Space>::info() const {
  return has_rows() ? m_solver.hierarchy() : HierarchyInfo();
}

template <class Space>
std::vector<std::string> GatheredSolver<Space>::description() const {
  std::vector<std::string> lines;
  if (!has_rows()) return lines;
  const HierarchyInfo& info = m_solver.hierarchy();
  lines.push_back("gathered on process " + std::to_string(m_processes->rank()) + ", setup " +
                  std::to_string(m_solver.setup_ms()) + " ms");
  for (std::size_t l = 0; l < info.levels.size(); ++l)
    lines.push_back("its level " + std::to_string(l) + ": " + std::to_string(info.levels[l].rows) +
                    " unknowns, " + std::to_string(info.levels[l].entries) + " entries");
  lines.insert(lines.end(), info.notes.begin(), info.notes.end());
  return lines;
}

#define TESSERA_INSTANTIATE_APPLY(Scalar, Space)                                                 \
  template void GatheredSolver<Space>::apply<Scalar>(const Space&,                               \
                                                     const ConstMultiVectorView<Scalar, Space>&, \
                                                     const MultiVectorView<Scalar, Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, GatheredSolver)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_APPLY)
#undef TESSERA_INSTANTIATE_APPLY

}  // namespace tessera::distributed
