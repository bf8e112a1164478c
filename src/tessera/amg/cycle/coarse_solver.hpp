// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The direct solve on the coarsest level.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tessera::amg {

/// Holds an explicit (pseudo-)inverse of a small matrix, made by LAPACK on the host and applied on
/// the device as a dense product: one launch, no triangular solve. It is made, kept and applied in
/// double, whatever the level's precision: where coefficients jump, the smallest eigenvalues of the
/// inverse are far below float's round-off of the largest.
///
/// A symmetric positive definite matrix is inverted by its Cholesky factors. A singular symmetric
/// one gets the Moore-Penrose inverse from its eigenvalues, a nonsymmetric one its LU inverse or,
/// where that is singular, the pseudo-inverse from its singular values. What is known of the
/// nullspace of a symmetric matrix is left out of the inverse, whatever round-off made of it, and
/// of each connected component by itself.
template <class Scalar, class Space>
class CoarseSolver {
 public:
  /// Copies `A` (square, at most a few thousand rows) to the host and inverts it. `nullspace` names
  /// the columns of `near_nullspace` (n by m) of which A would make zero in exact arithmetic, but
  /// for components where their entries are below 2^-20 of the largest.
  /// @throws Error of kind `bad_input` where A holds a NaN or an infinity.
  template <class Offset>
  void setup(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
             const ConstMultiVectorView<Scalar, Space>& near_nullspace = {},
             const std::vector<int>& nullspace = {});

  /// The same; false, and nothing is set up, where A or its inverse holds a NaN or an infinity.
  template <class Offset>
  [[nodiscard]] bool try_setup(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                               const ConstMultiVectorView<Scalar, Space>& near_nullspace = {},
                               const std::vector<int>& nullspace = {});

  /// Factors `A` sparsely on the host, for one that is too large to be dense. False, and nothing is
  /// set up, where the library has no sparse direct solver, where that is estimated to take longer
  /// than `max_seconds`, or where A holds a NaN or an infinity.
  template <class Offset>
  [[nodiscard]] bool try_setup_sparse(const Space& exec,
                                      const kernels::CsrView<Scalar, Space, Offset>& A,
                                      bool symmetric, double max_seconds);

  /// x = A^+ b for k columns; x and b do not overlap.
  void apply(const Space& exec, const ConstMultiVectorView<Scalar, Space>& b,
             const MultiVectorView<Scalar, Space>& x) const;

  bool is_sparse() const { return m_sparse != nullptr; }

  /// n by n, row after row, so that a team reads its row with unit stride. 0 by 0 where it is
  /// sparse, or before setup.
  using Inverse = Kokkos::View<double**, Kokkos::LayoutRight, typename Space::memory_space>;
  const Inverse& dense_inverse() const { return m_inverse; }

  /// Which inverse was made, e.g. "cholesky" or "pseudo-inverse, rank 99 of 100".
  const std::string& description() const { return m_description; }
  /// Whether the inverse that was made is of a regular matrix that has no Cholesky factors: one
  /// that is not symmetric positive definite. Nothing is said of sparse factors.
  bool is_indefinite() const { return m_is_indefinite; }

 private:
  Inverse m_inverse;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_sparse;  ///< in place of it, where there is one
  std::string m_description;
  bool m_is_indefinite = false;
};

}  // namespace tessera::amg
