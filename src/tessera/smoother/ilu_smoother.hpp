// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Incomplete factors as a preconditioner, and relaxation by them.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/ilu/ilu.hpp"
#include "tessera/kernels/sptrsv/lu_solve.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/operator/sparse_operator.hpp"
#include "tessera/smoother/correction_smoother.hpp"
#include "tessera/smoother/ilu_parameters.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tessera {

/// Relaxation by the factors of a copy of `entries`, which are those of A. L U is symmetric for a
/// symmetric one.
/// @throws Error of kind `bad_input` where no finite factors are found, and for a zero pivot where
/// shifts are off.
template <class Scalar, class Space, class Offset>
std::unique_ptr<CorrectionSmoother<Scalar, Space>> make_ilu_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, const IluParameters& parameters,
    int sweeps);

/// z = U^-1 L^-1 r with L U = A on the pattern of A, its diagonal included (ILU(0): Meijerink and
/// van der Vorst, Math. Comp. 31, 1977). For a symmetric A it is symmetric to round-off, and for an
/// M-matrix positive definite; for others it need not be, but for IluParameters::negative_pivots,
/// of which `auto` leaves pivots as they are here: `Solver` decides by its method.
///
/// `initialize` once for a pattern, `compute` for each set of values in it, then `apply`.
template <class Scalar, class Space, class Offset = std::int32_t>
class IluPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;
  using Matrix = kernels::Csr<Scalar, Space, Offset>;

  explicit IluPreconditioner(const IluParameters& parameters = {}) : m_parameters(parameters) {}

  /// Sorts rows and adds diagonal entries where A lacks them, finds the levels, and plans the
  /// solves. A's offsets and columns are shared where they serve as they are. Waits.
  void initialize(const Space& exec, const Matrix& A);
  /// Factors `A`, of the pattern that was initialised; waits. False where the factors do not hold
  /// finite numbers: `report()` says of which row.
  /// @throws Error of kind `bad_input` for a zero pivot where shifts are off.
  [[nodiscard]] bool compute(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

  void prepare(const Space& exec, int k) override { m_solve.prepare(exec, k); }
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override;

  const kernels::IluReport& report() const { return m_report; }
  const kernels::IluFactors<Scalar, Space, Offset>& factors() const { return m_factors; }
  const kernels::LuSolve<Scalar, Space, Offset>& solves() const { return m_solve; }
  /// One line for a user: levels, launches, and pivots that were shifted or made positive.
  std::string description() const;

 private:
  IluParameters m_parameters;
  kernels::IluFactors<Scalar, Space, Offset> m_factors;
  kernels::LuSolve<Scalar, Space, Offset> m_solve;
  kernels::IluReport m_report;
};

}  // namespace tessera
