// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/detail/scaled_system.hpp"

#include <cmath>

#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::detail {
namespace {

/// Column j of v as an n by 1 view.
template <class View>
View column_of(const View& v, int j) {
  return View(v.data() + static_cast<std::size_t>(j) * v.stride(1), v.extent(0), 1);
}

}  // namespace

template <class Scalar, class Space>
void ScaledSystem<Scalar, Space>::take(const Space& exec, const ConstVectors& b, const Vectors& x) {
  const std::size_t n = b.extent(0), k = b.extent(1);
  if (m_b.extent(0) != n || m_b.extent(1) != k) {
    m_b = allocate_multivector<Scalar>(exec, "tessera::solver::scaled_b", n, k);
    m_x = allocate_multivector<Scalar>(exec, "tessera::solver::scaled_x", n, k);
    m_report = kernels::allocate_report<double>(exec, "tessera::solver::magnitudes", 2 * k);
  }
  const kernels::ReportView<double, Space> of_b(m_report.data(), k), of_x(m_report.data() + k, k);
  kernels::column_magnitudes<Scalar, Space>(exec, b, of_b);
  kernels::column_magnitudes<Scalar, Space>(exec, x, of_x);
  exec.fence("tessera::solver::magnitudes");
  m_exponents.assign(k, 0);
  m_was_finite.assign(k, 0);
  std::vector<int> down(k, 0);
  for (std::size_t j = 0; j < k; ++j) {
    m_was_finite[j] = std::isfinite(of_b(j)) && std::isfinite(of_x(j));
    if (of_b(j) > 0 && std::isfinite(of_b(j))) m_exponents[j] = std::ilogb(of_b(j));
    down[j] = -m_exponents[j];
  }
  kernels::scale_columns<Scalar, Space>(exec, down, b, m_b);
  kernels::scale_columns<Scalar, Space>(exec, down, x, m_x);
  for (std::size_t j = 0; j < k; ++j) {
    if (!(of_b(j) > 0)) clear(exec, static_cast<int>(j));
  }
}

template <class Scalar, class Space>
void ScaledSystem<Scalar, Space>::clear(const Space& exec, int j) const {
  Kokkos::deep_copy(exec, column_of<Vectors>(m_x, j), Scalar(0));
}

template <class Scalar, class Space>
bool ScaledSystem<Scalar, Space>::give_back(const Space& exec, const Vectors& x) const {
  const int k = static_cast<int>(m_exponents.size());
  for (int j = 0; j < k; ++j) {
    kernels::scale_column_counting<Scalar, Space>(
        exec, m_exponents[j], column_of<Vectors>(m_x, j), column_of<Vectors>(x, j),
        kernels::ReportView<double, Space>(m_report.data() + j, 1));
  }
  exec.fence("tessera::solver::scaled_x");
  bool has_lost = false;
  std::vector<int> down(k, 0);
  for (int j = 0; j < k; ++j) {
    has_lost = has_lost || m_report(j) > 0;
    down[j] = -m_exponents[j];
  }
  if (has_lost) kernels::scale_columns<Scalar, Space>(exec, down, x, m_x);
  return has_lost;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, ScaledSystem)

}  // namespace tessera::detail
