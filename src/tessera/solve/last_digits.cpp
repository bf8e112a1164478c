// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/last_digits.hpp"

#include "tessera/direct/refinement.hpp"
#include "tessera/direct/selection_rules.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solver/residual_bound.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::detail {
namespace {

std::string scientific(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

/// What there is to say where no vector of doubles was found that is good enough.
std::string limit_note(const direct::Refinement& refinement, double reference) {
  return "beyond double: the solution leaves " + scientific(refinement.norm / reference) +
         ", and " + scientific(refinement.unrounded_norm / reference) +
         " with twice as many digits";
}

double norm_of(const std::vector<double>& values) {
  long double squares = 0;
  for (const double value : values)
    squares += static_cast<long double>(value) * value;
  return static_cast<double>(std::sqrt(squares));
}

/// Column `j` of `v` on the host.
template <class Space, class Vectors>
std::vector<double> column_of(const Space& exec, const Vectors& v, std::size_t j) {
  const ArrayView<const double, Space> column(v.data() + j * v.stride(1), v.extent(0));
  std::vector<double> result(v.extent(0));
  Kokkos::deep_copy(exec, ArrayView<double, HostSpace>(result.data(), result.size()), column);
  exec.fence("tessera::solve::last_digits");
  return result;
}

/// What the result of all columns tells of the refined ones.
void sum_up(const std::vector<std::vector<double>>& histories, SolveResult& result) {
  std::size_t corrections = 0;
  for (const auto& history : histories)
    corrections = std::max(corrections, history.size());
  for (std::size_t k = 0; k < corrections; ++k) {
    double largest = 0;
    for (const auto& history : histories) {
      if (!history.empty()) largest = std::max(largest, history[std::min(k, history.size() - 1)]);
    }
    result.residual_history.push_back(largest);
  }
  result.iterations += static_cast<int>(corrections);
  result.status = SolveStatus::converged;
  result.true_relative_residual = 0;
  for (const ColumnResult& column : result.columns) {
    result.status = std::max(result.status, column.status);
    result.true_relative_residual =
        std::max(result.true_relative_residual, column.true_relative_residual);
  }
}

}  // namespace

template <class Space, class Offset>
std::vector<std::string> refine_columns(const Space& exec,
                                        const kernels::CsrView<double, Space, Offset>& matrix,
                                        const direct::SparseDirect& factors,
                                        const SolverParameters& parameters,
                                        const NonDeduced<ConstMultiVectorView<double, Space>>& b,
                                        const NonDeduced<MultiVectorView<double, Space>>& x,
                                        const Logger& logger, SolveResult& result) {
  std::vector<std::string> notes;
  const Kokkos::Timer timer;
  const auto elapsed_ms = [&] { return result.solve_ms + timer.seconds() * 1e3; };
  const auto A = direct::to_host(exec, matrix);
  if (!A) return notes;
  const int max_corrections =
      std::min<int>(rules::max_extended_corrections, parameters.max_iterations - result.iterations);
  SolveStatus end = SolveStatus::stagnated;
  std::vector<std::vector<double>> histories;
  for (std::size_t j = 0; j < result.columns.size(); ++j) {
    ColumnResult& column = result.columns[j];
    const auto rhs = column_of(exec, b, j);
    const double rhs_norm = norm_of(rhs);
    const double reference = column.reference_norm;
    if (column.status != SolveStatus::stagnated || !(rhs_norm > 0) || !(reference > 0)) continue;
    const double bound = residual_bound(parameters, reference);
    const auto goes_on = [&](int corrections, double norm) {
      const int iteration = result.iterations + corrections;
      if (logger && !logger({iteration, norm / reference, elapsed_ms(), norm / bound}))
        end = SolveStatus::interrupted;
      const double limit_s = parameters.time_limit_s;
      return end == SolveStatus::stagnated && (limit_s == 0 || elapsed_ms() < limit_s * 1e3);
    };
    auto solution = column_of(exec, x, j);
    auto refinement = direct::refine(direct::host_instance(exec), *A, factors, rhs.data(),
                                     solution.data(), bound, max_corrections, goes_on);
    const bool is_enough = refinement.norm <= bound;
    column.status = is_enough ? SolveStatus::converged : end;
    column.by_absolute_tolerance =
        is_enough && meets_absolute_alone(parameters, refinement.norm, reference);
    column.true_relative_residual = refinement.norm / rhs_norm;
    column.iterations += static_cast<int>(refinement.history.size());
    const bool is_beyond = refinement.unrounded_norm <= bound;
    if (column.status == SolveStatus::stagnated && is_beyond)
      notes.push_back(limit_note(refinement, reference));
    for (double& norm : refinement.history)
      norm /= reference;
    histories.push_back(std::move(refinement.history));
    Kokkos::deep_copy(exec, ArrayView<double, Space>(x.data() + j * x.stride(1), x.extent(0)),
                      ArrayView<const double, HostSpace>(solution.data(), solution.size()));
    exec.fence("tessera::solve::last_digits");
  }
  sum_up(histories, result);
  result.solve_ms = elapsed_ms();
  return notes;
}

template <class Scalar, class Space, class Offset>
void refine_last_digits(const Space& exec, SolverState<Scalar, Space, Offset>& solver,
                        const ConstMultiVectorView<Scalar, Space>& b,
                        const MultiVectorView<Scalar, Space>& x, const Logger& logger,
                        SolveResult& result) {
  if constexpr (std::is_same_v<Scalar, double>) {
    const SolverParameters& parameters = solver.effective().solver;
    if (result.status != SolveStatus::stagnated || projects_nullspace(parameters.nullspace) ||
        solver.effective().preconditioner != PreconditionerKind::direct)
      return;
    for (const std::string& note : refine_columns<Space, Offset>(
             exec, solver.system().A.view(), *solver.factors(), parameters, b, x, logger, result))
      solver.note_once(note);
  }
}

#define TESSERA_INSTANTIATE_REFINE_COLUMNS(Space)                                        \
  template std::vector<std::string> refine_columns<Space, std::int64_t>(                 \
      const Space&, const kernels::CsrView<double, Space, std::int64_t>&,                \
      const direct::SparseDirect&, const SolverParameters&,                              \
      const ConstMultiVectorView<double, Space>&, const MultiVectorView<double, Space>&, \
      const Logger&, SolveResult&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_REFINE_COLUMNS)
#undef TESSERA_INSTANTIATE_REFINE_COLUMNS
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refine_last_digits)

}  // namespace tessera::detail
