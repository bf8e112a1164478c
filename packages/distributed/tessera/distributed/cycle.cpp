// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/cycle.hpp"

#include "tessera/distributed/column_powers.hpp"
#include "tessera/distributed/cycle_smoothers.hpp"
#include "tessera/distributed/cycle_state.hpp"
#include "tessera/distributed/level_checks.hpp"
#include "tessera/distributed/level_choice.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

/// Of the levels and of those that the coarsest one's process goes on with.
HierarchyInfo joined_info(std::vector<LevelInfo> distributed, const HierarchyInfo& below) {
  HierarchyInfo info;
  // Below there is no method around the preconditioner, whatever was picked for one.
  for (const std::string& note : below.notes)
    if (!note.starts_with("solver ") && !note.starts_with("nullspace ")) info.notes.push_back(note);
  if (!below.levels.empty() && !distributed.empty()) distributed.pop_back();
  info.levels = std::move(distributed);
  info.levels.insert(info.levels.end(), below.levels.begin(), below.levels.end());
  if (info.levels.empty()) return info;
  double rows = 0;
  double entries = 0;
  for (const LevelInfo& level : info.levels) {
    rows += static_cast<double>(level.rows);
    entries += static_cast<double>(level.entries);
    info.bytes += level.A.bytes + level.P.bytes + level.R.bytes;
  }
  const LevelInfo& finest = info.levels.front();
  info.grid_complexity = rows / static_cast<double>(std::max<std::int64_t>(1, finest.rows));
  info.operator_complexity =
      entries / static_cast<double>(std::max<std::int64_t>(1, finest.entries));
  if (finest.A.bytes > 0)
    info.memory_complexity = static_cast<double>(info.bytes) / static_cast<double>(finest.A.bytes);
  return info;
}

}  // namespace

template <class Space>
void Cycle<Space>::check(const amg::Parameters& p) {
  for (const auto& level : p.levels)
    check_level(level);
}

template <class Space>
Cycle<Space>::Cycle(const Space& exec, const amg::Parameters& parameters,
                    std::vector<Level<Space>> levels,
                    const MultiVector<double, Space>& coarsest_vectors, bool symmetric,
                    bool single_precision, const GatheredParameters& gathered)
    : m_state(std::make_unique<State>()) {
  check(parameters);
  State& s = *m_state;
  s.parameters = parameters;
  s.symmetric = symmetric;
  s.single_precision = single_precision;
  s.take_levels(exec, std::move(levels));
  s.set_up(
      exec,
      [&](const Matrix<Space>& A) {
        s.gathered = std::make_shared<GatheredSolver<Space>>(exec, A, coarsest_vectors, gathered,
                                                             s.levels.back().functions);
      },
      false, false);
}

template <class Space>
Cycle<Space>::~Cycle() = default;

template <class Space>
void Cycle<Space>::update(const Space& exec, std::vector<Level<Space>> levels,
                          bool keeps_transfers) {
  State& s = *m_state;
  s.take_levels(exec, std::move(levels));
  s.set_up(
      exec, [&](const Matrix<Space>& A) { s.gathered->update(exec, A); }, true, keeps_transfers);
}

template <class Space>
void Cycle<Space>::make_room(const Space& exec, std::size_t k) {
  State& s = *m_state;
  if (k > 0 && s.prepared_columns != k) s.make_room(exec, k);
  s.prepared_columns = k;
}

template <class Space>
void Cycle<Space>::apply(const Space& exec, const ConstVectors& r, const Vectors& z) {
  State& s = *m_state;
  const Communicator& processes = *s.levels.front().A.processes;
  const std::size_t k = r.extent(1);
  if (k == 0) return;
  if (s.prepared_columns != k) {
    s.prepared_columns = 0;  // on all, where one has no room
    on_all_processes(processes, [&] { s.make_room(exec, k); });
    s.prepared_columns = k;
  }
  std::vector<int> exponents(k, 0);
  if (s.wants_usual_magnitudes())
    exponents = exponents_of_columns<Space>(exec, processes, r, s.magnitudes);
  const bool scales = any_power(exponents);
  if (scales) {
    s.make_room_to_scale(exec, r.extent(0), k);
    for (int& exponent : exponents)
      exponent = -exponent;
    kernels::scale_columns<double, Space>(exec, exponents, r, s.scaled);
    for (int& exponent : exponents)
      exponent = -exponent;
  }
  s.cycle->apply(exec, scales ? ConstVectors(s.scaled) : r, z);
  for (int& exponent : exponents)
    exponent -= s.exponent;
  if (any_power(exponents))
    kernels::scale_columns<double, Space>(exec, exponents, ConstVectors(z), z);
  if (scales) exec.fence("tessera::distributed::Cycle");  // another instance may scale next
}

template <class Space>
bool Cycle<Space>::is_symmetric() const {
  const State& s = *m_state;
  const bool reduces = names_coarsening(s.parameters, amg::CoarseningKind::reduction) ||
                       std::ranges::any_of(s.levels, [](const Level<Space>& level) {
                         return level.coarsening == amg::CoarseningKind::reduction;
                       });
  const bool by_shape =
      (s.parameters.cycle == amg::CycleType::v || s.parameters.cycle == amg::CycleType::w) &&
      !reduces;
  return s.symmetric && by_shape && (s.gathered == nullptr || s.gathered->is_symmetric());
}

template <class Space>
bool Cycle<Space>::waits_for_host() const {
  const State& s = *m_state;
  return s.wants_usual_magnitudes() || (s.gathered != nullptr && s.gathered->waits_for_host());
}

template <class Space>
std::vector<std::string> Cycle<Space>::description() const {
  auto lines = m_state->description;
  if (m_state->gathered != nullptr) {
    const auto below = m_state->gathered->description();
    lines.insert(lines.end(), below.begin(), below.end());
  }
  return lines;
}

template <class Space>
HierarchyInfo Cycle<Space>::info() const {
  const auto& gathered = m_state->gathered;
  return joined_info(m_state->info, gathered == nullptr ? HierarchyInfo() : gathered->info());
}

template <class Space>
const amg::Hierarchy<double, Space>& Cycle<Space>::hierarchy() const {
  return m_state->hierarchy;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Cycle)

}  // namespace tessera::distributed
