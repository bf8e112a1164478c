// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The iterates that a KrylovMethod keeps, and what it decides by their norms: members that
/// krylov_method.cpp instantiates with the rest of the class.
#pragma once

#include "tessera/kernels/execution/queue_event.hpp"
#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/captured_preconditioner.hpp"
#include "tessera/solver/krylov_method.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace tessera {

template <class Scalar, class Space>
detail::Step KrylovMethod<Scalar, Space>::advance(const Space& exec, const SaveIterate& save,
                                                  int stagnation_window, int turn) {
  if (save) {
    track_best(save);
  }
  const auto columns = static_cast<std::size_t>(m_num_columns);
  const std::span<const double> norms(m_columns.norm_report.data() + turn * columns, columns);
  const std::span<const int> events(m_columns.event_report.data() + turn * columns, columns);
  const detail::Step step = m_control.advance(norms, events, stagnation_window);
  constexpr int no_event = static_cast<int>(kernels::ColumnEvent::none);
  for (int j = 0; j < m_num_columns; ++j) {
    // A column whose norms alone show that it fails: the kernels are told.
    if (step == detail::Step::proceed && m_control.has_failed(j) && events[j] == no_event) {
      Kokkos::deep_copy(exec, Kokkos::subview(m_columns.event, j),
                        static_cast<int>(kernels::ColumnEvent::stopped));
    }
  }
  return step;
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::track_best(const SaveIterate& save) {
  constexpr int no_event = static_cast<int>(kernels::ColumnEvent::none);
  for (int j = 0; j < m_num_columns; ++j) {
    if (!m_control.iterates(j)) continue;
    const double norm = m_columns.norm_report(j);
    if (m_columns.event_report(j) == no_event && norm <= m_best_norms[j]) {
      m_best_norms[j] = norm;
      m_best_is_current[j] = 1;
    } else if (m_best_is_current[j] != 0) {
      save(j, column<Vectors>(m_best, j));
      m_best_is_current[j] = 0;
    }
  }
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::undo_step(const Space& exec, int j, const ConstVectors& x,
                                            const Array<double, Space>& alpha,
                                            const ConstVectors& d, const Vectors& target) {
  kernels::step_back<Scalar, Space>(exec, column(x, j),
                                    ArrayView<const double, Space>(alpha.data() + j, 1),
                                    column(d, j), target);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::restore_best(const Space& exec, const Vectors& x) {
  for (int j = 0; j < m_num_columns; ++j) {
    if (m_best_is_current[j] == 0) {
      kernels::copy<Scalar, Scalar, Space>(exec, column<Vectors>(m_best, j), column(x, j));
    }
  }
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::keep_if_best(const Space& exec, const Vectors& x) {
  for (int j = 0; j < m_num_columns; ++j) {
    if (m_start_norms[j] < m_kept_norms[j]) {
      kernels::copy<Scalar, Scalar, Space>(exec, column(x, j), column<Vectors>(m_kept, j));
      m_kept_norms[j] = m_start_norms[j];
      m_kept_true_norms[j] = m_true_norms[j];
    }
  }
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::restore_kept(const Space& exec, const Vectors& x) {
  for (int j = 0; j < m_num_columns; ++j) {
    // Negated, for the residual may be a NaN.
    if (!m_control.is_solved(j) && !(m_start_norms[j] <= m_kept_norms[j])) {
      kernels::copy<Scalar, Scalar, Space>(exec, column<Vectors>(m_kept, j), column(x, j));
      m_true_norms[j] = m_kept_true_norms[j];
      m_outside_norms[j] = std::max(0.0, m_kept_true_norms[j] - m_kept_norms[j]);
    }
  }
}

template <class Scalar, class Space>
bool KrylovMethod<Scalar, Space>::runs_ahead() const {
  if (m_parameters.residual == ResidualKind::true_residual) return false;
  return m_parameters.ahead == RunAhead::automatic ? kernels::QueueEvent<Space>::waits_for_no_more
                                                   : m_parameters.ahead == RunAhead::on;
}

template <class Scalar, class Space>
typename KrylovMethod<Scalar, Space>::RepeatedSystem KrylovMethod<Scalar, Space>::repeated(
    const System& system) const {
  auto* const captured = dynamic_cast<CapturedPreconditioner<Scalar, Space>*>(system.M);
  // Where no iteration can be recorded, M's own recording is better than none.
  if (captured == nullptr || m_runner == nullptr || !m_runner->failure().empty())
    return {system, 0};
  return {{system.A, captured->inner(), system.b, system.x}, captured->revision()};
}

template <class Scalar, class Space>
typename IterationRunner<Space>::Key KrylovMethod<Scalar, Space>::key_of(
    const RepeatedSystem& repeated, const void* variant) {
  const auto at = [](const auto* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
  const System& system = repeated.system;
  return {at(&system.A),       at(system.M),       repeated.M_revision, at(variant),
          at(system.b.data()), system.b.stride(1), at(system.x.data()), system.x.stride(1)};
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::run_iteration(
    const Space& exec, const RepeatedSystem& repeated, const void* variant,
    const typename IterationRunner<Space>::Work& iteration) const {
  if (m_runner == nullptr) {
    iteration(exec);
    return;
  }
  m_runner->run(exec, key_of(repeated, variant), 0, iteration, iteration);
}

template <class Scalar, class Space>
void KrylovMethod<Scalar, Space>::run_iteration_at(const Space& exec, const System& system,
                                                   int position,
                                                   const SystemWork& iteration) const {
  if (m_runner == nullptr) {
    iteration(exec, system);
    return;
  }
  const RepeatedSystem repeated = this->repeated(system);
  m_runner->run(
      exec, key_of(repeated, nullptr), position,
      [iteration, inner = repeated.system](const Space& instance) { iteration(instance, inner); },
      [&](const Space& instance) { iteration(instance, system); });
}

}  // namespace tessera
