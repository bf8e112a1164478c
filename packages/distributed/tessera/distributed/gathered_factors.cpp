// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/gathered_factors.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solve/last_digits.hpp"

#include <limits>
#include <span>
#include <utility>

namespace tessera::distributed {
namespace {

/// What the first process knows.
void tell(const Communicator& processes, std::span<double> numbers) {
  processes.broadcast(std::as_writable_bytes(numbers), 0);
}

void tell(const Communicator& processes, std::string& text) {
  double length[] = {static_cast<double>(text.size())};
  tell(processes, length);
  text.resize(static_cast<std::size_t>(length[0]));
  processes.broadcast(std::as_writable_bytes(std::span(text)), 0);
}

/// What a refinement changes of a result.
void tell(const Communicator& processes, SolveResult& result) {
  double sums[] = {static_cast<double>(result.status), static_cast<double>(result.iterations),
                   result.true_relative_residual, result.solve_ms,
                   static_cast<double>(result.residual_history.size())};
  tell(processes, sums);
  result.status = static_cast<SolveStatus>(static_cast<int>(sums[0]));
  result.iterations = static_cast<int>(sums[1]);
  result.true_relative_residual = sums[2];
  result.solve_ms = sums[3];
  result.residual_history.resize(static_cast<std::size_t>(sums[4]));
  tell(processes, result.residual_history);
  for (ColumnResult& column : result.columns) {
    double of_column[] = {static_cast<double>(column.status),
                          static_cast<double>(column.iterations), column.true_relative_residual,
                          column.by_absolute_tolerance ? 1.0 : 0.0};
    tell(processes, of_column);
    column.status = static_cast<SolveStatus>(static_cast<int>(of_column[0]));
    column.iterations = static_cast<int>(of_column[1]);
    column.true_relative_residual = of_column[2];
    column.by_absolute_tolerance = of_column[3] > 0;
  }
}

}  // namespace

template <class Space>
GatheredFactors<Space>::GatheredFactors(const Space& exec, const Matrix<Space>& A,
                                        const direct::Parameters& parameters, bool maybe_definite)
    : m_rows(exec, A) {
  double numbers[] = {1, 0, 0, 0};
  on_all_processes(*A.processes, [&] {
    if (!m_rows.has_rows()) return;
    auto host = direct::to_host(exec, m_rows.rows().view());
    numbers[0] = host.has_value() ? 1 : 0;
    if (!host) return;
    m_factors = std::make_shared<direct::SparseDirect>(std::move(*host), maybe_definite,
                                                       parameters.max_bytes(), parameters.ordering);
    if (!m_factors->fits()) m_factors->settle_order();
    const direct::Cost& cost = m_factors->cost();
    numbers[0] = m_factors->fits() ? 1 : 0;
    numbers[1] = cost.flops;
    numbers[2] = cost.entries;
    numbers[3] = cost.in_panels ? 1 : 0;
  });
  tell(*A.processes, numbers);
  m_fits = numbers[0] > 0;
  m_cost = {numbers[1], numbers[2], numbers[3] > 0};
}

template <class Space>
bool GatheredFactors<Space>::agree_on_factors(bool are_made) {
  if (m_rows.processes().minimum_of(are_made ? 1 : 0) == 0) return false;
  if (m_factors != nullptr) m_description = m_factors->description();
  tell(m_rows.processes(), m_description);
  return true;
}

template <class Space>
bool GatheredFactors<Space>::factor(const Space& exec) {
  bool are_made = true;
  on_all_processes(m_rows.processes(), [&] {
    if (!m_rows.has_rows()) return;
    are_made = m_factors != nullptr;
    if (!are_made) return;
    m_factors->settle_order();
    are_made = m_factors->fits() && m_factors->factor(direct::host_instance(exec),
                                                      std::numeric_limits<double>::epsilon());
    m_solve = std::make_unique<direct::DirectPreconditioner<double, Space>>(m_factors);
  });
  return agree_on_factors(are_made);
}

template <class Space>
bool GatheredFactors<Space>::count(const Space&) {
  bool fit = true;
  on_all_processes(m_rows.processes(), [&] {
    if (!m_rows.has_rows()) return;
    fit = m_factors != nullptr;
    if (!fit) return;
    m_factors->settle_order();
    fit = m_factors->fits();
    if (!fit) return;
    m_counted =
        std::make_unique<const CountedMemory>(Kokkos::HostSpace::name(), "tessera::direct::factors",
                                              static_cast<std::size_t>(m_factors->cost().bytes()));
  });
  return m_rows.processes().minimum_of(fit ? 1 : 0) > 0;
}

template <class Space>
bool GatheredFactors<Space>::update(const Space& exec, const Matrix<Space>& A) {
  m_rows.take_values(exec, A);
  bool are_made = true;
  on_all_processes(m_rows.processes(), [&] {
    if (!m_rows.has_rows()) return;
    auto host = direct::to_host(exec, m_rows.rows().view());
    are_made = host.has_value() && m_factors->factor(direct::host_instance(exec), std::move(*host),
                                                     std::numeric_limits<double>::epsilon());
  });
  return agree_on_factors(are_made);
}

template <class Space>
void GatheredFactors<Space>::prepare(const Space& exec, std::size_t k) {
  m_rows.reserve(k);
  const auto n = static_cast<std::size_t>(m_rows.num_rows());
  if (m_gathered_z.extent(0) == n && m_gathered_z.extent(1) == k) return;
  m_gathered_r = allocate_multivector<double>(exec, "tessera::distributed::r", n, k);
  m_gathered_z = allocate_multivector<double>(exec, "tessera::distributed::z", n, k);
}

template <class Space>
void GatheredFactors<Space>::apply(const Space& exec, const ConstVectors& r, const Vectors& z) {
  m_rows.gather(exec, r, m_gathered_r);
  if (m_solve != nullptr)
    m_solve->apply(exec, m_gathered_r, m_gathered_z);
  else if (m_rows.has_rows())
    kernels::copy<double, double, Space>(exec, m_gathered_r, m_gathered_z);
  m_rows.scatter(exec, m_gathered_z, z);
}

template <class Space>
MultiVector<double, Space> GatheredFactors<Space>::gathered(const Space& exec,
                                                            const ConstVectors& v) {
  MultiVector<double, Space> all;
  on_all_processes(m_rows.processes(), [&] {
    all = allocate_multivector<double>(exec, "tessera::distributed::gathered",
                                       static_cast<std::size_t>(m_rows.num_rows()), v.extent(1));
    m_rows.reserve(v.extent(1));
  });
  m_rows.gather(exec, v, all);
  return all;
}

template <class Space>
std::vector<std::string> GatheredFactors<Space>::refine(const Space& exec,
                                                        const SolverParameters& parameters,
                                                        const ConstVectors& b, const Vectors& x,
                                                        const Logger& logger, SolveResult& result) {
  const auto all_b = gathered(exec, b);
  const auto all_x = gathered(exec, x);
  std::vector<std::string> notes;
  on_all_processes(m_rows.processes(), [&] {
    if (m_rows.has_rows())
      notes = tessera::detail::refine_columns(exec, m_rows.rows().view(), *m_factors, parameters,
                                              all_b, all_x, logger, result);
  });
  tell(m_rows.processes(), result);
  m_rows.scatter(exec, all_x, x);
  exec.fence("tessera::distributed::GatheredFactors::refine");
  return notes;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, GatheredFactors)

}  // namespace tessera::distributed
