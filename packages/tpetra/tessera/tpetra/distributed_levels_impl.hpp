// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `make_distributed_levels`.
#pragma once

#include "tessera/amg/make_coarsening.hpp"
#include "tessera/amg/prepare_level.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/graph/strength.hpp"
#include "tessera/tpetra/diagonal_block.hpp"
#include "tessera/tpetra/distributed_levels.hpp"
#include "tessera/tpetra/distributed_matrix_impl.hpp"
#include "tessera/tpetra/filtered_matrix.hpp"
#include "tessera/tpetra/on_all_processes.hpp"
#include "tessera/tpetra/spread_cycle_impl.hpp"

#include <TpetraExt_MatrixMatrix.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace tessera::tpetra {

/// Makes one level after the other.
template <class GlobalOrdinal, class Node>
class LevelMaker {
 public:
  using Level = SpreadLevel<GlobalOrdinal, Node>;
  using Matrix = typename Level::Matrix;
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  using Map = Tpetra::Map<int, GlobalOrdinal, Node>;
  using Space = typename Node::execution_space;
  using Local = kernels::Csr<double, Space, std::int64_t>;

  LevelMaker(const amg::Parameters& parameters, bool symmetric)
      : m_parameters(parameters), m_symmetric(symmetric) {
    amg::Parameters& p = m_parameters;
    if (p.strength_threshold < 0)
      p.strength_threshold = amg::usual_strength_threshold(p.strength_measure);
    if (p.strength_scaling < 0) p.strength_scaling = amg::usual_strength_scaling;
    if (!symmetric) p.prolongator_omega = 0;
    p.symmetry = amg::AssumedSymmetry::symmetric;
  }

  bool coarsen(Level& fine, MultiVector<double, Space>& vectors, int depth);

 private:
  Local tentative(const Level& fine, const Vectors& inverse_diagonal,
                  MultiVector<double, Space>& vectors, int depth) const;
  Teuchos::RCP<const Matrix> smoothed(const Level& fine, const Vectors& inverse_diagonal,
                                      const Teuchos::RCP<const Matrix>& T,
                                      const MultiVector<double, Space>& vectors, int depth) const;
  Teuchos::RCP<const Matrix> smoother(const Level& fine, const Vectors& inverse_diagonal,
                                      const MultiVector<double, Space>& vectors, int depth) const;

  amg::Parameters m_parameters;
  bool m_symmetric;
};

/// P and R of `fine`, its spectral radius, and the coarse `vectors`; false where coarsening has
/// stalled.
template <class GlobalOrdinal, class Node>
bool LevelMaker<GlobalOrdinal, Node>::coarsen(Level& fine, MultiVector<double, Space>& vectors,
                                              int depth) {
  const auto rows = fine.A->getRowMap();
  const auto inverse_diagonal = distributed_detail::inverse_diagonal<Vectors>(*fine.A);
  fine.spectral_radius = distributed_detail::spectral_radius(
      *fine.A, *inverse_diagonal, m_symmetric, m_parameters.spectral_radius_steps);
  if (!std::isfinite(fine.spectral_radius))
    throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
  if (!(fine.spectral_radius > 0)) fine.spectral_radius = 1;
  const MultiVector<double, Space> fine_vectors = vectors;
  Local P;
  on_all_processes(*rows->getComm(),
                   [&] { P = tentative(fine, *inverse_diagonal, vectors, depth); });
  const auto columns = Teuchos::rcp(
      new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
              static_cast<std::size_t>(P.num_cols), rows->getIndexBase(), rows->getComm()));
  const bool stalls =
      static_cast<double>(columns->getGlobalNumElements()) >
      m_parameters.max_coarsening_ratio * static_cast<double>(rows->getGlobalNumElements());
  if (stalls || columns->getGlobalNumElements() == 0) {
    vectors = fine_vectors;
    return false;
  }
  const Teuchos::RCP<const Matrix> T = distributed_detail::as_tpetra<Matrix>(P, rows, columns);
  fine.P = m_parameters.prolongator_omega > 0
               ? smoothed(fine, *inverse_diagonal, T, fine_vectors, depth)
               : T;
  Tpetra::RowMatrixTransposer<double, int, GlobalOrdinal, Node> transposer(fine.P);
  fine.R = transposer.createTranspose();
  return true;
}

/// This process's part of the tentative prolongator; `vectors` become the coarse ones. Aggregates
/// are this process's own.
template <class GlobalOrdinal, class Node>
auto LevelMaker<GlobalOrdinal, Node>::tentative(const Level& fine, const Vectors&,
                                                MultiVector<double, Space>& vectors,
                                                int depth) const -> Local {
  const Space exec;
  const auto view = distributed_detail::local_view(*fine.A);
  if (view.num_rows == 0) {
    vectors = allocate_multivector<double>(exec, "tessera::tpetra::vectors", 0, vectors.extent(1));
    return {};
  }
  amg::Parameters parameters = m_parameters;
  parameters.prolongator_omega = 0;
  const Local block = diagonal_block(exec, view, distributed_detail::own_columns(*fine.A));
  amg::FineLevel<double, Space, std::int64_t> level;
  level.A = std::make_shared<const StoredCsr<double, Space, std::int64_t>>(exec, block);
  level.block_size = fine.block_size;
  amg::PhaseTimer<Space> timer(exec, false);
  if (!amg::prepare_level(exec, parameters, level, timer))
    throw Error(ErrorKind::bad_input, "the matrix holds a NaN or an infinity");
  amg::Candidates<double, Space> B(exec, view.num_rows, vectors, fine.block_size);
  std::vector<std::string> notes;
  amg::CoarseningState state{view.num_entries, view.num_entries, notes, depth};
  state.symmetric = true;
  const auto coarse = amg::make_coarsening<double, Space, std::int64_t>(parameters, false)
                          ->initialize(exec, level, B, state, timer);
  if (!coarse) throw Error(ErrorKind::precondition, "coarsening has stalled");
  const Local P = kernels::sort_rows(exec, coarse->P.view());
  vectors = B.copy(exec);
  exec.fence("tessera::tpetra::tentative");
  return P;
}

/// T - omega / rho D^-1 A T, with weak couplings left out of A where it is filtered.
template <class GlobalOrdinal, class Node>
auto LevelMaker<GlobalOrdinal, Node>::smoothed(const Level& fine, const Vectors& inverse_diagonal,
                                               const Teuchos::RCP<const Matrix>& T,
                                               const MultiVector<double, Space>& vectors,
                                               int depth) const -> Teuchos::RCP<const Matrix> {
  Matrix change(T->getRowMap(), 0);
  Tpetra::MatrixMatrix::Multiply(*smoother(fine, inverse_diagonal, vectors, depth), false, *T,
                                 false, change);
  return Tpetra::MatrixMatrix::add(1.0, false, *T, -1.0, false, change, T->getDomainMap(),
                                   T->getRangeMap());
}

/// omega / rho D^-1 A, filtered where vertices have one unknown and one near-nullspace vector.
template <class GlobalOrdinal, class Node>
auto LevelMaker<GlobalOrdinal, Node>::smoother(const Level& fine, const Vectors& inverse_diagonal,
                                               const MultiVector<double, Space>& vectors,
                                               int depth) const -> Teuchos::RCP<const Matrix> {
  const Matrix& A = *fine.A;
  const auto rows = A.getRowMap();
  const auto processes = rows->getComm();
  const bool filters = fine.block_size == 1 && vectors.extent(1) == 1;
  Filtering<Space> filtering;
  filtering.theta =
      filters ? m_parameters.strength_threshold * std::pow(m_parameters.strength_scaling, depth)
              : 0;
  filtering.omega = m_parameters.prolongator_omega / fine.spectral_radius;
  filtering.spectral_radius = fine.spectral_radius;
  filtering.symmetric = m_symmetric;
  // Scale and candidate of each row, and then of each column, which may be another process's.
  Vectors of_rows(rows, 2);
  const auto view = distributed_detail::local_view(A);
  const Space exec;
  if (filtering.theta > 0) {
    on_all_processes(*processes, [&] {
      if (view.num_rows == 0) return;
      const auto whole = spread_detail::whole_rows<double>(exec, A);
      auto square = whole.view();
      square.num_cols = square.num_rows;  // other processes' columns are couplings like others
      const auto scale = kernels::coupling_scale(exec, square, m_parameters.strength_measure);
      const auto local = of_rows.getLocalViewDevice(Tpetra::Access::OverwriteAll);
      Kokkos::deep_copy(exec, Kokkos::subview(local, Kokkos::ALL, 0), scale);
      Kokkos::deep_copy(exec, Kokkos::subview(local, Kokkos::ALL, 1),
                        Kokkos::subview(vectors, Kokkos::ALL, 0));
      exec.fence("tessera::tpetra::smoother");
    });
  }
  Vectors of_columns(A.getColMap(), 2);
  const auto importer = A.getGraph()->getImporter();
  if (importer.is_null()) {
    Tpetra::deep_copy(of_columns, of_rows);
  } else {
    of_columns.doImport(of_rows, *importer, Tpetra::INSERT);
  }
  Local M;
  on_all_processes(*processes, [&] {
    const auto by_row = of_rows.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const auto by_column = of_columns.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const auto diagonal = inverse_diagonal.getLocalViewDevice(Tpetra::Access::ReadOnly);
    const auto column = [](const auto& v, int j) {
      return ArrayView<const double, Space>(v.data() + j * v.stride(1), v.extent(0));
    };
    const auto own = distributed_detail::own_columns(A);
    filtering.row_of_column = own;
    filtering.inverse_diagonal = column(diagonal, 0);
    filtering.scale_of_row = column(by_row, 0);
    filtering.candidate_of_row = column(by_row, 1);
    filtering.scale_of_column = column(by_column, 0);
    filtering.candidate_of_column = column(by_column, 1);
    M = damped_filtered_matrix(exec, view, filtering);
    exec.fence("tessera::tpetra::smoother");
  });
  return distributed_detail::as_tpetra<Matrix>(M, rows, A.getColMap(), A.getDomainMap());
}

template <class GlobalOrdinal, class Node>
DistributedLevels<GlobalOrdinal, Node> make_distributed_levels(
    const amg::Parameters& parameters,
    const Teuchos::RCP<const Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>>& A,
    const MultiVector<double, typename Node::execution_space>& near_nullspace, int block_size,
    bool symmetric, int gather_rows) {
  using Matrix = Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>;
  DistributedLevels<GlobalOrdinal, Node> made;
  made.vectors = near_nullspace;
  LevelMaker<GlobalOrdinal, Node> maker(parameters, symmetric);
  SpreadLevel<GlobalOrdinal, Node> here;
  here.A = A;
  here.block_size = block_size;
  while (static_cast<int>(made.levels.size()) + 1 < parameters.max_levels &&
         here.A->getGlobalNumRows() > static_cast<Tpetra::global_size_t>(gather_rows)) {
    if (!maker.coarsen(here, made.vectors, static_cast<int>(made.levels.size()))) break;
    Matrix AP(here.A->getRowMap(), 0);
    Tpetra::MatrixMatrix::Multiply(*here.A, false, *here.P, false, AP);
    const auto coarse = Teuchos::rcp(new Matrix(here.R->getRowMap(), 0));
    Tpetra::MatrixMatrix::Multiply(*here.R, false, AP, false, *coarse);
    made.levels.push_back(std::exchange(here, {}));
    here.A = coarse;
    here.block_size = static_cast<int>(made.vectors.extent(1));
  }
  here.spectral_radius = 0;
  made.levels.push_back(here);
  return made;
}

}  // namespace tessera::tpetra
