// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Smoothed aggregation over several processes, on matrices of Tpetra.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/kernels/format/csr.hpp"

#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_MultiVector.hpp>

#include <functional>
#include <vector>

namespace tessera::tpetra {

/// A V- or W-cycle over levels that are spread over the processes, down to one that process 0
/// solves alone.
///
/// Aggregates do not reach from one process to another: each makes its part of the tentative
/// prolongator by Tessera's aggregation of its diagonal block. It is smoothed by the whole matrix,
/// without leaving weak couplings out (Vanek, Mandel & Brezina, Computing 56, 1996), so that it
/// interpolates across the borders as well as inside. All products with matrices are Tpetra's.
template <class GlobalOrdinal, class Node>
class DistributedMultigrid {
 public:
  using Matrix = Tpetra::CrsMatrix<double, int, GlobalOrdinal, Node>;
  using Vectors = Tpetra::MultiVector<double, int, GlobalOrdinal, Node>;
  using Map = Tpetra::Map<int, GlobalOrdinal, Node>;
  using Space = typename Node::execution_space;
  using Local = kernels::Csr<double, Space, std::int64_t>;
  /// z = M r with M for the coarsest matrix, whose rows are all process 0's. Collective.
  using CoarseSolver = std::function<void(const Vectors& r, Vectors& z)>;
  /// Makes it of that matrix and its near-nullspace. Collective.
  using MakeCoarseSolver = std::function<CoarseSolver(const Teuchos::RCP<const Matrix>& A,
                                                      const Teuchos::RCP<const Vectors>& vectors)>;

  /// `near_nullspace`: this process's part, n by m, m the same on all; `block_size`: unknowns a
  /// vertex on the finest level; levels of at most `gather_rows` rows are process 0's alone.
  /// Collective. @throws Error on all processes where one fails.
  DistributedMultigrid(const amg::Parameters& parameters, const Teuchos::RCP<const Matrix>& A,
                       const MultiVector<double, Space>& near_nullspace, int block_size,
                       bool symmetric, int gather_rows, const MakeCoarseSolver& make_coarse_solver);

  /// z = one cycle for A z = r from the guess zero. Collective.
  void apply(const Vectors& r, Vectors& z);

  /// Rows of each level, the gathered one last.
  std::vector<Tpetra::global_size_t> sizes() const;

 private:
  struct Level {
    Teuchos::RCP<const Matrix> A;
    Teuchos::RCP<const Matrix> P;
    Teuchos::RCP<Vectors> inverse_diagonal;
    double spectral_radius = 1;
    bool uses_chebyshev = false;
    Vectors r, d, coarse_r, coarse_z, coarse_d;
  };

  bool coarsen(Level& fine, MultiVector<double, Space>& vectors, int block_size, int depth);
  Teuchos::RCP<const Matrix> smoothed(const Level& fine, const Teuchos::RCP<const Matrix>& T) const;
  void gather(const Teuchos::RCP<const Matrix>& A, const MultiVector<double, Space>& vectors,
              const MakeCoarseSolver& make_coarse_solver);
  void cycle(std::size_t level, const Vectors& b, Vectors& x);
  void relax(Level& level, const Vectors& b, Vectors& x, bool from_zero);
  void solve_coarsest(const Vectors& r, Vectors& z);

  amg::Parameters m_parameters;
  bool m_symmetric;
  std::vector<Level> m_levels;
  Teuchos::RCP<const Matrix> m_coarsest;
  Teuchos::RCP<const Tpetra::Import<int, GlobalOrdinal, Node>> m_importer;  ///< to process 0
  Vectors m_gathered_r, m_gathered_z;
  CoarseSolver m_coarse_solver;
};

/// Whether <A u, v> = <u, A v> for two vectors of noise, and so, but for bad luck, A = A^T.
/// Collective.
template <class GlobalOrdinal, class Node>
bool looks_symmetric(const Tpetra::Operator<double, int, GlobalOrdinal, Node>& A);

}  // namespace tessera::tpetra
