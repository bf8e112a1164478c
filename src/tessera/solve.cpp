// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve.hpp"

#include "tessera/amg/coarsening/check_near_nullspace.hpp"
#include "tessera/amg/setup/level_choices.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/kernels/execution/recording_threads.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/matrix/require_tensor_cores.hpp"
#include "tessera/matrix/same_pattern.hpp"
#include "tessera/operator/check_parameters.hpp"
#include "tessera/operator/out_of_memory.hpp"
#include "tessera/solve/forecast.hpp"
#include "tessera/solve/given_nullspace.hpp"
#include "tessera/solve/level_copies.hpp"
#include "tessera/solve/limited_setup.hpp"
#include "tessera/solve/solve_attempts.hpp"
#include "tessera/solve/solver_state.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace tessera {
namespace detail {

/// `count`: functions that were given, 0 where none were.
inline void check_functions(std::size_t count, Ordinal num_rows, int block_size) {
  require(count == 0 || (count == static_cast<std::size_t>(num_rows) && block_size == 1), [&] {
    return "Solver::set_functions was given " + std::to_string(count) +
           " rows' functions; the matrix has " + std::to_string(num_rows) +
           " rows, and block_size is " + std::to_string(block_size) + " where it has to be 1";
  });
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
struct Solver<Scalar, Space, Offset>::State {
  explicit State(const SolveParameters& parameters)
      : asked(parameters), built(parameters), limited(asked, built) {}

  /// Takes A's values into what was built. Returns why that turns out to be impossible, empty where
  /// it is done, and the bytes that it had at once.
  std::string take_values(const Space& exec, const Matrix& A, std::uint64_t& peak_bytes);

  /// Runs `work`, of a call that is named so, with memory that runs out as an error. Where it
  /// throws and leaves no solver, what was built is freed.
  template <class Work>
  void run(const char* call, const Work& work);

  SolveParameters asked;
  detail::SolverState<Scalar, Space, Offset> built;
  detail::LimitedSetup<Scalar, Space, Offset> limited;
  Logger logger;
  LogTiming log_timing = LogTiming::live;
  double setup_ms = 0;
  Array<const std::uint64_t, Space> pattern_hashes;  ///< of A at setup
  bool knows_pattern = false;  ///< and near-nullspace vectors: of a setup that succeeded
};

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::Solver(SolveParameters parameters)
    : m_state(std::make_unique<State>(parameters)) {
  check_parameters(parameters);
  require_tensor_cores<Space>(parameters.tensor_cores);
  amg::check_vectors(parameters.amg.levels,
                     std::is_same_v<Scalar, double> && parameters.precision != Precision::single);
}

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::~Solver() = default;

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>::Solver(Solver&&) noexcept = default;

template <class Scalar, class Space, class Offset>
Solver<Scalar, Space, Offset>& Solver<Scalar, Space, Offset>::operator=(Solver&&) noexcept =
    default;

template <class Scalar, class Space, class Offset>
typename Solver<Scalar, Space, Offset>::State& Solver<Scalar, Space, Offset>::state() const {
  require(m_state != nullptr, [] {
    return std::string("this Solver was moved from; assign another one to it before it is used");
  });
  return *m_state;
}

template <class Scalar, class Space, class Offset>
std::string Solver<Scalar, Space, Offset>::State::take_values(const Space& exec, const Matrix& A,
                                                              std::uint64_t& peak_bytes) {
  const SolveParameters& parameters = built.system().parameters;
  const MemoryTracker memory(Space::memory_space::name(), parameters.amg.measure_memory);
  const kernels::ColumnPatternScope patterns(parameters.column_patterns);
  const kernels::TensorCoreScope tensor_cores(parameters.tensor_cores);
  std::string obstacle = built.update(exec, A);
  peak_bytes = memory.peak_bytes();
  return obstacle;
}

template <class Scalar, class Space, class Offset>
template <class Work>
void Solver<Scalar, Space, Offset>::State::run(const char* call, const Work& work) {
  const auto step = [&] {
    return std::string(call) + (built.is_ready() ? "" : std::string(", ") + built.step());
  };
  try {
    detail::with_memory_errors(step, work);
  } catch (const MemoryLimitExceeded& error) {
    if (!built.is_ready()) built.release();
    throw detail::limit_reached(call, error);
  } catch (...) {
    if (!built.is_ready()) built.release();
    throw;
  }
}

template <class Scalar, class Space, class Offset>
MemoryForecast Solver<Scalar, Space, Offset>::forecast_memory(const Space& exec, const Matrix& A,
                                                              const ConstVectors& near_nullspace,
                                                              int block_size) const {
  const auto& s = state();
  kernels::announce_thread();
  MemoryForecast forecast;
  detail::with_memory_errors(
      [] { return std::string("forecast_memory"); },
      [&] {
        exec.fence("tessera::Solver::forecast_memory");
        amg::check_near_nullspace<Scalar, Space>(exec, A.num_rows, near_nullspace);
        SolveParameters parameters = s.asked;
        parameters.max_memory_mb = 0;
        forecast = detail::forecast_memory<Scalar, Space, Offset>(
            exec, A, near_nullspace, block_size, parameters, s.built.system().given_nullspace);
      });
  return forecast;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::setup(const Space& exec, const Matrix& A,
                                          const ConstVectors& near_nullspace, int block_size) {
  auto& s = state();
  kernels::announce_thread();
  const Kokkos::Timer timer;
  s.built.set_ready(false);
  s.knows_pattern = false;
  s.run("setup", [&] {
    exec.fence("tessera::Solver::setup");
    amg::check_near_nullspace<Scalar, Space>(exec, A.num_rows, near_nullspace);
    detail::check_functions(s.built.system().functions.extent(0), A.num_rows, block_size);
    s.pattern_hashes = {};
    if (s.limited.forecasts())
      s.limited.set_up(exec, A, near_nullspace, block_size);
    else
      s.built.choose_and_build(exec, A, near_nullspace, block_size);
    s.pattern_hashes = pattern_hashes(exec, s.built.system().A.view());
    exec.fence("tessera::Solver::setup");
  });
  s.setup_ms = timer.seconds() * 1e3;
  s.knows_pattern = true;
  s.built.set_ready(true);
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::update_values(const Space& exec) {
  update_values(exec, state().built.system().A.arrays());
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::update_values(const Space& exec, const Matrix& A) {
  auto& s = state();
  kernels::announce_thread();
  auto& built = s.built;
  require(s.knows_pattern && built.has_system(), [] {
    return std::string("Solver::update_values before a setup that succeeded; call Solver::setup");
  });
  s.run("update_values", [&] {
    require_same_pattern(exec, built.system().A.view(), A.view(), s.pattern_hashes);
    exec.fence("tessera::Solver::update_values");
    const Kokkos::Timer timer;
    // After values that were an error there is nothing to take others into.
    const bool can_update = built.is_ready() && built.can_update();
    built.set_ready(false);
    std::uint64_t peak_bytes = 0;
    std::string obstacle;
    if (can_update) s.limited.within_limit([&] { obstacle = s.take_values(exec, A, peak_bytes); });
    if (!can_update || !obstacle.empty()) {
      const auto vectors = built.system().near_nullspace;
      const int block_size = built.system().block_size;
      if (s.limited.forecasts())
        s.limited.set_up(exec, A, vectors, block_size);
      else
        built.choose_and_build(exec, A, vectors, block_size);
      if (!obstacle.empty()) built.note_repeated_setup(obstacle);
      // What the update had allocated is gone when the setup begins.
      peak_bytes = std::max(peak_bytes, built.info().setup_peak_bytes);
    }
    built.set_peak_bytes(peak_bytes);
    exec.fence("tessera::Solver::update_values");
    s.setup_ms = timer.seconds() * 1e3;
    built.set_ready(true);
  });
}

template <class Scalar, class Space, class Offset>
Preconditioner<Scalar, Space>* Solver<Scalar, Space, Offset>::preconditioner() const {
  require(state().built.is_ready(), [] {
    return std::string("Solver::preconditioner before a setup that succeeded; call Solver::setup");
  });
  return state().built.preconditioner();
}

template <class Scalar, class Space, class Offset>
SolveResult Solver<Scalar, Space, Offset>::solve(const Space& exec, const ConstVectors& b,
                                                 const Vectors& x) {
  require(state().built.is_ready(), [] {
    return std::string("Solver::solve before a setup that succeeded; call Solver::setup first");
  });
  kernels::announce_thread();
  auto& s = state();
  SolveResult result;
  s.run("solve", [&] {
    detail::SolveAttempts<Scalar, Space, Offset> attempts(s.built, s.logger, s.log_timing);
    s.limited.within_limit([&] { result = attempts.solve(exec, b, x); });
    s.built.note_failed_recordings();
  });
  return result;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::set_nullspace(const Space& exec, const ConstVectors& basis,
                                                  const ConstVectors& left) {
  auto& s = state();
  require(left.extent(1) == 0 || basis.extent(1) > 0, [] {
    return std::string(
        "Solver::set_nullspace: a left nullspace was given, and none of the matrix itself; a "
        "square matrix has both or none");
  });
  s.run("set_nullspace", [&] {
    auto of_A = detail::nullspace_copy<Scalar, Space>(exec, basis);
    s.built.give_nullspace(std::move(of_A), detail::nullspace_copy<Scalar, Space>(exec, left));
  });
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::set_functions(const Array<const Ordinal, Space>& functions) {
  state().built.give_functions(functions);
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::set_logger(Logger logger, LogTiming timing) {
  state().logger = std::move(logger);
  state().log_timing = timing;
}

template <class Scalar, class Space, class Offset>
const SolveParameters& Solver<Scalar, Space, Offset>::parameters() const {
  return state().built.effective();
}

template <class Scalar, class Space, class Offset>
const HierarchyInfo& Solver<Scalar, Space, Offset>::hierarchy() const {
  return state().built.info();
}

template <class Scalar, class Space, class Offset>
LevelMatrices<Scalar, Space, Offset> Solver<Scalar, Space, Offset>::level_matrices(
    const Space& exec, int level) const {
  const auto& built = state().built;
  require(built.is_ready(), [] {
    return std::string("Solver::level_matrices before a setup that succeeded; call Solver::setup");
  });
  const auto& multigrid = built.multigrid();
  const bool is_there = multigrid.same != nullptr || multigrid.in_float != nullptr;
  const int count = is_there ? static_cast<int>(built.info().levels.size()) : 0;
  require(level >= 0 && level < count, [&] {
    return "level " + std::to_string(level) + " was asked for, and the hierarchy has " +
           std::to_string(count);
  });
  return detail::copied_level<Scalar, Space, Offset>(exec, multigrid, level);
}

template <class Scalar, class Space, class Offset>
double Solver<Scalar, Space, Offset>::setup_ms() const {
  return state().setup_ms;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, Solver)

}  // namespace tessera
