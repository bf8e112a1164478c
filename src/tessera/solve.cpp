// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve.hpp"

#include "tessera/amg/check_candidates.hpp"
#include "tessera/amg/check_vectors.hpp"
#include "tessera/core/check_parameters.hpp"
#include "tessera/core/crs_matrix.hpp"
#include "tessera/core/memory_watch.hpp"
#include "tessera/core/require_tensor_cores.hpp"
#include "tessera/core/same_pattern.hpp"
#include "tessera/detail/picked_solver.hpp"
#include "tessera/detail/solve_attempts.hpp"
#include "tessera/inspect.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"

#include <Kokkos_Timer.hpp>

#include <cstdint>
#include <string>

namespace tessera {

template <class Scalar, class Space, class Offset>
struct Solver<Scalar, Space, Offset>::State {
  explicit State(const SolveParameters& parameters) : picked(parameters) {}

  detail::PickedSolver<Scalar, Space, Offset> picked;
  Logger logger;
  LogTiming log_timing = LogTiming::live;
  double setup_ms = 0;
  Array<const std::uint64_t, Space> pattern_hashes;  ///< of A at setup
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
void Solver<Scalar, Space, Offset>::setup(const Space& exec, const Matrix& A,
                                          const ConstVectors& candidates, int block_size) {
  auto& s = state().picked;
  exec.fence("tessera::Solver::setup");
  const Kokkos::Timer timer;
  s.ready = false;
  amg::check_candidates<Scalar, Space>(exec, A.num_rows, candidates);
  // What was there is no part of what this setup needs. A and the candidates may be among it: these
  // share in their memory.
  const Matrix arrays = A;
  const auto kept = s.system.candidates;
  state().pattern_hashes = {};
  s = detail::PickedSolver<Scalar, Space, Offset>(s.system.parameters);
  s.system.candidates = kept;
  const MemoryWatch memory(Space::memory_space::name(), s.system.parameters.amg.measure_memory);
  {
    const ArrayPool<Space> pool(exec, amg::pools_memory<Space>(s.system.parameters.amg));
    const kernels::ColumnPatternScope patterns(s.system.parameters.column_patterns);
    const kernels::TensorCoreScope tensor_cores(s.system.parameters.tensor_cores);
    s.system.A = CrsMatrix<Scalar, Space, Offset>(exec, arrays);
    s.keep_given(exec, candidates, block_size);
    s.system.facts = inspect(exec, arrays.view(), s.system.A.plan());
    s.choose_and_build(exec, candidates, block_size);
  }
  s.info.setup_peak_bytes = memory.peak_bytes();
  state().pattern_hashes = pattern_hashes(exec, arrays.view());
  exec.fence("tessera::Solver::setup");
  state().setup_ms = timer.seconds() * 1e3;
  s.ready = true;
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::update_values(const Space& exec) {
  update_values(exec, state().picked.system.A.arrays());
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::update_values(const Space& exec, const Matrix& A) {
  auto& s = state().picked;
  auto& system = s.system;
  require(s.ready, [] {
    return std::string("Solver::update_values before a setup that succeeded; call Solver::setup");
  });
  require_same_pattern(exec, system.A.view(), A.view(), state().pattern_hashes);
  const auto setup_anew = [&] { setup(exec, A, system.candidates, system.block_size); };
  if (!s.can_update()) return setup_anew();
  exec.fence("tessera::Solver::update_values");
  const Kokkos::Timer timer;
  s.ready = false;
  {
    const MemoryWatch memory(Space::memory_space::name(), system.parameters.amg.measure_memory);
    const kernels::ColumnPatternScope patterns(system.parameters.column_patterns);
    const kernels::TensorCoreScope tensor_cores(system.parameters.tensor_cores);
    system.A = CrsMatrix<Scalar, Space, Offset>(A, system.A.plan());
    if (!s.update(exec)) return setup_anew();
    s.info.setup_peak_bytes = memory.peak_bytes();
  }
  exec.fence("tessera::Solver::update_values");
  state().setup_ms = timer.seconds() * 1e3;
  s.ready = true;
}

template <class Scalar, class Space, class Offset>
Preconditioner<Scalar, Space>* Solver<Scalar, Space, Offset>::preconditioner() const {
  require(state().picked.ready, [] {
    return std::string("Solver::preconditioner before a setup that succeeded; call Solver::setup");
  });
  return state().picked.M.get();
}

template <class Scalar, class Space, class Offset>
SolveResult Solver<Scalar, Space, Offset>::solve(const Space& exec, const ConstVectors& b,
                                                 const Vectors& x) {
  require(state().picked.ready, [] {
    return std::string("Solver::solve before a setup that succeeded; call Solver::setup first");
  });
  detail::SolveAttempts<Scalar, Space, Offset> attempts(state().picked, state().logger,
                                                        state().log_timing);
  return attempts.solve(exec, b, x);
}

template <class Scalar, class Space, class Offset>
void Solver<Scalar, Space, Offset>::set_logger(Logger logger, LogTiming timing) {
  state().logger = std::move(logger);
  state().log_timing = timing;
}

template <class Scalar, class Space, class Offset>
const SolveParameters& Solver<Scalar, Space, Offset>::parameters() const {
  return state().picked.effective;
}

template <class Scalar, class Space, class Offset>
const HierarchyInfo& Solver<Scalar, Space, Offset>::hierarchy() const {
  return state().picked.info;
}

template <class Scalar, class Space, class Offset>
double Solver<Scalar, Space, Offset>::setup_ms() const {
  return state().setup_ms;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) template class Solver<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
