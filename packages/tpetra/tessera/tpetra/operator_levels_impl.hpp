// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// An `Operator` whose levels are distributed over the processes.
#pragma once

#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/solve/inspect.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/tpetra/distributed_level_checks.hpp"
#include "tessera/tpetra/operator_vectors_impl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tessera::tpetra {

/// Throws for choices that levels over several processes do not have.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::check_for_levels() const {
  DistributedCycle<GlobalOrdinal, Node>::check(parameters.solve.amg);
  distributed_levels_detail::check_coarsening("amg.coarsening", parameters.solve.amg.coarsening,
                                              amg::CoarseningKind::smoothed_aggregation);
}

/// Unknowns per node: those given, else those that every process with rows finds in its block; 1
/// where they find different ones.
template <class GlobalOrdinal, class Node>
int Operator<GlobalOrdinal, Node>::State::agreed_block_size(const Space& exec) const {
  const auto rows = static_cast<int>(map->getLocalNumElements());
  const int given = parameters.rigid_body_modes ? static_cast<int>(coordinates->getNumVectors())
                                                : parameters.block_size;
  int own = given;
  on_all_processes(*map->getComm(), [&] {
    if (given > 0 && rows % given != 0)
      operator_detail::refuse(operator_detail::here(static_cast<std::size_t>(rows), "rows") +
                              " are not a multiple of the block size " + std::to_string(given));
    if (given > 0 || rows == 0) return;
    const auto block = diagonal_block(exec, distributed_detail::local_view(*A),
                                      distributed_detail::own_columns(*A));
    const amg::Nodes nodes = amg::find_nodes(exec, block.view(), 0);
    own = nodes.by_unknown || rows % nodes.block_size != 0 ? 1 : nodes.block_size;
  });
  if (given > 0) return given;
  // A process without rows has no opinion.
  const int lowest = rows > 0 ? own : std::numeric_limits<int>::max();
  int smallest = 1;
  int largest = 1;
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MIN, lowest, Teuchos::outArg(smallest));
  Teuchos::reduceAll(*map->getComm(), Teuchos::REDUCE_MAX, own, Teuchos::outArg(largest));
  return smallest == largest ? smallest : 1;
}

/// Facts of the whole matrix from those of each process's diagonal block. Collective.
template <class GlobalOrdinal, class Node>
MatrixFacts Operator<GlobalOrdinal, Node>::State::agreed_facts(const Space& exec,
                                                               bool symmetric) const {
  const auto& processes = *map->getComm();
  MatrixFacts own;
  on_all_processes(processes, [&] {
    if (map->getLocalNumElements() == 0) return;
    const StoredCsr<double, Space, std::int64_t> block(
        exec, diagonal_block(exec, distributed_detail::local_view(*A),
                             distributed_detail::own_columns(*A)));
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
  double all_least[5];
  double all_sums[5];
  Teuchos::reduceAll(processes, Teuchos::REDUCE_MIN, 5, least, all_least);
  Teuchos::reduceAll(processes, Teuchos::REDUCE_SUM, 5, sums, all_sums);
  MatrixFacts facts;
  const auto count = [](double sum) {
    return static_cast<Ordinal>(std::min<double>(sum, std::numeric_limits<Ordinal>::max()));
  };
  facts.rows = count(all_sums[0]);
  facts.entries = all_sums[1];
  facts.symmetric = symmetric;
  facts.positive_diagonal = all_least[0] > 0;
  facts.negative_diagonal = all_least[1] > 0;
  facts.smallest_diagonal = all_least[2];
  facts.largest_diagonal = -all_least[3];
  facts.coupled_signs_differ = all_least[4] < 0;
  facts.coupled_zeros = count(all_sums[2]);
  facts.decided_rows = count(all_sums[3]);
  facts.positive_couplings = all_sums[0] > 0 ? all_sums[4] / all_sums[0] : 0;
  return facts;
}

/// Levels over all processes; the coarsest one is the root's, which has it preconditioned as any
/// matrix.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::set_up_levels() {
  const Space exec;
  const kernels::ColumnPatternScope patterns(parameters.solve.column_patterns);
  const kernels::TensorCoreScope tensor_cores(parameters.solve.tensor_cores);
  const int block_size = agreed_block_size(exec);
  MultiVector<double, Space> vectors;
  on_all_processes(*map->getComm(), [&] {
    const auto rows = static_cast<Ordinal>(map->getLocalNumElements());
    local.num_rows = rows;  // which the checks of user data compare with
    vectors = near_nullspace(exec, false);
    if (vectors.extent(1) == 0)
      vectors = amg::unit_vectors<double, Space>(exec, {block_size, rows / block_size});
  });
  const bool symmetric = looks_symmetric(*A);
  // What is left open is picked as on one process.
  SolveParameters picked = parameters.solve;
  picked.preconditioner = PreconditionerKind::amg;
  const bool lacks_vectors =
      block_size > 1 && vectors.extent(1) == static_cast<std::size_t>(block_size);
  level_notes.clear();
  const auto selections =
      select_parameters(picked, agreed_facts(exec, symmetric), true, block_size, lacks_vectors);
  for (const Selection& p : selections)
    if (p.setting.starts_with("amg.")) level_notes.push_back(p.note());
  levels.reset();
  setup = std::make_unique<DistributedLevels<GlobalOrdinal, Node>>(
      picked.amg, A, vectors, block_size, symmetric, parameters.gather_rows);
  Parameters below = parameters;
  below.solve.amg = picked.amg;
  below.solve.preconditioner = PreconditionerKind::amg;
  below.distributed = Distribution::block_jacobi;
  below.rigid_body_modes = false;
  // Unknowns of a coarse node are its vectors'; of the finest level, where that is gathered, its
  // own.
  below.block_size = setup->levels().back().block_size;
  // Its first level is the next one of the whole.
  auto& listed = below.solve.amg.levels;
  const std::size_t above = setup->levels().size() - 1;
  if (!listed.empty())
    listed.erase(listed.begin(),
                 listed.begin() + static_cast<std::ptrdiff_t>(std::min(above, listed.size() - 1)));
  below.solve.amg.max_levels -= static_cast<int>(above);
  const amg::SmoothedAggregationParameters& finest = picked.amg.smoothed_aggregation;
  if (finest.strength_threshold > 0)
    below.solve.amg.smoothed_aggregation.strength_threshold *=
        std::pow(finest.strength_scaling, static_cast<double>(above));
  levels = std::make_shared<DistributedCycle<GlobalOrdinal, Node>>(
      picked.amg, setup->levels(), setup->vectors(), symmetric,
      parameters.solve.precision == Precision::single,
      [&](const Teuchos::RCP<const Matrix>& coarsest, const Teuchos::RCP<const Vectors>& given) {
        Teuchos::ParameterList data;
        data.set("Nullspace", given);
        on_root = Teuchos::rcp(new Operator(coarsest, below, data));
        return typename DistributedCycle<GlobalOrdinal, Node>::CoarseSolver{
            [root = on_root](const Vectors& r, Vectors& z) { root->apply(r, z); },
            [root = on_root](const Teuchos::RCP<const Matrix>& next) { root->update(next); }};
      });
  is_symmetric = symmetric && on_root->hasTransposeApply();
  if (parameters.solve.amg.reuse == amg::Reuse::none) {
    setup.reset();
  } else {
    pattern = A->getCrsGraph();
  }
}

/// New values, and of levels what "amg.reuse" says.
template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::update_levels(const Teuchos::RCP<const Matrix>& next) {
  const amg::Reuse reuse = parameters.solve.amg.reuse;
  if (reuse != amg::Reuse::none) require_same_pattern(*next);
  A = next;
  if (reuse == amg::Reuse::none) return set_up_levels();
  if (reuse == amg::Reuse::hierarchy) return;
  if (levels == nullptr) return set_up_levels();
  const kernels::ColumnPatternScope patterns(parameters.solve.column_patterns);
  const kernels::TensorCoreScope tensor_cores(parameters.solve.tensor_cores);
  // Where it throws there is no preconditioner: half of one would be of no use.
  const auto kept_levels = std::exchange(levels, nullptr);
  const bool keeps_interpolation = reuse == amg::Reuse::interpolation;
  setup->update(A, keeps_interpolation);
  kept_levels->update(setup->levels(), keeps_interpolation);
  levels = kept_levels;
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::require_same_pattern(const Matrix& next) const {
  const auto now = next.getCrsGraph();
  if (now.get() == pattern.get()) return;
  const bool same_columns = now->getColMap()->isSameAs(*pattern->getColMap());
  const auto view_of = [](const auto& graph) {
    const auto local = graph.getLocalGraphDevice();
    return kernels::CsrView<double, Space, std::int64_t>{
        static_cast<Ordinal>(graph.getLocalNumRows()),
        static_cast<Ordinal>(graph.getColMap()->getLocalNumElements()),
        local.entries.extent(0),
        ArrayView<const std::int64_t, Space>(
            reinterpret_cast<const std::int64_t*>(local.row_map.data()), local.row_map.extent(0)),
        ArrayView<const Ordinal, Space>(local.entries.data(), local.entries.extent(0)),
        {}};
  };
  on_all_processes(*map->getComm(), [&] {
    if (!same_columns)
      operator_detail::refuse("the pattern of A changed: its columns are others' than at setup");
    tessera::require_same_pattern(Space(), view_of(*pattern), view_of(*now));
  });
}

template <class GlobalOrdinal, class Node>
void Operator<GlobalOrdinal, Node>::State::apply_levels(const Vectors& X, Vectors& Y, double alpha,
                                                        double beta) {
  const std::size_t k = Y.getNumVectors();
  if (levels == nullptr)
    operator_detail::refuse("the last update failed, and with it went the levels of before");
  if (X.getNumVectors() != k)
    operator_detail::refuse("X has " + std::to_string(X.getNumVectors()) + " columns, Y has " +
                            std::to_string(k));
  require_map(X, "X", known_x_map);
  require_map(Y, "Y", known_y_map);
  if (k == 0) return;
  if (alpha == 0) {
    if (beta == 0) {
      Y.putScalar(0);
    } else {
      Y.scale(beta);
    }
    return;
  }
  if (workspace.getMap() != map || workspace.getNumVectors() != k)
    workspace = Vectors(map, k, false);
  levels->apply(X, workspace);
  Y.update(alpha, workspace, beta);
}

}  // namespace tessera::tpetra
