// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `DistributedMultigrid`.
#pragma once

#include "tessera/amg/make_coarsening.hpp"
#include "tessera/amg/prepare_level.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/tpetra/diagonal_block.hpp"
#include "tessera/tpetra/distributed_matrix_impl.hpp"
#include "tessera/tpetra/on_all_processes.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <TpetraExt_MatrixMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace tessera::tpetra {
template <class GlobalOrdinal, class Node>
DistributedMultigrid<GlobalOrdinal, Node>::DistributedMultigrid(
    const amg::Parameters& parameters, const Teuchos::RCP<const Matrix>& A,
    const MultiVector<double, Space>& near_nullspace, int block_size, bool symmetric,
    int gather_rows, const MakeCoarseSolver& make_coarse_solver)
    : m_parameters(parameters), m_symmetric(symmetric) {
  amg::Parameters& p = m_parameters;
  if (p.strength_threshold < 0)
    p.strength_threshold = amg::usual_strength_threshold(p.strength_measure);
  if (p.strength_scaling < 0) p.strength_scaling = amg::usual_strength_scaling;
  // P^T restricts: without symmetry the aggregates alone do so safely.
  if (!symmetric) p.prolongator_omega = 0;
  p.symmetry = amg::AssumedSymmetry::symmetric;
  Teuchos::RCP<const Matrix> here = A;
  MultiVector<double, Space> vectors = near_nullspace;
  int size_of_vertex = block_size;
  while (static_cast<int>(m_levels.size()) + 1 < p.max_levels &&
         here->getGlobalNumRows() > static_cast<Tpetra::global_size_t>(gather_rows)) {
    Level level;
    level.A = here;
    if (!coarsen(level, vectors, size_of_vertex, static_cast<int>(m_levels.size()))) break;
    Matrix AP(here->getRowMap(), 0);
    Tpetra::MatrixMatrix::Multiply(*here, false, *level.P, false, AP);
    const auto coarse = Teuchos::rcp(new Matrix(level.P->getDomainMap(), 0));
    Tpetra::MatrixMatrix::Multiply(*level.P, true, AP, false, *coarse);
    here = coarse;
    size_of_vertex = static_cast<int>(vectors.extent(1));
    m_levels.push_back(std::move(level));
  }
  gather(here, vectors, make_coarse_solver);
}

/// P of `fine`, its smoother, and the coarse `vectors`; false where coarsening has stalled.
template <class GlobalOrdinal, class Node>
bool DistributedMultigrid<GlobalOrdinal, Node>::coarsen(Level& fine,
                                                        MultiVector<double, Space>& vectors,
                                                        int block_size, int depth) {
  const auto rows = fine.A->getRowMap();
  fine.inverse_diagonal = distributed_detail::inverse_diagonal<Vectors>(*fine.A);
  fine.spectral_radius = distributed_detail::spectral_radius(
      *fine.A, *fine.inverse_diagonal, m_symmetric, m_parameters.spectral_radius_steps);
  if (!std::isfinite(fine.spectral_radius))
    throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
  if (!(fine.spectral_radius > 0)) fine.spectral_radius = 1;
  const auto asked = m_parameters.smoother.type;
  fine.uses_chebyshev =
      asked == SmootherType::chebyshev || (asked == SmootherType::automatic && block_size > 1);
  // Aggregates are this process's; they are smoothed by the whole matrix below.
  amg::Parameters local_parameters = m_parameters;
  local_parameters.prolongator_omega = 0;
  Local P;
  MultiVector<double, Space> coarse_vectors;
  on_all_processes(*rows->getComm(), [&] {
    const Space exec;
    const auto view = distributed_detail::local_view(*fine.A);
    if (view.num_rows == 0) {
      coarse_vectors =
          allocate_multivector<double>(exec, "tessera::tpetra::vectors", 0, vectors.extent(1));
      return;
    }
    const Local block = diagonal_block(exec, view, distributed_detail::own_columns(*fine.A));
    amg::FineLevel<double, Space, std::int64_t> level;
    level.A = std::make_shared<const StoredCsr<double, Space, std::int64_t>>(exec, block);
    level.block_size = block_size;
    amg::PhaseTimer<Space> timer(exec, false);
    if (!amg::prepare_level(exec, local_parameters, level, timer))
      throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
    amg::Candidates<double, Space> B(exec, view.num_rows, vectors, block_size);
    std::vector<std::string> notes;
    amg::CoarseningState state{view.num_entries, view.num_entries, notes, depth};
    state.symmetric = true;
    const auto coarse = amg::make_coarsening<double, Space, std::int64_t>(local_parameters, false)
                            ->initialize(exec, level, B, state, timer);
    if (!coarse) throw Error(ErrorKind::precondition, "coarsening has stalled");
    P = kernels::sort_rows(exec, coarse->P.view());
    coarse_vectors = B.copy(exec);
    exec.fence("tessera::tpetra::coarsen");
  });
  const auto columns = Teuchos::rcp(
      new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
              static_cast<std::size_t>(P.num_cols), rows->getIndexBase(), rows->getComm()));
  const bool stalls =
      static_cast<double>(columns->getGlobalNumElements()) >
      m_parameters.max_coarsening_ratio * static_cast<double>(rows->getGlobalNumElements());
  if (stalls || columns->getGlobalNumElements() == 0) return false;
  const Teuchos::RCP<const Matrix> T = distributed_detail::as_tpetra<Matrix>(P, rows, columns);
  fine.P = m_parameters.prolongator_omega > 0 ? smoothed(fine, T) : T;
  vectors = coarse_vectors;
  return true;
}

/// (I - omega / rho D^-1 A) T.
template <class GlobalOrdinal, class Node>
auto DistributedMultigrid<GlobalOrdinal, Node>::smoothed(const Level& fine,
                                                         const Teuchos::RCP<const Matrix>& T) const
    -> Teuchos::RCP<const Matrix> {
  Matrix DAT(T->getRowMap(), 0);
  Tpetra::MatrixMatrix::Multiply(*fine.A, false, *T, false, DAT);
  DAT.leftScale(*fine.inverse_diagonal->getVector(0));
  const double omega = m_parameters.prolongator_omega / fine.spectral_radius;
  return Tpetra::MatrixMatrix::add(1.0, false, *T, -omega, false, DAT, T->getDomainMap(),
                                   T->getRangeMap());
}

template <class GlobalOrdinal, class Node>
void DistributedMultigrid<GlobalOrdinal, Node>::gather(const Teuchos::RCP<const Matrix>& A,
                                                       const MultiVector<double, Space>& vectors,
                                                       const MakeCoarseSolver& make_coarse_solver) {
  const auto rows = A->getRowMap();
  const auto own = rows->getLocalElementList();
  // In the processes' order: the rows of vertices stay side by side.
  std::vector<int> counts(static_cast<std::size_t>(rows->getComm()->getSize()));
  const auto count = static_cast<int>(own.size());
  Teuchos::gatherAll(*rows->getComm(), 1, &count, static_cast<int>(counts.size()), counts.data());
  int longest = 1;
  for (const int c : counts)
    longest = std::max(longest, c);
  std::vector<GlobalOrdinal> mine(static_cast<std::size_t>(longest), -1);
  std::copy(own.begin(), own.end(), mine.begin());
  std::vector<GlobalOrdinal> all(mine.size() * counts.size());
  Teuchos::gatherAll(*rows->getComm(), longest, mine.data(), static_cast<int>(all.size()),
                     all.data());
  std::vector<GlobalOrdinal> root;
  if (rows->getComm()->getRank() == 0) {
    for (std::size_t process = 0; process < counts.size(); ++process)
      for (int i = 0; i < counts[process]; ++i)
        root.push_back(
            all[process * static_cast<std::size_t>(longest) + static_cast<std::size_t>(i)]);
  }
  const Teuchos::RCP<const Map> on_root =
      Teuchos::rcp(new Map(rows->getGlobalNumElements(), Teuchos::arrayViewFromVector(root),
                           rows->getIndexBase(), rows->getComm()));
  m_coarsest = A;
  m_importer = Teuchos::rcp(new Tpetra::Import<int, GlobalOrdinal, Node>(rows, on_root));
  const Teuchos::RCP<const Matrix> gathered =
      Tpetra::importAndFillCompleteCrsMatrix<Matrix>(A, *m_importer, on_root, on_root);
  const auto given = Teuchos::rcp(new Vectors(on_root, vectors.extent(1)));
  if (vectors.extent(1) > 0) {
    Vectors local(rows, vectors.extent(1));
    if (rows->getLocalNumElements() > 0)
      Kokkos::deep_copy(local.getLocalViewDevice(Tpetra::Access::OverwriteAll), vectors);
    given->doImport(local, *m_importer, Tpetra::INSERT);
  }
  m_coarse_solver = make_coarse_solver(gathered, given);
}

template <class GlobalOrdinal, class Node>
void DistributedMultigrid<GlobalOrdinal, Node>::apply(const Vectors& r, Vectors& z) {
  cycle(0, r, z);
}

/// x = the cycle from `level` down for b, from the guess zero.
template <class GlobalOrdinal, class Node>
void DistributedMultigrid<GlobalOrdinal, Node>::cycle(std::size_t number, const Vectors& b,
                                                      Vectors& x) {
  if (number == m_levels.size()) return solve_coarsest(b, x);
  Level& level = m_levels[number];
  const std::size_t k = b.getNumVectors();
  if (level.r.getNumVectors() != k || level.r.getMap() != level.A->getRowMap()) {
    level.r = Vectors(level.A->getRowMap(), k, false);
    level.d = Vectors(level.A->getRowMap(), k, false);
    level.coarse_r = Vectors(level.P->getDomainMap(), k, false);
    level.coarse_z = Vectors(level.P->getDomainMap(), k, false);
    level.coarse_d = Vectors(level.P->getDomainMap(), k, false);
  }
  for (int sweep = 0; sweep < m_parameters.smoother.sweeps; ++sweep)
    relax(level, b, x, sweep == 0);
  Tpetra::deep_copy(level.r, b);
  level.A->apply(x, level.r, Teuchos::NO_TRANS, -1, 1);
  level.P->apply(level.r, level.coarse_r, Teuchos::TRANS);
  cycle(number + 1, level.coarse_r, level.coarse_z);
  if (m_parameters.cycle == amg::CycleType::w) {
    // Once more, from the coarse problem's last iterate.
    const bool is_last = number + 1 == m_levels.size();
    const Matrix& coarse_A = is_last ? *m_coarsest : *m_levels[number + 1].A;
    coarse_A.apply(level.coarse_z, level.coarse_r, Teuchos::NO_TRANS, -1, 1);
    cycle(number + 1, level.coarse_r, level.coarse_d);
    level.coarse_z.update(1, level.coarse_d, 1);
  }
  level.P->apply(level.coarse_z, x, Teuchos::NO_TRANS, 1, 1);
  for (int sweep = 0; sweep < m_parameters.smoother.sweeps; ++sweep)
    relax(level, b, x, false);
}

/// A sweep of Jacobi, or of Chebyshev's polynomial in D^-1 A over the upper part of its spectrum
/// (Adams, Brezina, Hu & Tuminaro, J. Comput. Phys. 188, 2003).
template <class GlobalOrdinal, class Node>
void DistributedMultigrid<GlobalOrdinal, Node>::relax(Level& level, const Vectors& b, Vectors& x,
                                                      bool from_zero) {
  const SmootherParameters& p = m_parameters.smoother;
  const Vectors& D = *level.inverse_diagonal;
  const double rho = level.spectral_radius;
  const auto residual = [&](bool is_b) {
    Tpetra::deep_copy(level.r, b);
    if (!is_b) level.A->apply(x, level.r, Teuchos::NO_TRANS, -1, 1);
  };
  if (from_zero) x.putScalar(0);
  if (!level.uses_chebyshev) {
    residual(from_zero);
    const double omega = p.omega_over_radius ? p.omega / rho : p.omega;
    distributed_detail::scale_by(D, omega, level.r, 1, x);
    return;
  }
  const double high = 1.1 * rho;
  const double low = rho / p.eigenvalue_ratio;
  const double theta = (high + low) / 2;
  const double delta = (high - low) / 2;
  double factor = delta / theta;
  residual(from_zero);
  distributed_detail::scale_by(D, 1 / theta, level.r, 0, level.d);
  x.update(1, level.d, 1);
  for (int step = 1; step < p.degree; ++step) {
    residual(false);
    const double next = 1 / (2 * theta / delta - factor);
    level.d.scale(next * factor);
    distributed_detail::scale_by(D, 2 * next / delta, level.r, 1, level.d);
    x.update(1, level.d, 1);
    factor = next;
  }
}

template <class GlobalOrdinal, class Node>
void DistributedMultigrid<GlobalOrdinal, Node>::solve_coarsest(const Vectors& r, Vectors& z) {
  const std::size_t k = r.getNumVectors();
  if (m_gathered_r.getNumVectors() != k || m_gathered_r.getMap() != m_importer->getTargetMap()) {
    m_gathered_r = Vectors(m_importer->getTargetMap(), k);
    m_gathered_z = Vectors(m_importer->getTargetMap(), k);
  }
  m_gathered_r.doImport(r, *m_importer, Tpetra::REPLACE);
  m_coarse_solver(m_gathered_r, m_gathered_z);
  z.doExport(m_gathered_z, *m_importer, Tpetra::REPLACE);
}

template <class GlobalOrdinal, class Node>
std::vector<Tpetra::global_size_t> DistributedMultigrid<GlobalOrdinal, Node>::sizes() const {
  std::vector<Tpetra::global_size_t> sizes;
  for (const Level& level : m_levels)
    sizes.push_back(level.A->getGlobalNumRows());
  sizes.push_back(m_coarsest->getGlobalNumRows());
  return sizes;
}

}  // namespace tessera::tpetra
