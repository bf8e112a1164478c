// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One level of a multigrid hierarchy.
#pragma once

#include "tessera/core/linear_operator.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/csr_spmv.hpp"

#include <memory>
#include <string>

namespace tessera::amg {

/// A matrix and the plan of its products.
template <class Scalar, class Space, class Offset>
struct PlannedCsr {
  kernels::Csr<Scalar, Space, Offset> matrix;
  kernels::CsrSpmvPlan<Space> plan;
};

/// One level: its operator, the way to the next one, and its share of a cycle's work vectors. The
/// coarsest level has neither `P`, `R` nor a smoother.
template <class Scalar, class Space, class Offset>
struct Level {
  PlannedCsr<Scalar, Space, Offset> A;
  PlannedCsr<Scalar, Space, Offset> P;  ///< rows of this level by rows of the next
  PlannedCsr<Scalar, Space, Offset> R;  ///< rows of the next level by rows of this one
  std::unique_ptr<Smoother<Scalar, Space>> smoother;
  Array<Scalar, Space> inverse_diagonal;  ///< 0 where the diagonal is 0
  double spectral_radius = 0;  ///< of D^-1 A
  int block_size = 1;  ///< unknowns a vertex
  std::string region;  ///< the profiling region of this level

  MultiVector<Scalar, Space> b;  ///< right-hand side; the finest level takes its caller's
  MultiVector<Scalar, Space> x;  ///< result; the finest level writes to its caller's
  MultiVector<Scalar, Space> u;  ///< the iterate before post-smoothing
  MultiVector<Scalar, Space> r;  ///< the residual to restrict
};

}  // namespace tessera::amg
