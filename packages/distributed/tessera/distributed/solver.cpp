// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/solver.hpp"

#include "tessera/distributed/check_for_processes.hpp"
#include "tessera/distributed/limited_setup.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/parts_setup.hpp"
#include "tessera/distributed/solve_attempts.hpp"
#include "tessera/distributed/solver_state.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/recording_threads.hpp"
#include "tessera/operator/overlap.hpp"

#include <Kokkos_Timer.hpp>

#include <utility>

namespace tessera::distributed {
template <class Space>
struct Solver<Space>::State : SolverState<Space> {};

template <class Space>
Solver<Space>::Solver(std::shared_ptr<const Communicator> processes, const Parameters& parameters)
    : m_state(std::make_unique<State>()) {
  require(processes != nullptr, [] { return std::string("the communicator is a null pointer"); });
  check_for_processes(parameters);
  State& s = *m_state;
  s.processes =
      std::make_shared<const CountingCommunicator>(std::move(processes), parameters.reproducible);
  s.asked = parameters;
  s.give(parameters.solve);
  s.parameters = s.given;
  make_krylov<Space>(parameters.solve.solver);  // throws for what there is not
  if (s.uses_multigrid()) Multigrid<Space>::check(parameters.solve.amg);
}

template <class Space>
Solver<Space>::~Solver() = default;
template <class Space>
Solver<Space>::Solver(Solver&&) noexcept = default;
template <class Space>
Solver<Space>& Solver<Space>::operator=(Solver&&) noexcept = default;

template <class Space>
auto Solver<Space>::state() const -> State& {
  require(m_state != nullptr, [] { return std::string("this Solver was moved from"); });
  return *m_state;
}

template <class Space>
void Solver<Space>::setup(const Space& exec, const ShareOfRows<Space>& rows,
                          const ConstVectors& near_nullspace) {
  State& s = state();
  kernels::announce_thread();
  const Kokkos::Timer timer;
  s.pattern.reset();
  set_up<Space>(exec, s, [&] { return numbered(exec, s.processes, rows); }, near_nullspace);
  s.setup_ms = timer.seconds() * 1e3;
}

template <class Space>
void Solver<Space>::setup_parts(const Space& exec, const RowsInParts<Space>& rows,
                                const ConstVectors& near_nullspace) {
  State& s = state();
  kernels::announce_thread();
  const Kokkos::Timer timer;
  set_up_parts<Space>(exec, s, rows, near_nullspace);
  s.setup_ms = timer.seconds() * 1e3;
}

template <class Space>
MemoryForecast Solver<Space>::forecast_memory(const Space& exec, const ShareOfRows<Space>& rows,
                                              const ConstVectors& near_nullspace) const {
  const State& s = state();
  return forecast_of_setup<Space>(
      exec, s, [&] { return numbered(exec, s.processes, rows); }, near_nullspace);
}

template <class Space>
void Solver<Space>::update_values(const Space& exec, const ArrayView<const double, Space>& values) {
  State& s = state();
  require(s.A.matrix.has_share(), [] { return std::string("setup comes before update_values"); });
  require(s.A.matrix.parts == nullptr,
          [] { return std::string("update_parts takes new values after setup_parts"); });
  kernels::announce_thread();
  const Kokkos::Timer timer;
  s.take_values([&] { s.prepare(exec, with_values(exec, s.A, values)); });
  s.setup_ms = timer.seconds() * 1e3;
}

template <class Space>
bool Solver<Space>::shares_exports() const {
  return m_state != nullptr && distributed::shares_exports(*m_state);
}

template <class Space>
void Solver<Space>::move_exports(const HostArray<Ordinal>& exports) {
  distributed::move_exports(state(), exports);
}

template <class Space>
void Solver<Space>::update_parts(const Space& exec, const RowsInParts<Space>& rows) {
  State& s = state();
  kernels::announce_thread();
  const Kokkos::Timer timer;
  take_parts<Space>(exec, s, rows);
  s.setup_ms = timer.seconds() * 1e3;
}

template <class Space>
bool Solver<Space>::has_pattern(const Space& exec, const RowsInParts<Space>& rows) const {
  return distributed::has_pattern<Space>(exec, state(), rows);
}

template <class Space>
SolveResult Solver<Space>::solve(const Space& exec, const ConstVectors& b, const Vectors& x) {
  State& s = state();
  require(s.is_ready, [] { return std::string("a setup or an update that succeeds comes first"); });
  kernels::announce_thread();
  const double k = static_cast<double>(b.extent(1));
  double most[] = {k, -k};
  s.processes->maximum(most);
  on_all_processes(*s.processes, [&] {
    const auto n = static_cast<std::size_t>(s.A.matrix.rows.num_rows);
    if (b.extent(0) != n || x.extent(0) != n || b.extent(1) != x.extent(1))
      throw Error(ErrorKind::precondition,
                  "b has " + std::to_string(b.extent(0)) + " by " + std::to_string(b.extent(1)) +
                      " entries on this process and x " + std::to_string(x.extent(0)) + " by " +
                      std::to_string(x.extent(1)) + ", expected " + std::to_string(n) + " rows");
    if (overlap(b, x)) throw Error(ErrorKind::precondition, "b and x overlap on this process");
    if (most[0] != -most[1])
      throw Error(ErrorKind::precondition, "there are " + std::to_string(b.extent(1)) +
                                               " right-hand sides on this process, "
                                               "and another number on another");
  });
  if (most[0] == 0) {
    SolveResult nothing;
    nothing.status = SolveStatus::converged;
    return nothing;
  }
  require_room_for_solve(s, b.extent(1));
  return SolveAttempts<Space>(s).solve(exec, b, x);
}

template <class Space>
void Solver<Space>::apply_preconditioner(const Space& exec, const ConstVectors& r,
                                         const Vectors& z) {
  State& s = state();
  require(s.is_ready, [] { return std::string("a setup or an update that succeeds comes first"); });
  const auto n = static_cast<std::size_t>(s.A.matrix.rows.num_rows);
  require(r.extent(0) == n && z.extent(0) == n && r.extent(1) == z.extent(1), [&] {
    return "r has " + std::to_string(r.extent(0)) + " by " + std::to_string(r.extent(1)) +
           " entries on this process and z " + std::to_string(z.extent(0)) + " by " +
           std::to_string(z.extent(1)) + ", expected " + std::to_string(n) + " rows";
  });
  require(!overlap(r, z), [] { return std::string("r and z overlap on this process"); });
  if (r.extent(1) > 0) s.system().M(exec, r, z);
  exec.fence("tessera::distributed::apply_preconditioner");
}

template <class Space>
void Solver<Space>::set_nullspace(const Space& exec, const ConstVectors& basis,
                                  const ConstVectors& left) {
  State& s = state();
  kernels::announce_thread();
  s.given_nullspace = copied_nullspace<Space>(exec, *s.processes, basis, left);
}

template <class Space>
void Solver<Space>::set_logger(Logger logger) {
  State& s = state();
  s.logger = std::move(logger);
  if (s.method != nullptr) s.method->set_logger(s.logger);
}

template <class Space>
Traffic Solver<Space>::cycle_traffic(const Space& exec) {
  Traffic all;
  for (const Traffic& level : cycle_traffic_by_level(exec))
    all += level;
  return all;
}

template <class Space>
std::vector<Traffic> Solver<Space>::cycle_traffic_by_level(const Space& exec) {
  State& s = state();
  require(s.is_ready, [] { return std::string("a setup or an update that succeeds comes first"); });
  return s.cycle_traffic_by_level(exec);
}

template <class Space>
const Parameters& Solver<Space>::parameters() const {
  return state().parameters;
}

template <class Space>
HierarchyInfo Solver<Space>::hierarchy() const {
  const State& s = state();
  HierarchyInfo info = s.multigrid != nullptr && s.is_ready ? s.multigrid->info() : HierarchyInfo();
  info.notes.insert(info.notes.begin(), s.notes.begin(), s.notes.end());
  info.setup_phases_ms.insert(info.setup_phases_ms.begin(), s.row_phases_ms.begin(),
                              s.row_phases_ms.end());
  info.setup_ms = s.setup_ms;
  if (s.recorder != nullptr && !s.recorder->failure().empty()) info.notes.push_back(s.launches());
  if (!s.limit_note.empty()) info.notes.insert(info.notes.begin(), s.limit_note);
  info.setup_peak_bytes = s.peak_bytes;
  info.setup_forecast_bytes = s.forecast.setup_bytes;
  info.peak_forecast_bytes = s.forecast.peak_bytes();
  return info;
}

template <class Space>
std::vector<std::string> Solver<Space>::description() const {
  const State& s = state();
  auto lines = s.multigrid != nullptr && s.is_ready ? s.multigrid->description()
                                                    : std::vector<std::string>();
  if (s.is_ready && s.recorder != nullptr) lines.push_back(s.launches());
  return lines;
}

template <class Space>
std::int64_t Solver<Space>::num_rows() const {
  const State& s = state();
  return s.A.matrix.has_share() ? s.A.matrix.row_shares->size() : 0;
}

template <class Space>
std::int64_t Solver<Space>::num_ghost_rows() const {
  return static_cast<std::int64_t>(state().A.matrix.ghosts.extent(0));
}

template <class Space>
double Solver<Space>::setup_ms() const {
  return state().setup_ms;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Solver)

}  // namespace tessera::distributed
