// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Powers of two that bring the columns of vectors to about the size of 1. M is applied to such
/// columns, too.
#pragma once

#include "tessera/distributed/communicator.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/solve/select.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::distributed {

/// Columns whose largest magnitude is between 2^±this are left as they are: squares of norms are
/// far from the ends of their range then, and so is what float makes of them.
inline constexpr int harmless_exponent = 32;

/// The exponents of the powers of two that columns of these largest magnitudes are to be divided
/// by: 0 for those within 2^±`harmless`, of zeros, and with an infinity or a NaN.
inline std::vector<int> exponents_of(const std::vector<double>& largest,
                                     int harmless = harmless_exponent) {
  std::vector<int> exponents;
  for (const double size : largest) {
    const int exponent = size > 0 && std::isfinite(size) ? std::ilogb(size) : 0;
    exponents.push_back(std::abs(exponent) > harmless ? exponent : 0);
  }
  return exponents;
}

template <class Space>
kernels::Report<double, Space> room_for_magnitudes(const Space& exec, std::size_t columns) {
  return kernels::allocate_report<double>(exec, "tessera::distributed::magnitudes", columns);
}

/// The same of x's columns over all processes, by a report that has room for them. Collective.
template <class Space>
std::vector<int> exponents_of_columns(const Space& exec, const Communicator& processes,
                                      const ConstMultiVectorView<double, Space>& x,
                                      const kernels::Report<double, Space>& report) {
  std::vector<double> largest(x.extent(1), 0.0);
  if (x.extent(0) > 0) {
    const kernels::ReportView<double, Space> columns(report.data(), x.extent(1));
    kernels::column_magnitudes<double, Space>(exec, x, columns);
    exec.fence("tessera::distributed::magnitudes");
    largest.assign(columns.data(), columns.data() + columns.extent(0));
  }
  processes.maximum(largest);
  return exponents_of(largest);
}

inline bool any_power(const std::vector<int>& exponents) {
  return std::any_of(exponents.begin(), exponents.end(),
                     [](int exponent) { return exponent != 0; });
}

/// Whether a preconditioner with these parameters has to have vectors of about the size of 1: it
/// rounds them to float, or takes inner products of them.
inline bool wants_usual_magnitudes(const SolveParameters& p) {
  if (p.preconditioner != PreconditionerKind::amg) return false;
  return rounds_vectors(p) || p.amg.choose_level != nullptr || p.amg.cycle == amg::CycleType::k;
}

/// y = M x, columns of x outside 2^±`harmless_exponent` divided by powers of two meanwhile: M (s x)
/// is s (M x) then, whatever M's precision.
template <class Space>
class LocalPowers {
 public:
  using ConstVectors = ConstMultiVectorView<double, Space>;
  using Vectors = MultiVectorView<double, Space>;

  /// Room for the magnitudes of k columns.
  void reserve(const Space& exec, std::size_t k) {
    if (m_report.extent(0) != k) m_report = room_for_magnitudes(exec, k);
  }
  /// M is prepared for x's columns. Waits for x; memory is taken where a column is out of range.
  void apply(const Space& exec, Preconditioner<double, Space>& M, const ConstVectors& x,
             const Vectors& y) {
    const std::size_t k = x.extent(1);
    reserve(exec, k);
    kernels::column_magnitudes<double, Space>(exec, x, m_report);
    exec.fence("tessera::distributed::magnitudes");
    std::vector<int> exponents =
        exponents_of(std::vector<double>(m_report.data(), m_report.data() + k));
    if (!any_power(exponents)) return M.apply(exec, x, y);
    const auto scaled =
        allocate_multivector<double>(exec, "tessera::distributed::scaled", x.extent(0), k);
    for (int& exponent : exponents)
      exponent = -exponent;
    kernels::scale_columns<double, Space>(exec, exponents, x, scaled);
    M.apply(exec, ConstVectors(scaled), y);
    for (int& exponent : exponents)
      exponent = -exponent;
    kernels::scale_columns<double, Space>(exec, exponents, ConstVectors(y), y);
    exec.fence("tessera::distributed::scaled");  // `scaled` goes
  }

 private:
  kernels::Report<double, Space> m_report;
};

}  // namespace tessera::distributed
