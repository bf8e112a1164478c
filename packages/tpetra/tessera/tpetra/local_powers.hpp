// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A process's preconditioner in less than double, for vectors of any magnitude.
#pragma once

#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/tpetra/column_powers.hpp"

#include <vector>

namespace tessera::tpetra {

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

  /// M is prepared for x's columns. Waits for x; memory is taken where a column is out of range.
  void apply(const Space& exec, Preconditioner<double, Space>& M, const ConstVectors& x,
             const Vectors& y) {
    const std::size_t k = x.extent(1);
    if (m_report.extent(0) != k)
      m_report = kernels::allocate_report<double>(exec, "tessera::tpetra::magnitudes", k);
    kernels::column_magnitudes<double, Space>(exec, x, m_report);
    exec.fence("tessera::tpetra::magnitudes");
    std::vector<int> exponents =
        exponents_of(std::vector<double>(m_report.data(), m_report.data() + k));
    if (!any_power(exponents)) return M.apply(exec, x, y);
    const auto scaled =
        allocate_multivector<double>(exec, "tessera::tpetra::scaled", x.extent(0), k);
    for (int& exponent : exponents)
      exponent = -exponent;
    kernels::scale_columns<double, Space>(exec, exponents, x, scaled);
    M.apply(exec, ConstVectors(scaled), y);
    for (int& exponent : exponents)
      exponent = -exponent;
    kernels::scale_columns<double, Space>(exec, exponents, ConstVectors(y), y);
    exec.fence("tessera::tpetra::scaled");  // `scaled` goes
  }

 private:
  kernels::Report<double, Space> m_report;
};

}  // namespace tessera::tpetra
