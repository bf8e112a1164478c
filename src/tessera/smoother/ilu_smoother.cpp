// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/ilu_smoother.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <fmt/format.h>

#include <string>

namespace tessera {

template <class Scalar, class Space, class Offset>
std::unique_ptr<CorrectionSmoother<Scalar, Space>> make_ilu_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, const IluParameters& parameters,
    int sweeps) {
  const auto offsets = allocate<Offset>(exec, "tessera::ilu::offsets", entries.num_rows + 1ul);
  const auto columns = allocate<Ordinal>(exec, "tessera::ilu::columns", entries.num_entries);
  Kokkos::deep_copy(exec, offsets, entries.offsets);
  Kokkos::deep_copy(exec, columns, entries.columns);
  auto factors = std::make_unique<IluPreconditioner<Scalar, Space, Offset>>(parameters);
  factors->initialize(exec, {entries.num_rows, entries.num_cols, offsets, columns, {}});
  if (!factors->compute(exec, entries)) {
    throw Error(ErrorKind::bad_input, "smoother ilu: the factors have " +
                                          std::to_string(factors->report().num_not_finite) +
                                          " rows that hold no finite numbers, the first is row " +
                                          std::to_string(factors->report().first_row));
  }
  return std::make_unique<CorrectionSmoother<Scalar, Space>>(A, std::move(factors), 1.0, sweeps);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_ilu_smoother)

template <class Scalar, class Space, class Offset>
void IluPreconditioner<Scalar, Space, Offset>::initialize(const Space& exec, const Matrix& A) {
  using Factors = kernels::IluFactors<Scalar, Space, Offset>;
  m_report = {};
  m_factors = Factors::of_pattern(exec, kernels::make_ilu_pattern(exec, A));
  m_solve = kernels::LuSolve<Scalar, Space, Offset>(exec, m_factors.lower(), m_factors.upper(),
                                                    m_parameters.solve);
}

template <class Scalar, class Space, class Offset>
bool IluPreconditioner<Scalar, Space, Offset>::compute(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A) {
  const kernels::IluOptions options{
      .shift = m_parameters.shift,
      .sweeps = m_parameters.method == IluMethod::fixed_point ? m_parameters.sweeps : 0,
      .absolute = m_parameters.negative_pivots == NegativePivots::absolute};
  const Ordinal n = m_factors.pattern.num_rows;
  // The levels are an order in which neighbours do not need one another.
  const auto& levels = m_solve.lower().levels;
  const kernels::RowOrder order =
      levels.num_rows == n && n > 0
          ? levels.row_order()
          : kernels::RowOrder::natural(kernels::TriangleKind::lower, 0, n);
  m_report = kernels::factor_ilu(exec, A, m_factors, options, order);
  if (options.shift > 0 || m_report.num_small == 0) return m_report.usable(options);
  throw Error(ErrorKind::bad_input,
              fmt::format("ilu: the pivot of row {} is {:g}, and {} rows have such pivots; "
                          "ilu.shift above 0 replaces them",
                          m_report.first_row, m_report.first_pivot, m_report.num_small));
}

template <class Scalar, class Space, class Offset>
void IluPreconditioner<Scalar, Space, Offset>::apply(const Space& exec, const ConstVectors& r,
                                                     const Vectors& z) {
  m_solve.apply(exec, m_factors.lower(), m_factors.upper(), r, z);
}

/// "levels, 190 levels, 1 launch"; by counters each solve prepares the other one's vectors with the
/// sentinel.
template <class Space, class Offset>
std::string describe_plan(const kernels::SptrsvPlan<Space, Offset>& plan) {
  const char* name = "";
  for (const auto& known : sptrsv_algorithm_names)
    if (known.value == plan.algorithm) name = known.name.data();
  Ordinal levels = plan.levels.num_levels;
  for (const auto& triangle : plan.triangles)
    levels += triangle.levels.num_levels;
  const int launches = plan.algorithm == SptrsvAlgorithm::counters ? 1 : plan.num_launches();
  return fmt::format("{}, {} levels, {} launch{}", name, levels, launches,
                     launches == 1 ? "" : "es");
}

template <class Scalar, class Space, class Offset>
std::string IluPreconditioner<Scalar, Space, Offset>::description() const {
  std::string text =
      "L by " + describe_plan(m_solve.lower()) + "; U by " + describe_plan(m_solve.upper());
  if (m_factors.pattern.num_added > 0)
    text += fmt::format("; {} diagonal entries added", m_factors.pattern.num_added);
  if (m_report.num_small > 0)
    text += fmt::format("; {} small pivots shifted, the first in row {} from {:.3g}",
                        m_report.num_small, m_report.first_row, m_report.first_pivot);
  if (m_report.num_turned > 0)
    text += fmt::format("; {} negative pivots made positive, the first in row {} from {:.3g}",
                        m_report.num_turned, m_report.first_turned, m_report.first_turned_pivot);
  if (m_report.diagonal_shift > 0)
    text +=
        fmt::format(", by {:.3g} times the diagonal added to the matrix", m_report.diagonal_shift);
  return text;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, IluPreconditioner)

}  // namespace tessera
