// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/gathered_solver.hpp"

#include "tessera/distributed/nonzero_columns.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::distributed {

template <class Space>
GatheredSolver<Space>::GatheredSolver(const Space& exec, const Matrix<Space>& A,
                                      const MultiVector<double, Space>& vectors,
                                      const GatheredParameters& parameters,
                                      const Functions<Space>& functions)
    : m_rows(exec, A, std::max(1, parameters.block_size)), m_solver(parameters.solve) {
  MultiVector<double, Space> given;
  on_all_processes(*A.processes, [&] {
    given = allocate_multivector<double>(exec, "tessera::distributed::vectors",
                                         static_cast<std::size_t>(m_rows.num_rows()),
                                         vectors.extent(1));
    m_rows.reserve(vectors.extent(1));
  });
  if (vectors.extent(1) > 0) m_rows.gather(exec, vectors, given);
  const Functions<Space> of_rows = m_rows.gather(exec, functions);
  on_all_processes(*A.processes, [&] {
    if (has_rows() && of_rows) m_solver.set_functions(*of_rows);
    if (has_rows())
      m_solver.setup(exec, m_rows.rows(), without_zero_columns<Space>(exec, given),
                     parameters.block_size);
  });
  agree_on_facts();
}

template <class Space>
void GatheredSolver<Space>::update(const Space& exec, const Matrix<Space>& A) {
  m_rows.take_values(exec, A);
  on_all_processes(*A.processes, [&] {
    if (has_rows()) m_solver.update_values(exec, m_rows.rows());
  });
  agree_on_facts();
}

template <class Space>
void GatheredSolver<Space>::agree_on_facts() {
  m_prepared_columns = -1;
  double own[] = {1, 1};  // that M is symmetric, and has levels
  if (has_rows()) {
    const SolveParameters& p = m_solver.parameters();
    const bool by_diagonal = p.preconditioner == PreconditionerKind::none ||
                             p.preconditioner == PreconditionerKind::jacobi;
    const bool by_cycles = p.preconditioner == PreconditionerKind::amg &&
                           (p.amg.cycle == amg::CycleType::v || p.amg.cycle == amg::CycleType::w);
    const bool by_matrix = by_cycles || p.preconditioner == PreconditionerKind::direct ||
                           p.preconditioner == PreconditionerKind::block_jacobi ||
                           p.preconditioner == PreconditionerKind::ilu;
    own[0] =
        by_diagonal || (by_matrix && p.amg.symmetry == amg::AssumedSymmetry::symmetric) ? 1 : 0;
    own[1] = p.preconditioner == PreconditionerKind::amg && m_solver.hierarchy().levels.size() > 1
                 ? 1
                 : 0;
  }
  m_rows.processes().minimum(own);
  m_is_symmetric = own[0] > 0;
  m_has_levels = own[1] > 0;
}

/// z = M r of the gathered vectors.
template <class Space>
void GatheredSolver<Space>::precondition(const Space& exec) {
  if (!has_rows()) return;
  Preconditioner<double, Space>* const M = m_solver.preconditioner();
  if (M == nullptr) return kernels::copy<double, double, Space>(exec, m_gathered_r, m_gathered_z);
  if (wants_usual_magnitudes(m_solver.parameters()))
    return m_powers.apply(exec, *M, m_gathered_r, m_gathered_z);
  M->apply(exec, m_gathered_r, m_gathered_z);
}

template <class Space>
void GatheredSolver<Space>::prepare(const Space& exec, std::size_t k) {
  m_rows.reserve(k);
  if (m_prepared_columns == static_cast<int>(k)) return;
  m_prepared_columns = -1;
  const auto own = static_cast<std::size_t>(m_rows.num_own_rows());
  const auto all = static_cast<std::size_t>(m_rows.num_rows());
  m_r = allocate_multivector<double>(exec, "tessera::distributed::r", own, k);
  m_z = allocate_multivector<double>(exec, "tessera::distributed::z", own, k);
  m_gathered_r = allocate_multivector<double>(exec, "tessera::distributed::r", all, k);
  m_gathered_z = allocate_multivector<double>(exec, "tessera::distributed::z", all, k);
  if (Preconditioner<double, Space>* const M = has_rows() ? m_solver.preconditioner() : nullptr) {
    M->prepare(exec, static_cast<int>(k));
    m_powers.reserve(exec, k);
  }
  m_prepared_columns = static_cast<int>(k);
}

template <class Space>
template <class Scalar>
void GatheredSolver<Space>::apply(const Space& exec, const ConstMultiVectorView<Scalar, Space>& b,
                                  const MultiVectorView<Scalar, Space>& x) {
  const std::size_t n = b.extent(0);
  if (n > 0) kernels::copy<Scalar, double, Space>(exec, b, m_r);
  m_rows.gather(exec, m_r, m_gathered_r);
  precondition(exec);
  m_rows.scatter(exec, m_gathered_z, m_z);
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
  lines.push_back("gathered on process " + std::to_string(m_rows.processes().rank()) + ", setup " +
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
