// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The iterates that a KrylovMethod keeps, and what it decides by their norms.
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/column_steps.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/solver/krylov_method.hpp"

#include <algorithm>
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

#define TESSERA_INSTANTIATE(Scalar, Space)                                                     \
  template detail::Step KrylovMethod<Scalar, Space>::advance(const Space&, const SaveIterate&, \
                                                             int, int);                        \
  template void KrylovMethod<Scalar, Space>::undo_step(const Space&, int, const ConstVectors&, \
                                                       const Array<double, Space>&,            \
                                                       const ConstVectors&, const Vectors&);   \
  template void KrylovMethod<Scalar, Space>::restore_best(const Space&, const Vectors&);       \
  template void KrylovMethod<Scalar, Space>::keep_if_best(const Space&, const Vectors&);       \
  template void KrylovMethod<Scalar, Space>::restore_kept(const Space&, const Vectors&);
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
