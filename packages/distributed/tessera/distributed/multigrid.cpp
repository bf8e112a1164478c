// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/multigrid.hpp"

#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/distributed/level_checks.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/matrix/stored_matrix.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/select.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::distributed {
namespace {

/// Unknowns per node: those given, else those that every process with rows finds in its block; 1
/// where they find different ones.
template <class Space>
int agreed_block_size(const Space& exec, const Matrix<Space>& A, int given) {
  const Ordinal rows = A.rows.num_rows;
  int own = given;
  on_all_processes(*A.processes, [&] {
    if (given > 0 && rows % given != 0)
      throw Error(ErrorKind::precondition,
                  std::to_string(rows) +
                      " rows on this process are not a multiple of the block "
                      "size " +
                      std::to_string(given));
    if (given > 0 || rows == 0) return;
    const amg::Nodes nodes = amg::find_nodes(exec, own_block(exec, A).view(), 0);
    own = nodes.by_unknown || rows % nodes.block_size != 0 ? 1 : nodes.block_size;
  });
  if (given > 0) return given;
  // A process without rows has no opinion.
  const double smallest =
      A.processes->minimum_of(rows > 0 ? own : std::numeric_limits<double>::max());
  const double largest = A.processes->maximum_of(own);
  return smallest == largest ? static_cast<int>(smallest) : 1;
}

/// Facts of the whole matrix from those of each process's diagonal block. Collective.
template <class Space>
MatrixFacts agreed_facts(const Space& exec, const Matrix<Space>& A, bool symmetric) {
  const Communicator& processes = *A.processes;
  MatrixFacts own;
  on_all_processes(processes, [&] {
    if (A.rows.num_rows == 0) return;
    const StoredCsr<double, Space, std::int64_t> block(exec, own_block(exec, A), A.owner);
    own = inspect(exec, block.view(), block.plan());
  });
  const bool has_rows = own.rows > 0;
  // Least and greatest at once: of what is to be greatest, the least of the negative.
  const double huge = std::numeric_limits<double>::max();
  double least[] = {has_rows ? static_cast<double>(own.positive_diagonal) : 1,
                    has_rows ? static_cast<double>(own.negative_diagonal) : 1,
                    has_rows ? own.smallest_diagonal : huge, has_rows ? -own.largest_diagonal : 0,
                    -static_cast<double>(own.coupled_signs_differ)};
  double sums[] = {static_cast<double>(own.rows), own.entries,
                   static_cast<double>(own.coupled_zeros), static_cast<double>(own.decided_rows),
                   own.positive_couplings * own.rows};
  processes.minimum(least);
  processes.sum(std::span<double>(sums));
  MatrixFacts facts;
  const auto count = [](double sum) {
    return static_cast<Ordinal>(std::min<double>(sum, std::numeric_limits<Ordinal>::max()));
  };
  facts.rows = count(sums[0]);
  facts.entries = sums[1];
  facts.symmetric = symmetric;
  facts.positive_diagonal = least[0] > 0;
  facts.negative_diagonal = least[1] > 0;
  facts.smallest_diagonal = least[2];
  facts.largest_diagonal = -least[3];
  facts.coupled_signs_differ = least[4] < 0;
  facts.coupled_zeros = count(sums[2]);
  facts.decided_rows = count(sums[3]);
  facts.positive_couplings = sums[0] > 0 ? sums[4] / sums[0] : 0;
  return facts;
}

/// What the first process goes on with, below `above` levels of `picked`.
GatheredParameters parameters_below(const SolveParameters& given, const SolveParameters& picked,
                                    std::size_t above, int block_size) {
  GatheredParameters below{given, block_size};
  below.solve.amg = picked.amg;
  below.solve.preconditioner = PreconditionerKind::amg;
  // Its first level is the next one of the whole.
  auto& listed = below.solve.amg.levels;
  if (!listed.empty())
    listed.erase(listed.begin(),
                 listed.begin() + static_cast<std::ptrdiff_t>(std::min(above, listed.size() - 1)));
  below.solve.amg.max_levels -= static_cast<int>(above);
  const amg::SmoothedAggregationParameters& finest = picked.amg.smoothed_aggregation;
  if (finest.strength_threshold > 0)
    below.solve.amg.smoothed_aggregation.strength_threshold *=
        std::pow(finest.strength_scaling, static_cast<double>(above));
  return below;
}

}  // namespace

template <class Space>
Multigrid<Space>::Multigrid(const Space& exec, const MultigridParameters& parameters,
                            const Matrix<Space>& A,
                            const MultiVector<double, Space>& near_nullspace)
    : m_parameters(parameters), m_near_nullspace(near_nullspace) {
  check(parameters.solve.amg);
  set_up(exec, A);
}

template <class Space>
void Multigrid<Space>::check(const amg::Parameters& parameters) {
  Cycle<Space>::check(parameters);
  check_coarsening("amg.coarsening", parameters.coarsening,
                   amg::CoarseningKind::smoothed_aggregation);
}

template <class Space>
void Multigrid<Space>::set_up(const Space& exec, const Matrix<Space>& A) {
  const SolveParameters& solve = m_parameters.solve;
  const kernels::ColumnPatternScope patterns(solve.column_patterns);
  const kernels::TensorCoreScope tensor_cores(solve.tensor_cores);
  m_cycle.reset();
  const int block_size = agreed_block_size(exec, A, m_parameters.block_size);
  auto vectors = m_near_nullspace;
  on_all_processes(*A.processes, [&] {
    if (vectors.extent(1) == 0)
      vectors = amg::unit_vectors<double, Space>(exec, {block_size, A.rows.num_rows / block_size});
  });
  m_symmetric = looks_symmetric(exec, A);
  // What is left open is picked as on one process.
  SolveParameters picked = solve;
  picked.preconditioner = PreconditionerKind::amg;
  const bool lacks_vectors =
      block_size > 1 && vectors.extent(1) == static_cast<std::size_t>(block_size);
  m_notes.clear();
  for (const Selection& p : select_parameters(picked, agreed_facts(exec, A, m_symmetric), true,
                                              block_size, lacks_vectors))
    if (p.setting.starts_with("amg.")) m_notes.push_back(p.note());
  m_levels = std::make_unique<Levels<Space>>(exec, picked.amg, A, vectors, block_size, m_symmetric,
                                             m_parameters.gather_rows);
  const auto& levels = m_levels->levels();
  // Unknowns of a coarse node are its vectors'; of the finest level, where that is gathered, its
  // own.
  m_cycle = std::make_unique<Cycle<Space>>(
      exec, picked.amg, levels, m_levels->vectors(), m_symmetric,
      solve.precision == Precision::single,
      parameters_below(solve, picked, levels.size() - 1, levels.back().block_size));
  if (solve.amg.reuse == amg::Reuse::none) m_levels.reset();
}

template <class Space>
void Multigrid<Space>::update(const Space& exec, const Matrix<Space>& A) {
  const amg::Reuse reuse = m_parameters.solve.amg.reuse;
  if (reuse == amg::Reuse::hierarchy && m_cycle != nullptr) return;
  if (reuse == amg::Reuse::none || m_cycle == nullptr) return set_up(exec, A);
  const kernels::ColumnPatternScope patterns(m_parameters.solve.column_patterns);
  const kernels::TensorCoreScope tensor_cores(m_parameters.solve.tensor_cores);
  // Where it throws there is no preconditioner: half of one would be of no use.
  auto kept = std::exchange(m_cycle, nullptr);
  const bool keeps_interpolation = reuse == amg::Reuse::interpolation;
  m_levels->update(exec, A, keeps_interpolation);
  kept->update(exec, m_levels->levels(), keeps_interpolation);
  m_cycle = std::move(kept);
}

template <class Space>
const Cycle<Space>& Multigrid<Space>::cycle() const {
  if (m_cycle == nullptr)
    throw Error(ErrorKind::precondition,
                "the last update failed, and with it went the levels of before");
  return *m_cycle;
}

template <class Space>
void Multigrid<Space>::apply(const Space& exec, const ConstVectors& r, const Vectors& z) {
  cycle();
  m_cycle->apply(exec, r, z);
}

template <class Space>
bool Multigrid<Space>::is_symmetric() const {
  return cycle().is_symmetric();
}

template <class Space>
HierarchyInfo Multigrid<Space>::info() const {
  HierarchyInfo info = cycle().info();
  info.notes.insert(info.notes.begin(), m_notes.begin(), m_notes.end());
  return info;
}

template <class Space>
std::vector<std::string> Multigrid<Space>::description() const {
  return cycle().description();
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Multigrid)

}  // namespace tessera::distributed
