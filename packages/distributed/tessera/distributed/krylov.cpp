// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/krylov.hpp"

#include "tessera/distributed/column_powers.hpp"
#include "tessera/distributed/column_updates.hpp"
#include "tessera/distributed/message_room.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/step_memory_limit.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::distributed {

template <class Space>
MultiVector<double, Space> Krylov<Space>::vectors_like_x(const Space& exec) const {
  return allocate_multivector<double>(exec, "tessera::distributed::krylov", m_residual.extent(0),
                                      m_residual.extent(1));
}

template <class Space>
void Krylov<Space>::take(const std::function<void()>& work) {
  if (m_lacks_memory != nullptr) return;
  try {
    StepMemoryLimit::run(work);
  } catch (...) {
    m_lacks_memory = std::current_exception();
  }
}

template <class Space>
std::array<double, 3> Krylov<Space>::wishes() const {
  const double late = m_parameters.time_limit_s > 0 &&
                      m_ms_before + m_timer.seconds() * 1e3 >= m_parameters.time_limit_s * 1e3;
  return {m_wants_interrupt, late, m_lacks_memory != nullptr ? 1.0 : 0.0};
}

template <class Space>
void Krylov<Space>::heed(const double* all_wishes) {
  if (all_wishes[0] > 0) m_control.stop(SolveStatus::interrupted);
  if (all_wishes[1] > 0) m_control.stop(SolveStatus::time_limit);
  if (all_wishes[2] > 0) {
    m_has_room = false;
    on_all_processes(*m_system.processes, [&] {
      if (m_lacks_memory != nullptr) std::rethrow_exception(m_lacks_memory);
    });
  }
}

template <class Space>
std::vector<double> Krylov<Space>::products(const Space& exec, std::span<const Pair> pairs) {
  auto all_wishes = wishes();
  auto sums = m_products(exec, pairs, all_wishes);
  heed(all_wishes.data());
  return sums;
}

template <class Space>
ArrayView<const double, Space> Krylov<Space>::queue_products(const Space& exec,
                                                             std::span<const Pair> pairs) {
  return m_products.queue(
      exec, pairs, kernels::ReportView<const double, Space>(m_wishes.data(), wishes().size()));
}

template <class Space>
void Krylov<Space>::say_wishes() {
  std::ranges::copy(wishes(), m_wishes.data());
}

template <class Space>
kernels::ReportView<double, Space> Krylov<Space>::heard_wishes() const {
  const std::size_t count = m_wishes.extent(0) / 2;
  return kernels::ReportView<double, Space>(m_wishes.data() + count, count);
}

template <class Space>
void Krylov<Space>::hear_wishes(const Space& exec) {
  m_products.wait(exec);
  heed(heard_wishes().data());
}

template <class Space>
void Krylov<Space>::reserve_products(const Space& exec, std::size_t count) {
  m_products.reserve(exec, count + wishes().size());
}

template <class Space>
void Krylov<Space>::begin_repeating(const Space& exec, const Vectors& x) {
  if (m_recorder == nullptr) return;
  const auto address = [](const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  };
  m_recorder->begin(
      exec, {address(this), address(m_system.A), address(m_residual.data()),
             address(m_wishes.data()), address(x.data()), x.extent(0), x.extent(1), x.stride(1),
             m_system.revision == nullptr ? 0 : *m_system.revision, address(m_system.nullspace)});
}

template <class Space>
void Krylov<Space>::multiply(const Space& exec, const ConstVectors& x, const Vectors& y) const {
  m_system.A->apply(exec, 1, x, 0, y);
}

template <class Space>
void Krylov<Space>::precondition(const Space& exec, const ConstVectors& r, const Vectors& z) {
  m_system.M(exec, r, z);
  project(exec, z);
}

template <class Space>
void Krylov<Space>::project(const Space& exec, const Vectors& v) const {
  if (m_system.nullspace != nullptr) m_system.nullspace->apply(exec, v);
}

template <class Space>
void Krylov<Space>::renew_residual(const Space& exec, const ConstVectors& b, const Vectors& x) {
  m_system.A->residual(exec, b, x, m_residual);
  project(exec, m_residual);
}

template <class Space>
tessera::detail::Step Krylov<Space>::advance(const Numbers& norms,
                                             const std::vector<kernels::ColumnEvent>& events,
                                             int stagnation_window) {
  std::vector<int> numbers(events.size());
  std::ranges::transform(events, numbers.begin(),
                         [](kernels::ColumnEvent event) { return static_cast<int>(event); });
  return m_control.advance(norms, numbers, stagnation_window);
}

template <class Space>
void Krylov<Space>::measure(const Space& exec, const ConstVectors& b, const Vectors& x) {
  project(exec, x);
  m_system.A->residual(exec, b, x, m_residual);
  m_true_norms = products(exec, {{m_residual, m_residual}});
  m_start_norms = m_true_norms;
  if (m_system.left_nullspace != nullptr) {
    // Twice, for what lies outside the range leaves its round-off.
    m_system.left_nullspace->apply(exec, m_residual);
    m_system.left_nullspace->apply(exec, m_residual);
    m_start_norms = products(exec, {{m_residual, m_residual}});
  }
  for (std::size_t j = 0; j < num_columns(); ++j)
    m_outside_norms[j] = std::max(0.0, m_true_norms[j] - m_start_norms[j]);  // 0 for a NaN
}

template <class Space>
void Krylov<Space>::run_cycles(const Space& exec, const ConstVectors& b, const Vectors& x) {
  constexpr double reduction = std::numeric_limits<double>::epsilon() / 100;
  do {
    for (std::size_t j = 0; j < num_columns(); ++j) {
      if (!(m_start_norms[j] < m_kept_norms[j])) continue;
      kernels::copy<double, double, Space>(exec, column_of(x, j), column_of(Vectors(m_kept), j));
      m_kept_norms[j] = m_start_norms[j];
      m_kept_true_norms[j] = m_true_norms[j];
    }
    m_control.begin_cycle(m_start_norms, reduction);
    if (m_control.any_iterates()) run_cycle(exec, b, x);
    measure(exec, b, x);
  } while (m_control.end_cycle(m_true_norms, m_start_norms, restarts_after_breakdown()));
  for (std::size_t j = 0; j < num_columns(); ++j) {
    // Negated, for the residual may be a NaN.
    if (m_control.is_solved(static_cast<int>(j)) || m_start_norms[j] <= m_kept_norms[j]) continue;
    if (m_kept_norms[j] == std::numeric_limits<double>::infinity()) continue;
    kernels::copy<double, double, Space>(exec, column_of(Vectors(m_kept), j), column_of(x, j));
    m_true_norms[j] = m_kept_true_norms[j];
    m_outside_norms[j] = std::max(0.0, m_kept_true_norms[j] - m_kept_norms[j]);
  }
}

template <class Space>
void Krylov<Space>::tell_logger(const IterationInfo& info) {
  if (m_logger && !m_logger(info)) m_wants_interrupt = 1;
}

/// On this process, for n by k. Sends nothing.
template <class Space>
void Krylov<Space>::make_room(const Space& exec, std::size_t n, std::size_t k) {
  if (!m_has_room) {
    m_products = InnerProducts<Space>(exec, m_system.processes, k);
    m_residual = allocate_multivector<double>(exec, "tessera::distributed::residual", n, k);
    m_kept = vectors_like_x(exec);
    m_wishes =
        kernels::allocate_report<double>(exec, "tessera::distributed::wishes", 2 * wishes().size());
    m_magnitudes = room_for_magnitudes(exec, k);
    m_scaled_b = m_scaled_x = {};
    reserve_products(exec, k);
    m_products.reserve_rows(exec, n);
    prepare(exec, n, k);
  }
  reserve_messages<double, Space>(exec, m_system.A, k);
  if (m_system.nullspace != nullptr) m_system.nullspace->prepare(exec, k);
  if (m_system.left_nullspace != nullptr) m_system.left_nullspace->prepare(exec, k);
  if (m_system.make_room) m_system.make_room(exec, k);
}

/// For b and x whose columns are brought to about 1. Collective.
template <class Space>
void Krylov<Space>::make_room_to_scale(const Space& exec) {
  on_all_processes(*m_system.processes, [&] {
    if (m_scaled_b.extent(1) == m_residual.extent(1)) return;
    m_scaled_x = vectors_like_x(exec);
    m_scaled_b = vectors_like_x(exec);
  });
}

template <class Space>
SolveResult Krylov<Space>::solve(const Space& exec, const System<Space>& system,
                                 const ConstVectors& b, const Vectors& x,
                                 const SolveResult* before) {
  const std::size_t n = x.extent(0);
  const std::size_t k = x.extent(1);
  m_system = system;
  m_timer.reset();
  m_ms_before = before != nullptr ? before->solve_ms : 0;
  m_wants_interrupt = 0;
  m_lacks_memory = nullptr;
  m_has_room = m_has_room && m_residual.extent(0) == n && m_residual.extent(1) == k &&
               m_products.num_columns() == k;
  if (!m_has_room && m_recorder != nullptr)
    m_recorder->forget();  // before the memory that it has recorded goes
  try {
    on_all_processes(*system.processes, [&] { make_room(exec, n, k); });
  } catch (...) {
    m_has_room = false;
    if (system.make_room) system.make_room(exec, 0);
    throw;
  }
  m_has_room = true;
  // The time and the logger are for all processes together: see `products`.
  SolverParameters limits = m_parameters;
  limits.time_limit_s = 0;
  m_control.start(
      limits,
      [this](const IterationInfo& info) {
        tell_logger(info);
        return true;
      },
      static_cast<int>(k), before);
  m_outside_norms.assign(k, 0);
  m_kept_norms.assign(k, std::numeric_limits<double>::infinity());
  m_kept_true_norms.assign(k, std::numeric_limits<double>::infinity());
  m_start_norms.assign(k, 0);
  // Squares of columns far from 1 leave double's range: powers of two are taken out of them.
  std::vector<int> exponents =
      exponents_of_columns<Space>(exec, *system.processes, b, m_magnitudes);
  if (!any_power(exponents)) {
    iterate(exec, b, x);
  } else {
    m_control.set_exponents(exponents);
    make_room_to_scale(exec);
    const Vectors scaled_b = m_scaled_b;
    const Vectors scaled_x = m_scaled_x;
    const auto scale = [&](int sign, const ConstVectors& from, const Vectors& to) {
      auto signed_exponents = exponents;
      for (int& exponent : signed_exponents)
        exponent *= sign;
      if (n > 0) kernels::scale_columns<double, Space>(exec, signed_exponents, from, to);
    };
    scale(-1, b, scaled_b);
    scale(-1, x, scaled_x);
    iterate(exec, scaled_b, scaled_x);
    scale(1, ConstVectors(scaled_x), x);
    scale(-1, x, scaled_x);
    measure(exec, scaled_b, scaled_x);
    m_control.amend(m_true_norms, m_start_norms);
  }
  exec.fence("tessera::distributed::Krylov");
  return m_control.result(m_true_norms, m_outside_norms);
}

template <class Space>
void Krylov<Space>::iterate(const Space& exec, const ConstVectors& b, const Vectors& x) {
  const auto rhs_norms = products(exec, {{b, b}});
  measure(exec, b, x);
  // A guess that is worse than none by what rounding leaves of it is not gone on with.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  bool drops_guess = false;
  for (std::size_t j = 0; j < num_columns(); ++j) {
    const double norm = m_true_norms[j];
    if (!std::isfinite(norm) || norm * (epsilon * epsilon) <= rhs_norms[j]) continue;
    kernels::scale<double, Space>(exec, 0, column_of(x, j));
    drops_guess = true;
  }
  if (drops_guess) measure(exec, b, x);
  if (m_control.begin(rhs_norms, m_true_norms, m_start_norms) == tessera::detail::Step::proceed)
    run_cycles(exec, b, x);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Krylov)

}  // namespace tessera::distributed
