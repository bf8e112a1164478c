// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `DistributedCycle`.
#pragma once

#include "tessera/tpetra/column_powers.hpp"
#include "tessera/tpetra/distributed_cycle.hpp"
#include "tessera/tpetra/distributed_cycle_state_impl.hpp"
#include "tessera/tpetra/distributed_level_checks.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
void DistributedCycle<GlobalOrdinal, Node>::check(const amg::Parameters& p) {
  if (p.cycle == amg::CycleType::k)
    throw Error(ErrorKind::configuration,
                "on several processes 'amg.cycle' is v, w or f; 'distributed' = 'block_jacobi' has "
                "all of Tessera on each process");
  distributed_levels_detail::check_smoother(p.smoother);
  for (const auto& level : p.levels)
    distributed_levels_detail::check_level(level);
}

template <class GlobalOrdinal, class Node>
DistributedCycle<GlobalOrdinal, Node>::DistributedCycle(
    const amg::Parameters& parameters, std::vector<Level> levels,
    const MultiVector<double, Space>& coarsest_vectors, bool symmetric, bool single_precision,
    const MakeCoarseSolver& make_coarse_solver)
    : m_state(std::make_unique<State>()) {
  check(parameters);
  State& s = *m_state;
  s.parameters = parameters;
  s.symmetric = symmetric;
  s.single_precision = single_precision;
  s.take_levels(std::move(levels));
  s.set_up(
      [&](const Teuchos::RCP<const Matrix>& A) {
        s.gathered = std::make_shared<GatheredSolver<GlobalOrdinal, Node>>(A, coarsest_vectors,
                                                                           make_coarse_solver);
      },
      false, false);
}

template <class GlobalOrdinal, class Node>
void DistributedCycle<GlobalOrdinal, Node>::update(std::vector<Level> levels,
                                                   bool keeps_transfers) {
  State& s = *m_state;
  s.take_levels(std::move(levels));
  s.set_up([&](const Teuchos::RCP<const Matrix>& A) { s.gathered->update(A); }, true,
           keeps_transfers);
}

template <class GlobalOrdinal, class Node>
DistributedCycle<GlobalOrdinal, Node>::~DistributedCycle() = default;

/// Of the levels and of those that the coarsest one's process goes on with.
inline HierarchyInfo joined_info(std::vector<LevelInfo> distributed, const HierarchyInfo& below) {
  HierarchyInfo info;
  info.notes = below.notes;
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

template <class GlobalOrdinal, class Node>
void DistributedCycle<GlobalOrdinal, Node>::apply(const Vectors& r, Vectors& z) {
  State& s = *m_state;
  const Space exec;
  const std::size_t k = r.getNumVectors();
  if (k == 0) return;
  if (s.prepared_columns != k) s.cycle->prepare(exec, static_cast<int>(k));
  s.prepared_columns = k;
  std::vector<int> exponents(k, 0);
  if (s.rounds_vectors()) exponents = exponents_of_columns(r);
  const bool scales = any_power(exponents);
  Vectors even_r(r, r.isConstantStride() && !scales ? Teuchos::View : Teuchos::Copy);
  multiply_columns(even_r, exponents, -1);
  const bool copies = !z.isConstantStride();
  Vectors even_z(z, copies ? Teuchos::Copy : Teuchos::View);
  {
    const auto b = even_r.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const auto x = even_z.getLocalViewDevice(Tpetra::Access::OverwriteAll);
    s.cycle->apply(exec, ConstMultiVectorView<double, Space>(as_multivector(b)),
                   MultiVectorView<double, Space>(as_multivector(x)));
    exec.fence("tessera::tpetra::DistributedCycle");
  }
  for (int& exponent : exponents)
    exponent -= s.exponent;
  multiply_columns(even_z, exponents, 1);
  if (copies) Tpetra::deep_copy(z, even_z);
}

template <class GlobalOrdinal, class Node>
const std::vector<std::string>& DistributedCycle<GlobalOrdinal, Node>::description() const {
  return m_state->description;
}

template <class GlobalOrdinal, class Node>
const std::vector<LevelInfo>& DistributedCycle<GlobalOrdinal, Node>::levels() const {
  return m_state->info;
}

template <class GlobalOrdinal, class Node>
auto DistributedCycle<GlobalOrdinal, Node>::hierarchy() const
    -> const amg::Hierarchy<double, Space>& {
  return m_state->hierarchy;
}

}  // namespace tessera::tpetra
