// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Cholesky and LU factors of a dense matrix, and the inverse from them, as LAPACK's dpotrf,
/// dpotri, dgetrf and dgetri.
///
/// A BLAS wakes its threads from less than a hundred unknowns on, beside those of Kokkos that still
/// spin after the kernel before: for 70 unknowns OpenBLAS's dpotri was seen to take 59 ms so, and
/// 0.1 ms with one thread. How many threads it may use is a setting of the whole process, even by
/// `openblas_set_num_threads_local`, and no library's to change. So matrices of the usual coarsest
/// size do not go to the BLAS at all; larger ones, where its threads pay, do.
#pragma once

#include <vector>

namespace tessera::amg::detail {

/// The lower triangle of the symmetric `a`, column-major n by n, becomes its Cholesky factor. False
/// where `a` is not positive definite.
bool factor_cholesky(std::vector<double>& a, int n);

/// The lower triangle of `factor`, from `factor_cholesky`, becomes that of the inverse. False where
/// the factor is singular.
bool invert_cholesky(std::vector<double>& factor, int n);

/// `a` becomes L (unit diagonal) and U of P A = L U by partial pivoting. `pivots` holds the row
/// that each was swapped with, counted from 1. False where a pivot is zero.
bool factor_lu(std::vector<double>& a, int n, std::vector<int>& pivots);

/// `factor`, from `factor_lu`, becomes the inverse. False where U is singular.
bool invert_lu(std::vector<double>& factor, int n, const std::vector<int>& pivots);

}  // namespace tessera::amg::detail
