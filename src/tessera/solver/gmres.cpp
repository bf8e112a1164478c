// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/gmres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera {

template <class Scalar, class Space>
Gmres<Scalar, Space>::Gmres(const SolverParameters& parameters, bool keeps_directions)
    : Base(parameters), m_keeps_directions(keeps_directions) {
  this->refuse_true_residual(
      "gmres and fgmres form x at the end of a cycle only, and have no b - A x before");
}

template <class Scalar, class Space>
int Gmres<Scalar, Space>::max_basis() const {
  return std::max(1, std::min(this->parameters().gmres.restart, this->parameters().max_iterations));
}

template <class Scalar, class Space>
int Gmres<Scalar, Space>::workspace_items(int k) const {
  return kernels::basis_dot_items(max_basis() + 1, k);
}

template <class Scalar, class Space>
bool Gmres<Scalar, Space>::is_left(const System& system) const {
  return system.M != nullptr && !m_keeps_directions &&
         this->parameters().side == PreconditioningSide::left;
}

template <class Scalar, class Space>
void Gmres<Scalar, Space>::prepare_method(const Space& exec, Ordinal n, int k) {
  const std::size_t m = max_basis();
  m_basis = allocate_multivector<Scalar>(exec, "tessera::gmres::basis", n, k * (m + 1));
  if (m_keeps_directions) {
    m_directions = allocate_multivector<Scalar>(exec, "tessera::gmres::directions", n, k * m);
  }
  m_z = allocate_multivector<Scalar>(exec, "tessera::gmres::z", n, k);
  m_products = allocate_multivector<double>(exec, "tessera::gmres::products", m, k);
  m_second_products = allocate_multivector<double>(exec, "tessera::gmres::second_products", m, k);
  m_next_norm = allocate<double>(exec, "tessera::gmres::next_norm", k);
  m_report = kernels::allocate_report<double>(exec, "tessera::gmres::report",
                                              static_cast<std::size_t>(2 * k) * (m + 1));
  m_upload = kernels::allocate_report<double>(exec, "tessera::gmres::upload", k * m);
  m_least_squares.resize(k);
  m_norm_scale.assign(k, 1);
  for (auto& problem : m_least_squares) {
    problem.prepare(static_cast<int>(m));
  }
}

template <class Scalar, class Space>
typename Gmres<Scalar, Space>::Vectors Gmres<Scalar, Space>::block(
    const MultiVector<Scalar, Space>& vectors, int t) const {
  const std::size_t first = static_cast<std::size_t>(t) * this->num_columns();
  return Vectors(vectors.data() + first * vectors.stride(1), this->num_rows(), this->num_columns());
}

template <class Scalar, class Space>
kernels::Basis<Scalar, Space> Gmres<Scalar, Space>::basis(const MultiVector<Scalar, Space>& vectors,
                                                          int count) const {
  return {vectors, count, this->num_columns(), 1};
}

template <class Scalar, class Space>
void Gmres<Scalar, Space>::run_cycle(const Space& exec, const System& system) {
  start(exec, system);
  const bool ahead = this->runs_ahead();
  int next = 0;  // to be read
  m_queue.run(
      exec, [&](int m) { queue(exec, system, m); },
      [&] {
        return ahead && next + 1 < max_basis() && this->control().iterations_left() > 1 &&
               !this->control().predicts_end();
      },
      [&](int) {
        take_report(next++);
        return this->advance(exec, {}) == detail::Step::proceed && next < max_basis();
      });
  update_iterate(exec, system);
}

template <class Scalar, class Space>
kernels::ReportView<double, Space> Gmres<Scalar, Space>::report(int m) const {
  const std::size_t length = m_report.extent(0) / 2;
  return kernels::ReportView<double, Space>(m_report.data() + (m % 2) * length, length);
}

template <class Scalar, class Space>
void Gmres<Scalar, Space>::start(const Space& exec, const System& system) {
  const auto norms = this->start_norms();
  const Vectors first = block(m_basis, 0);
  if (is_left(system)) {
    this->precondition(exec, system, this->residual(), m_z);
    kernels::squared_norm<Scalar, Space>(exec, this->workspace(), m_z, m_next_norm, m_report);
    kernels::normalise<Scalar, Space>(exec, m_next_norm, m_z, first);
    exec.fence("tessera::gmres::start");
  } else {
    kernels::normalise<Scalar, Space>(exec, this->residual_norm(), this->residual(), first);
  }
  for (int j = 0; j < this->num_columns(); ++j) {
    const double norm = is_left(system) ? m_report(j) : norms[j];
    m_norm_scale[j] = norm > 0 ? norms[j] / norm : 1;
    m_least_squares[j].start(std::sqrt(norm));
    this->columns().norm_report(j) = norms[j];
    this->columns().event_report(j) = static_cast<int>(kernels::ColumnEvent::none);
  }
}

template <class Scalar, class Space>
void Gmres<Scalar, Space>::queue(const Space& exec, const System& system, int m) const {
  // What x is for does not matter to the basis.
  const System without_x{system.A, system.M, {}, {}};
  this->run_iteration_at(exec, without_x, m, [this, m](const Space& instance, const System& inner) {
    extend_basis(instance, inner, m);
  });
}

template <class Scalar, class Space>
void Gmres<Scalar, Space>::extend_basis(const Space& exec, const System& system, int m) const {
  const Vectors v = block(m_basis, m);
  const Vectors w = block(m_basis, m + 1);
  if (is_left(system)) {
    system.A.apply(exec, Scalar(1), v, Scalar(0), m_z);
    this->precondition(exec, system, m_z, w);
  } else {
    const Vectors z = m_keeps_directions ? block(m_directions, m) : Vectors(m_z);
    const bool identity = !m_keeps_directions && !this->has_preconditioner(system);
    if (!identity) {
      this->precondition(exec, system, v, z);
    }
    system.A.apply(exec, Scalar(1), identity ? v : z, Scalar(0), w);
  }
  const auto V = basis(m_basis, m + 1);
  kernels::basis_dot<Scalar, Space>(exec, this->workspace(), V, w, m_products);
  kernels::basis_combine<Scalar, Space>(exec, -1, V, m_products, w);
  kernels::basis_dot<Scalar, Space>(exec, this->workspace(), V, w, m_second_products);
  kernels::basis_remove<Scalar, Space>(exec, this->workspace(), V, m_products, m_second_products, w,
                                       m_next_norm, report(m));
  kernels::normalise<Scalar, Space>(exec, m_next_norm, w, w);
}

template <class Scalar, class Space>
void Gmres<Scalar, Space>::take_report(int m) {
  constexpr double rounding = std::numeric_limits<Scalar>::epsilon();
  const auto& columns = this->columns();
  const double* const reported = report(m).data();
  const std::size_t length = m + 2;
  for (int j = 0; j < this->num_columns(); ++j) {
    if (!this->control().iterates(j)) {
      continue;
    }
    auto& problem = m_least_squares[j];
    const std::span<const double> h(reported + j * length, length);
    if (problem.append(h.first(length - 1), std::sqrt(h.back()), rounding)) {
      columns.norm_report(j) = problem.residual() * problem.residual() * m_norm_scale[j];
    } else {
      const bool finite =
          std::all_of(h.begin(), h.end(), [](double entry) { return std::isfinite(entry); });
      columns.event_report(j) = static_cast<int>(finite ? kernels::ColumnEvent::breakdown
                                                        : kernels::ColumnEvent::not_a_number);
    }
  }
}

template <class Scalar, class Space>
void Gmres<Scalar, Space>::update_iterate(const Space& exec, const System& system) {
  const std::size_t rows = m_products.extent(0);
  int count = 0;
  for (int j = 0; j < this->num_columns(); ++j) {
    const std::span<double> y(m_upload.data() + j * rows, rows);
    count = std::max(count, m_least_squares[j].solve(y, std::numeric_limits<Scalar>::epsilon()));
  }
  if (count == 0) {
    return;
  }
  const ArrayView<double, Space> device_y(m_products.data(), m_products.size());
  Kokkos::deep_copy(exec, device_y, m_upload);
  if (m_keeps_directions) {
    kernels::basis_combine<Scalar, Space>(exec, 1, basis(m_directions, count), m_products,
                                          system.x);
  } else if (is_left(system) || !this->has_preconditioner(system)) {
    kernels::basis_combine<Scalar, Space>(exec, 1, basis(m_basis, count), m_products, system.x);
  } else {
    const Vectors sum = this->residual();  // recomputed before the next cycle
    kernels::scale<Scalar, Space>(exec, Scalar(0), sum);
    kernels::basis_combine<Scalar, Space>(exec, 1, basis(m_basis, count), m_products, sum);
    this->precondition(exec, system, sum, m_z);
    kernels::axpby<Scalar, Space>(exec, Scalar(1), m_z, Scalar(1), system.x);
  }
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, Gmres)

}  // namespace tessera
