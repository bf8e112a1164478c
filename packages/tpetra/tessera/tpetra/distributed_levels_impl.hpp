// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `DistributedLevels`, and the transpose that they restrict with.
#pragma once

#include "tessera/amg/selection_rules.hpp"
#include "tessera/tpetra/distributed_cycle_impl.hpp"
#include "tessera/tpetra/distributed_levels.hpp"
#include "tessera/tpetra/distributed_matrix_impl.hpp"
#include "tessera/tpetra/on_all_processes.hpp"
#include "tessera/tpetra/row_stack.hpp"

#include <Tpetra_RowMatrixTransposer.hpp>

#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera::tpetra::distributed_detail {

template <class Matrix>
Teuchos::RCP<const Matrix> transpose_of(const Teuchos::RCP<const Matrix>& A) {
  Tpetra::RowMatrixTransposer<double, int, typename Matrix::global_ordinal_type,
                              typename Matrix::node_type>
      transposer(A);
  return transposer.createTranspose();
}

/// Global numbers of what the matrix's importer brings from others, in that order.
template <class Matrix>
std::vector<typename Matrix::global_ordinal_type> remote_columns(const Matrix& A) {
  std::vector<typename Matrix::global_ordinal_type> columns;
  const auto importer = A.getGraph()->getImporter();
  if (importer.is_null()) return columns;
  for (const int column : importer->getRemoteLIDs())
    columns.push_back(A.getColMap()->getGlobalElement(column));
  return columns;
}

/// A^T in rows of this process, over whose unknowns A's rows and columns are. Collective.
template <class Matrix>
DistributedTranspose<typename Matrix::execution_space> transposed_rows(
    const typename Matrix::execution_space& exec, const Teuchos::RCP<const Matrix>& A,
    int block_size) {
  using Space = typename Matrix::execution_space;
  const auto At = transpose_of(A);
  const auto importer = At->getGraph()->getImporter();
  DistributedTranspose<Space> result{
      {{},
       block_size,
       Exchange<double, Space>(importer),
       RowExchange<Space>(importer, RowExchange<Space>::Direction::forward),
       {}},
      {},
      0};
  on_all_processes(*A->getRowMap()->getComm(), [&] {
    result.rows.A = distributed_levels_detail::whole_rows<double>(exec, *At);
    exec.fence("tessera::tpetra::transposed_rows");
    const auto own = static_cast<Ordinal>(A->getDomainMap()->getLocalNumElements());
    const auto known = remote_columns(*A);
    std::map<typename Matrix::global_ordinal_type, Ordinal> number;
    Ordinal next = own;
    for (const auto column : known)
      number.emplace(column, next++);
    result.columns_of_A.resize(static_cast<std::size_t>(own));
    std::iota(result.columns_of_A.begin(), result.columns_of_A.end(), 0);
    for (const auto column : remote_columns(*At)) {
      const auto place = number.emplace(column, next);
      if (place.second) ++next;
      result.columns_of_A.push_back(place.first->second);
    }
    result.num_columns = next;
  });
  return result;
}

/// Its values again, for new ones of A in the pattern of before. Collective.
template <class Matrix>
void take_transposed_values(const typename Matrix::execution_space& exec,
                            const Teuchos::RCP<const Matrix>& A,
                            const DistributedRows<typename Matrix::execution_space>& rows) {
  const auto At = transpose_of(A);
  on_all_processes(*A->getRowMap()->getComm(), [&] {
    rows.transposed->rows.A = distributed_levels_detail::whole_rows<double>(exec, *At);
    exec.fence("tessera::tpetra::take_transposed_values");
  });
}

}  // namespace tessera::tpetra::distributed_detail

namespace tessera::tpetra {

template <class GlobalOrdinal, class Node>
DistributedLevels<GlobalOrdinal, Node>::DistributedLevels(
    const amg::Parameters& parameters, const Teuchos::RCP<const Matrix>& A,
    const MultiVector<double, Space>& near_nullspace, int block_size, bool symmetric,
    int gather_rows)
    : m_parameters(parameters), m_symmetric(symmetric), m_vectors(near_nullspace) {
  amg::SmoothedAggregationParameters& p = m_parameters.smoothed_aggregation;
  if (p.strength_threshold < 0)
    p.strength_threshold = amg::default_strength_threshold(p.strength_measure);
  if (p.strength_scaling < 0) p.strength_scaling = rules::default_strength_scaling;
  Level here;
  here.A = A;
  here.block_size = block_size;
  while (static_cast<int>(m_levels.size()) + 1 < m_parameters.max_levels &&
         here.A->getGlobalNumRows() > static_cast<Tpetra::global_size_t>(gather_rows)) {
    if (!coarsen(here)) break;
    const Teuchos::RCP<const Matrix> coarse = m_steps.back().coarse;
    m_levels.push_back(std::exchange(here, {}));
    here.A = coarse;
    here.block_size = static_cast<int>(m_vectors.extent(1));
  }
  here.spectral_radius = 0;
  m_levels.push_back(here);
}

/// The level's inverse diagonal and spectral radius.
template <class GlobalOrdinal, class Node>
auto DistributedLevels<GlobalOrdinal, Node>::values_of(Level& level) const
    -> DistributedValues<Space> {
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  const auto inverse = distributed_detail::inverse_diagonal<Vectors>(*level.A);
  level.spectral_radius = distributed_detail::spectral_radius(*level.A, *inverse, m_symmetric,
                                                              m_parameters.spectral_radius_steps);
  if (!std::isfinite(level.spectral_radius))
    throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
  if (!(level.spectral_radius > 0)) level.spectral_radius = 1;
  return {distributed_levels_detail::local_copy<double>(Space(), *inverse), level.spectral_radius};
}

/// R from its transpose.
template <class GlobalOrdinal, class Node>
void DistributedLevels<GlobalOrdinal, Node>::restrict_by(Level& level, const Step& step) const {
  Tpetra::RowMatrixTransposer<double, int, GlobalOrdinal, Node> transposer(
      step.Rt.is_null() ? step.P : step.Rt);
  level.R = transposer.createTranspose();
}

/// P and R of `fine` and the next level's matrix; false where coarsening has stalled.
template <class GlobalOrdinal, class Node>
bool DistributedLevels<GlobalOrdinal, Node>::coarsen(Level& fine) {
  using Direction = typename RowExchange<Space>::Direction;
  const Space exec;
  const auto rows = fine.A->getRowMap();
  const auto& processes = *rows->getComm();
  const auto importer = fine.A->getGraph()->getImporter();
  const auto values = values_of(fine);
  const int depth = static_cast<int>(m_levels.size());
  Step step{{{},
             fine.block_size,
             Exchange<double, Space>(importer),
             RowExchange<Space>(importer, Direction::forward),
             {}},
            DistributedCoarsening<Space>(m_parameters.smoothed_aggregation, m_symmetric, depth),
            {},
            {},
            {},
            {}};
  on_all_processes(processes, [&] {
    step.fine.A = distributed_levels_detail::whole_rows<double>(exec, *fine.A);
    exec.fence("tessera::tpetra::DistributedLevels");
  });
  if (!m_symmetric)
    step.fine.transposed = std::make_shared<DistributedTranspose<Space>>(
        distributed_detail::transposed_rows(exec, fine.A, fine.block_size));
  auto vectors = m_vectors;
  const Ordinal own = step.coarsening.aggregate(exec, processes, step.fine, vectors, m_box);
  step.coarse_rows =
      Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                           static_cast<std::size_t>(own), rows->getIndexBase(), rows->getComm()));
  const auto all = step.coarse_rows->getGlobalNumElements();
  if (all == 0 || static_cast<double>(all) > m_parameters.max_coarsening_ratio *
                                                 static_cast<double>(rows->getGlobalNumElements()))
    return false;
  const GlobalOrdinal first = own > 0 ? step.coarse_rows->getMinGlobalIndex() : GlobalOrdinal(0);
  const auto transfer = [&](const auto& entries, const ColumnNumbers& columns) {
    return distributed_detail::as_tpetra<Matrix>(
        entries, rows, distributed_detail::column_map(*step.coarse_rows, columns.others()),
        step.coarse_rows);
  };
  auto& coarsening = step.coarsening;
  coarsening.make_prolongator(exec, processes, step.fine, values, first);
  step.P = transfer(coarsening.prolongator(), coarsening.columns());
  if (coarsening.has_restriction()) {
    coarsening.make_restriction(exec, processes, step.fine, values, first);
    step.Rt = transfer(coarsening.restriction(), coarsening.columns_of_restriction());
  }
  fine.P = step.P;
  restrict_by(fine, step);
  const auto restricting = step.Rt.is_null() ? step.P : step.Rt;
  const auto& product = coarsening.make_product(
      exec, processes, step.fine,
      RowExchange<Space>(restricting->getGraph()->getImporter(), Direction::backward));
  step.coarse = distributed_detail::as_tpetra<Matrix>(
      product, step.coarse_rows,
      distributed_detail::column_map(*step.coarse_rows, coarsening.product().columns().others()),
      step.coarse_rows);
  m_vectors = vectors;
  m_steps.push_back(std::move(step));
  return true;
}

template <class GlobalOrdinal, class Node>
void DistributedLevels<GlobalOrdinal, Node>::update(const Teuchos::RCP<const Matrix>& A,
                                                    bool keeps_interpolation) {
  const Space exec;
  m_levels.front().A = A;
  for (std::size_t l = 0; l < m_steps.size(); ++l) {
    Level& level = m_levels[l];
    Step& step = m_steps[l];
    const auto& processes = *level.A->getRowMap()->getComm();
    const auto values = values_of(level);
    if (step.fine.A.num_entries() > 0)
      Kokkos::deep_copy(exec, step.fine.A.values, distributed_detail::local_view(*level.A).values);
    if (!keeps_interpolation) {
      if (!m_symmetric) distributed_detail::take_transposed_values(exec, level.A, step.fine);
      step.coarsening.remake_transfers(exec, processes, step.fine, values);
      const auto take = [&](const Teuchos::RCP<Matrix>& into, const auto& entries) {
        if (!into.is_null() && entries.num_entries() > 0)
          Kokkos::deep_copy(exec, into->getLocalMatrixDevice().values, entries.values);
      };
      take(step.P, step.coarsening.prolongator());
      take(step.Rt, step.coarsening.restriction());
      exec.fence("tessera::tpetra::DistributedLevels");
      restrict_by(level, step);
    }
    const auto& product = step.coarsening.remake_product(exec, step.fine, !keeps_interpolation);
    if (product.num_entries() > 0)
      Kokkos::deep_copy(exec, step.coarse->getLocalMatrixDevice().values, product.values);
    exec.fence("tessera::tpetra::DistributedLevels");
    m_levels[l + 1].A = step.coarse;
  }
}

}  // namespace tessera::tpetra
