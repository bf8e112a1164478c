// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/detail/dense_factors.hpp"

#include "tessera/amg/selection_rules.hpp"

#include <algorithm>
#include <cmath>

extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dpotri_(const char*, const int*, double*, const int*, int*);
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dgetri_(const int*, double*, const int*, const int*, double*, const int*, int*);
}

namespace tessera::amg::detail {
namespace {

/// A column-major n by n matrix.
struct Square {
  double* data;
  int n;

  double& operator()(int i, int j) const { return column(j)[i]; }
  double* column(int j) const { return data + static_cast<std::size_t>(j) * n; }
};

/// y[i] -= sum over the columns j in [first, last) of c[j * stride] A(i, j), for i in [begin, n):
/// four columns in each pass, for a pass of one would load and store y as often as it computes.
void subtract_columns(const Square& A, int first, int last, const double* c, std::size_t stride,
                      int begin, double* y) {
  int j = first;
  for (; j + 3 < last; j += 4) {
    const double* const a0 = A.column(j);
    const double* const a1 = A.column(j + 1);
    const double* const a2 = A.column(j + 2);
    const double* const a3 = A.column(j + 3);
    const double c0 = c[j * stride];
    const double c1 = c[(j + 1) * stride];
    const double c2 = c[(j + 2) * stride];
    const double c3 = c[(j + 3) * stride];
    for (int i = begin; i < A.n; ++i)
      y[i] -= (c0 * a0[i] + c1 * a1[i]) + (c2 * a2[i] + c3 * a3[i]);
  }
  for (; j < last; ++j) {
    const double* const a = A.column(j);
    const double factor = c[j * stride];
    for (int i = begin; i < A.n; ++i)
      y[i] -= factor * a[i];
  }
}

/// x . y over [begin, end), in four sums that do not wait for each other.
double dot(const double* x, const double* y, int begin, int end) {
  double s0 = 0;
  double s1 = 0;
  double s2 = 0;
  double s3 = 0;
  int i = begin;
  for (; i + 3 < end; i += 4) {
    s0 += x[i] * y[i];
    s1 += x[i + 1] * y[i + 1];
    s2 += x[i + 2] * y[i + 2];
    s3 += x[i + 3] * y[i + 3];
  }
  for (; i < end; ++i)
    s0 += x[i] * y[i];
  return (s0 + s2) + (s1 + s3);
}

/// Column after column, each less what those before it contribute.
bool factor_small_cholesky(const Square& A) {
  for (int j = 0; j < A.n; ++j) {
    double* const column = A.column(j);
    subtract_columns(A, 0, j, &A(j, 0), A.n, j, column);
    if (!(column[j] > 0)) return false;
    const double root = std::sqrt(column[j]);
    column[j] = root;
    for (int i = j + 1; i < A.n; ++i)
      column[i] /= root;
  }
  return true;
}

/// L becomes L^-1, from the last column on: below the diagonal -1/l_jj times the inverse of the
/// trailing triangle times what stands there.
void invert_lower_triangle(const Square& L) {
  for (int j = L.n - 1; j >= 0; --j) {
    double* const x = L.column(j);
    x[j] = 1 / x[j];
    for (int k = L.n - 1; k > j; --k) {
      const double* const inverse = L.column(k);
      const double value = x[k];
      for (int i = k + 1; i < L.n; ++i)
        x[i] += value * inverse[i];
      x[k] = value * inverse[k];
    }
    for (int i = j + 1; i < L.n; ++i)
      x[i] *= -x[j];
  }
}

/// (L L^T)^-1 = X^T X with X = L^-1. Its row i needs nothing above row i of X.
void invert_small_cholesky(const Square& L) {
  invert_lower_triangle(L);
  for (int i = 0; i < L.n; ++i) {
    for (int j = 0; j <= i; ++j)
      L(i, j) = dot(L.column(i), L.column(j), i, L.n);
  }
}

bool factor_small_lu(const Square& A, int* pivots) {
  for (int j = 0; j < A.n; ++j) {
    double* const column = A.column(j);
    const double* const largest = std::max_element(
        column + j, column + A.n, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const int pivot = static_cast<int>(largest - column);
    pivots[j] = pivot + 1;
    if (!(std::abs(*largest) > 0)) return false;
    for (int k = 0; pivot != j && k < A.n; ++k)
      std::swap(A(j, k), A(pivot, k));
    for (int i = j + 1; i < A.n; ++i)
      column[i] /= column[j];
    for (int k = j + 1; k < A.n; ++k) {
      double* const other = A.column(k);
      const double factor = other[j];
      for (int i = j + 1; i < A.n; ++i)
        other[i] -= factor * column[i];
    }
  }
  return true;
}

/// U becomes U^-1, from the first column on: above the diagonal -1/u_jj times the inverse of the
/// leading triangle times what stands there.
void invert_upper_triangle(const Square& U) {
  for (int j = 0; j < U.n; ++j) {
    double* const x = U.column(j);
    x[j] = 1 / x[j];
    for (int k = 0; k < j; ++k) {
      const double* const inverse = U.column(k);
      const double value = x[k];
      for (int i = 0; i < k; ++i)
        x[i] += value * inverse[i];
      x[k] = value * inverse[k];
    }
    for (int i = 0; i < j; ++i)
      x[i] *= -x[j];
  }
}

/// A^-1 = U^-1 L^-1 P: from the last column on, X L = U^-1 gives column j of X from those behind
/// it; then the swaps of rows are undone as swaps of columns.
void invert_small_lu(const Square& A, const int* pivots) {
  invert_upper_triangle(A);
  std::vector<double> below(A.n);
  for (int j = A.n - 1; j >= 0; --j) {
    double* const column = A.column(j);
    for (int i = j + 1; i < A.n; ++i) {
      below[i] = column[i];
      column[i] = 0;
    }
    subtract_columns(A, j + 1, A.n, below.data(), 1, 0, column);
  }
  for (int j = A.n - 1; j >= 0; --j) {
    const int pivot = pivots[j] - 1;
    if (pivot != j) std::swap_ranges(A.column(j), A.column(j) + A.n, A.column(pivot));
  }
}

}  // namespace

bool factor_cholesky(std::vector<double>& a, int n) {
  if (n <= rules::max_unknowns_without_lapack) return factor_small_cholesky({a.data(), n});
  int info = 0;
  dpotrf_("L", &n, a.data(), &n, &info);
  return info == 0;
}

bool invert_cholesky(std::vector<double>& factor, int n) {
  if (n <= rules::max_unknowns_without_lapack) {
    invert_small_cholesky({factor.data(), n});
    return true;
  }
  int info = 0;
  dpotri_("L", &n, factor.data(), &n, &info);
  return info == 0;
}

bool factor_lu(std::vector<double>& a, int n, std::vector<int>& pivots) {
  pivots.resize(n);
  if (n <= rules::max_unknowns_without_lapack) return factor_small_lu({a.data(), n}, pivots.data());
  int info = 0;
  dgetrf_(&n, &n, a.data(), &n, pivots.data(), &info);
  return info == 0;
}

bool invert_lu(std::vector<double>& factor, int n, const std::vector<int>& pivots) {
  if (n <= rules::max_unknowns_without_lapack) {
    invert_small_lu({factor.data(), n}, pivots.data());
    return true;
  }
  int info = 0;
  int lwork = -1;
  double work_size = 0;
  dgetri_(&n, factor.data(), &n, pivots.data(), &work_size, &lwork, &info);
  lwork = static_cast<int>(work_size);
  std::vector<double> work(lwork);
  dgetri_(&n, factor.data(), &n, pivots.data(), work.data(), &lwork, &info);
  return info == 0;
}

}  // namespace tessera::amg::detail
