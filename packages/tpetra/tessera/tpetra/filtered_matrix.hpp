// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What smooths a prolongator where weak couplings are left out.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::tpetra {

/// What filtering looks at; arrays by row are of this process's rows, those by column of the
/// matrix's columns, other processes' among them.
template <class Space>
struct Filtering {
  double theta = 0;  ///< of strength; 0 leaves nothing out
  double omega = 0;  ///< damping over the spectral radius
  double spectral_radius = 0;  ///< of D^-1 A
  bool symmetric = false;  ///< A is: rows bounded below the spectral radius keep that margin
  ArrayView<const Ordinal, Space> row_of_column;  ///< -1 for other processes'
  ArrayView<const double, Space> inverse_diagonal;  ///< by row
  ArrayView<const double, Space> scale_of_row;  ///< `kernels::coupling_scale`
  ArrayView<const double, Space> scale_of_column;
  ArrayView<const double, Space> candidate_of_row;  ///< near-nullspace vector
  ArrayView<const double, Space> candidate_of_column;
};

/// omega D_F^-1 A_F row by row, A_F the matrix without its weak entries: a weak A_ij is left out
/// and A_ij b_j / b_i added to the diagonal, b the candidate (Vanek, Mandel & Brezina, Computing
/// 56, 1996). Rows are kept, damped and left empty as by `amg::smooth_prolongator` with a
/// `WeakFilter`, of which this is the form for rows whose columns belong to several processes.
template <class Space>
kernels::Csr<double, Space, std::int64_t> damped_filtered_matrix(
    const Space& exec, const kernels::CsrView<double, Space, std::int64_t>& A,
    const Filtering<Space>& filtering);

}  // namespace tessera::tpetra
