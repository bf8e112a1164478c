// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `DistributedMultigrid`.
#pragma once

#include "tessera/amg/make_coarsening.hpp"
#include "tessera/amg/prepare_level.hpp"
#include "tessera/amg/spectral_radius.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/tpetra/diagonal_block.hpp"
#include "tessera/tpetra/distributed_multigrid.hpp"
#include "tessera/tpetra/on_all_processes.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <TpetraExt_MatrixMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace tessera::tpetra {
namespace distributed_detail {

/// A's rows on this process with the columns of A's column map; valid as long as A.
template <class Matrix>
auto local_view(const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto local = A.getLocalMatrixDevice();
  const auto& rows = local.graph.row_map;
  return kernels::CsrView<double, Space, std::int64_t>{
      static_cast<Ordinal>(local.numRows()),
      static_cast<Ordinal>(local.numCols()),
      local.graph.entries.extent(0),
      ArrayView<const std::int64_t, Space>(reinterpret_cast<const std::int64_t*>(rows.data()),
                                           rows.extent(0)),
      ArrayView<const Ordinal, Space>(local.graph.entries.data(), local.graph.entries.extent(0)),
      ArrayView<const double, Space>(local.values.data(), local.values.extent(0))};
}

/// For each column of A's column map its row's number on this process, -1 for other processes'.
template <class Matrix>
auto own_columns(const Matrix& A) {
  using Space = typename Matrix::execution_space;
  const auto& columns = *A.getColMap();
  const auto& rows = *A.getRowMap();
  const auto count = static_cast<Ordinal>(columns.getLocalNumElements());
  const Kokkos::View<Ordinal*, Kokkos::HostSpace> numbers("tessera::tpetra::own_columns", count);
  for (Ordinal j = 0; j < count; ++j)
    numbers(j) = rows.getLocalElement(columns.getGlobalElement(j));
  const Space exec;
  const auto on_device = allocate<Ordinal>(exec, "tessera::tpetra::own_columns", count);
  Kokkos::deep_copy(exec, on_device, numbers);
  return on_device;
}

/// The product's local rows as a matrix of Tpetra over maps of the processes.
template <class Matrix>
Teuchos::RCP<const Matrix> as_tpetra(
    const kernels::Csr<double, typename Matrix::execution_space, std::int64_t>& local,
    const Teuchos::RCP<const typename Matrix::map_type>& rows,
    const Teuchos::RCP<const typename Matrix::map_type>& columns) {
  using LocalMatrix = typename Matrix::local_matrix_device_type;
  using Offsets = typename LocalMatrix::row_map_type::non_const_type;
  const Offsets offsets("tessera::tpetra::offsets", local.num_rows + 1);
  const typename LocalMatrix::index_type entries("tessera::tpetra::columns", local.num_entries());
  const typename LocalMatrix::values_type values("tessera::tpetra::values", local.num_entries());
  if (local.num_rows > 0) {
    const Kokkos::View<std::int64_t*, typename Offsets::device_type,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        same_bits(reinterpret_cast<std::int64_t*>(offsets.data()), offsets.extent(0));
    Kokkos::deep_copy(same_bits, local.offsets);
    Kokkos::deep_copy(entries, local.columns);
    Kokkos::deep_copy(values, local.values);
  }
  const LocalMatrix matrix("tessera::tpetra::P", local.num_rows, local.num_cols,
                           local.num_entries(), values, offsets, entries);
  return Teuchos::rcp(new Matrix(matrix, rows, columns, columns, rows));
}

/// The largest eigenvalue of the symmetric tridiagonal matrix by bisection on Sturm's sequence.
inline double largest_eigenvalue(const std::vector<double>& alpha,
                                 const std::vector<double>& beta) {
  double low = 0;
  double high = 0;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    const double before = i > 0 ? std::abs(beta[i - 1]) : 0;
    const double after = i + 1 < alpha.size() ? std::abs(beta[i]) : 0;
    high = std::max(high, alpha[i] + before + after);
  }
  const auto is_above_all = [&](double x) {
    double q = alpha[0] - x;
    for (std::size_t i = 1; q < 0 && i < alpha.size(); ++i)
      q = alpha[i] - x - beta[i - 1] * beta[i - 1] / q;
    return q < 0;
  };
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (is_above_all(middle) ? high : low) = middle;
  }
  return high;
}

/// D^-1 as a vector: 0 where the diagonal is.
template <class Vectors, class Matrix>
Teuchos::RCP<Vectors> inverse_diagonal(const Matrix& A) {
  Tpetra::Vector<double, int, typename Matrix::global_ordinal_type, typename Matrix::node_type>
      diagonal(A.getRowMap());
  A.getLocalDiagCopy(diagonal);
  const auto inverse = Teuchos::rcp(new Vectors(diagonal, Teuchos::Copy));
  const auto local = inverse->getLocalViewHost(Tpetra::Access::ReadWrite);
  for (std::size_t i = 0; i < local.extent(0); ++i)
    local(i, 0) = local(i, 0) != 0 ? 1 / local(i, 0) : 0;
  return inverse;
}

/// y = D^-1 x + beta y, column by column.
template <class Vectors>
void scale_by(const Vectors& diagonal, double alpha, const Vectors& x, double beta, Vectors& y) {
  y.elementWiseMultiply(alpha, *diagonal.getVector(0), x, beta);
}

/// The spectral radius of D^-1 A by `steps` steps of Lanczos in D's inner product, which is an
/// inner product where D is positive; the largest Ritz value and half its residual. Of a matrix
/// that is not symmetric, Gershgorin's bound.
template <class Matrix, class Vectors>
double spectral_radius(const Matrix& A, const Vectors& inverse_diagonal, bool symmetric,
                       int steps) {
  using Space = typename Matrix::execution_space;
  const auto processes = A.getRowMap()->getComm();
  if (!symmetric) {
    const Space exec;
    const auto view = local_view(A);
    const auto own = own_columns(A);
    double bound = 0;
    const auto d = inverse_diagonal.getLocalViewDevice(Tpetra::Access::ReadOnly);
    Kokkos::parallel_reduce(
        "tessera::tpetra::gershgorin", Kokkos::RangePolicy<Space>(exec, 0, view.num_rows),
        KOKKOS_LAMBDA(const Ordinal i, double& largest) {
          double sum = 0;
          for (std::int64_t e = view.offsets(i); e < view.offsets(i + 1); ++e)
            sum += Kokkos::abs(view.values(e) * d(i, 0));
          largest = sum > largest ? sum : largest;
        },
        Kokkos::Max<double>(bound));
    double all = 0;
    Teuchos::reduceAll(*processes, Teuchos::REDUCE_MAX, std::max(bound, 0.0), Teuchos::outArg(all));
    return all;
  }
  Vectors v(A.getRowMap(), 1);
  Vectors Dv(A.getRowMap(), 1);  // D v
  Vectors w(A.getRowMap(), 1);
  Vectors before(A.getRowMap(), 1);
  {
    const auto local = v.getLocalViewHost(Tpetra::Access::OverwriteAll);
    const auto& rows = *A.getRowMap();
    for (std::size_t i = 0; i < local.extent(0); ++i)
      local(i, 0) =
          std::sin(1 + 78.233 * static_cast<double>(rows.getGlobalElement(static_cast<int>(i))));
  }
  Vectors D(inverse_diagonal, Teuchos::Copy);
  {
    const auto local = D.getLocalViewHost(Tpetra::Access::ReadWrite);
    for (std::size_t i = 0; i < local.extent(0); ++i)
      local(i, 0) = local(i, 0) != 0 ? 1 / local(i, 0) : 0;
  }
  const auto norm = [&](const Vectors& u) {
    scale_by(D, 1, u, 0, Dv);
    return std::sqrt(std::max(0.0, Dv.getVector(0)->dot(*u.getVector(0))));
  };
  std::vector<double> alpha;
  std::vector<double> beta;
  double length = norm(v);
  for (int step = 0; step < steps && length > 1e-12; ++step) {
    v.scale(1 / length);
    A.apply(v, w);
    alpha.push_back(w.getVector(0)->dot(*v.getVector(0)));
    Vectors next(A.getRowMap(), 1);
    scale_by(inverse_diagonal, 1, w, 0, next);
    next.update(-alpha.back(), v, -(step > 0 ? length : 0), before, 1);
    before = Vectors(v, Teuchos::Copy);
    v = next;
    length = norm(v);
    beta.push_back(length);
  }
  if (alpha.empty()) return 0;
  const double ritz = largest_eigenvalue(alpha, beta);
  // The Ritz vector's last component by the three-term recurrence.
  double previous = 0;
  double here = 1;
  double squares = 1;
  for (std::size_t i = 0; i + 1 < alpha.size(); ++i) {
    const double after =
        ((ritz - alpha[i]) * here - (i > 0 ? beta[i - 1] : 0) * previous) / beta[i];
    previous = here;
    here = after;
    squares += here * here;
  }
  return ritz + 0.5 * beta.back() * std::abs(here) / std::sqrt(squares);
}

}  // namespace distributed_detail

template <class GlobalOrdinal, class Node>
bool looks_symmetric(const Tpetra::Operator<double, int, GlobalOrdinal, Node>& A) {
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  const auto map = A.getDomainMap();
  Vectors uv(map, 2);
  {
    const auto local = uv.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < local.extent(0); ++i) {
      const auto row = static_cast<double>(map->getGlobalElement(static_cast<int>(i)));
      local(i, 0) = std::sin(1 + 78.233 * row);
      local(i, 1) = std::sin(2 + 43.671 * row);
    }
  }
  Vectors products(map, 2);
  A.apply(uv, products);
  const auto u = uv.getVector(0);
  const auto v = uv.getVector(1);
  const double one = products.getVector(0)->dot(*v);
  const double other = products.getVector(1)->dot(*u);
  const double size = products.getVector(0)->norm2() * v->norm2();
  return std::abs(one - other) <= 1e-10 * size;
}

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
