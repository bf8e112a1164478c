// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/limited_setup.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/forecast.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <algorithm>
#include <type_traits>

namespace tessera::detail {

template <class Scalar, class Space, class Offset>
bool LimitedSetup<Scalar, Space, Offset>::fits(const Space& exec, const Matrix& A,
                                               const ConstVectors& near_nullspace, int block_size,
                                               const FrugalChoice& choice, bool picks_factors,
                                               std::string& obstacle) {
  const double limit = max_bytes(m_asked);
  const double trial_entries = std::min(rules::max_entries_of_trial.value,
                                        std::max(1.0, rules::share_of_trial * A.num_entries()));
  const bool is_small = static_cast<double>(A.num_entries()) <= rules::max_entries_of_trial;
  SolveParameters parameters = choice.parameters;
  MemoryForecast forecast;
  try {
    within_limit([&] {
      forecast = forecast_memory<Scalar, Space, Offset>(
          exec, A, near_nullspace, block_size, parameters, m_solver.system().given_nullspace,
          is_small ? rules::max_entries_of_trial.value : trial_entries);
    });
    const auto peak = static_cast<double>(forecast.peak_bytes());
    if (peak > limit) {
      obstacle = "a forecast of " + to_string(forecast);
      return false;
    }
    // Factors that a solve turns to have what the rest leaves.
    const bool is_by_factors =
        parameters.preconditioner == PreconditionerKind::direct ||
        (picks_factors && parameters.preconditioner == PreconditionerKind::automatic);
    if (kernels::is_host_space<Space> && m_asked.max_memory_mb > 0 && !is_by_factors)
      parameters.direct.max_memory_mb =
          std::min(parameters.direct.max_memory_mb, (limit - peak) / 0x1p20);
    m_solver.set_parameters(parameters);
    within_limit([&] { m_solver.choose_and_build(exec, A, near_nullspace, block_size); });
  } catch (const MemoryLimitExceeded& error) {
    obstacle = std::string("more ") + error.what();
    return false;
  }
  m_solver.show_forecast(forecast);
  return true;
}

template <class Scalar, class Space, class Offset>
std::string LimitedSetup<Scalar, Space, Offset>::limit_text() const {
  return "max_memory_mb is " + mebibytes(max_bytes(m_asked)) + ", and ";
}

template <class Scalar, class Space, class Offset>
PickedFor LimitedSetup<Scalar, Space, Offset>::look(const Space& exec, const Matrix& A,
                                                    const ConstVectors& near_nullspace,
                                                    int block_size) {
  PickedFor picked;
  try {
    within_limit([&] {
      m_solver.release();
      picked = picked_for<Scalar, Space, Offset>(exec, A, near_nullspace, block_size, m_asked,
                                                 m_solver.system().given_nullspace);
    });
  } catch (const MemoryLimitExceeded& error) {
    throw Error(ErrorKind::out_of_memory, "setup: " + limit_text() +
                                              "looking at the matrix alone takes more (" +
                                              error.what() + "); raise max_memory_mb");
  }
  return picked;
}

template <class Scalar, class Space, class Offset>
void LimitedSetup<Scalar, Space, Offset>::set_up(const Space& exec, const Matrix& A,
                                                 const ConstVectors& near_nullspace,
                                                 int block_size) {
  m_solver.set_parameters(m_asked);
  // They may be the solver's own, which goes before another one is tried.
  const auto vectors = m_solver.system().near_nullspace;
  const PickedFor picked = look(exec, A, near_nullspace, block_size);
  const bool picks_factors = picked.effective.preconditioner == PreconditionerKind::direct;
  std::string obstacle, first_obstacle;
  const auto choices = frugal_choices(m_asked, picked, std::is_same_v<Scalar, double>);
  for (const FrugalChoice& choice : choices) {
    if (fits(exec, A, near_nullspace, block_size, choice, picks_factors, obstacle)) {
      if (!choice.gives_up.empty())
        m_solver.note_once(std::string("gives up ")
                               .append(choice.gives_up)
                               .append(": ")
                               .append(limit_text())
                               .append("without that setup needs ")
                               .append(obstacle));
      return;
    }
    if (first_obstacle.empty()) first_obstacle = obstacle;
  }
  m_solver.set_parameters(m_asked);
  std::string message = "setup: " + limit_text() + "what was asked needs " + first_obstacle;
  if (choices.size() > 1) message += "; with all given up that may be, " + obstacle;
  throw Error(ErrorKind::out_of_memory,
              message + "; " + advice_for_limit(m_asked, picked.effective));
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, LimitedSetup)

}  // namespace tessera::detail
