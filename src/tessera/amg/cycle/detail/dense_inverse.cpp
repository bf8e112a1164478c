// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/detail/dense_inverse.hpp"

#include "tessera/amg/cycle/detail/dense_factors.hpp"
#include "tessera/amg/cycle/detail/dense_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

extern "C" {
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*,
             const int*, int*, const int*, int*);
void dgecon_(const char*, const int*, const double*, const int*, const double*, double*, double*,
             int*, int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*);
void dgesdd_(const char*, const int*, const int*, double*, const int*, double*, double*, const int*,
             double*, const int*, double*, const int*, int*, int*);
}

namespace tessera::amg::detail {
namespace {

bool all_finite(const Dense& a) {
  return std::all_of(a.begin(), a.end(), [](double v) { return std::isfinite(v); });
}

/// What is left of a matrix that LAPACK's iterations did not converge for.
void make_not_finite(Dense& a) {
  std::fill(a.begin(), a.end(), std::numeric_limits<double>::quiet_NaN());
}

/// False, and `a` as it was, where a pivot is not above `min_pivot` (the diagonal is 1).
bool invert_by_cholesky(Dense& a, int n, double min_pivot) {
  Dense factor = a;
  if (!factor_cholesky(factor, n)) return false;
  for (int i = 0; i < n; ++i) {
    const double pivot = at(factor, n, i, i);
    if (!(pivot * pivot > min_pivot)) return false;
  }
  if (!invert_cholesky(factor, n)) return false;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i)
      at(factor, n, i, j) = at(factor, n, j, i);
  }
  a = std::move(factor);
  return true;
}

/// False, and `a` as it was, where the reciprocal of its condition number is not above `least`.
bool invert_by_lu(Dense& a, int n, double least) {
  double norm = 0;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += std::abs(at(a, n, i, j));
    norm = std::max(norm, sum);
  }
  Dense factor = a;
  std::vector<int> pivots;
  if (!factor_lu(factor, n, pivots)) return false;
  double reciprocal = 0;
  int info = 0;
  Dense work(4 * static_cast<std::size_t>(n));
  std::vector<int> integer_work(n);
  dgecon_("1", &n, factor.data(), &n, &norm, &reciprocal, work.data(), integer_work.data(), &info);
  if (info != 0 || !(reciprocal > least)) return false;
  if (!invert_lu(factor, n, pivots)) return false;
  a = std::move(factor);
  return true;
}

/// op(a) b^T of n by n matrices; `op` is "N" or "T".
Dense times_transpose(const char* op, const Dense& a, const Dense& b, int n) {
  Dense product(a.size());
  const double one = 1;
  const double zero = 0;
  dgemm_(op, "T", &n, &n, &n, &one, a.data(), &n, b.data(), &n, &zero, product.data(), &n);
  return product;
}

/// The directions that an inverse leaves out: x with A x = 0 and y with A^T y = 0.
struct LeftOut {
  Dense right;
  Dense left;
};

/// Divides column k of `vectors` (n by n) by values[k]; where the value is not above `cut` in
/// magnitude, makes the column zero and keeps k.
std::vector<int> divide_columns(Dense& vectors, const Dense& values, int n, double cut) {
  std::vector<int> left_out;
  for (int k = 0; k < n; ++k) {
    const bool kept = std::abs(values[k]) > cut;
    if (!kept) left_out.push_back(k);
    for (int i = 0; i < n; ++i)
      at(vectors, n, i, k) = kept ? at(vectors, n, i, k) / values[k] : 0;
  }
  return left_out;
}

/// A^+ = V diag(1/lambda) V^T over the eigenvalues above the cut.
LeftOut invert_by_eigenvalues(Dense& a, int n, double relative_cut) {
  Dense w(n);
  int info = 0;
  int lwork = -1;
  int liwork = -1;
  double work_size = 0;
  int iwork_size = 0;
  dsyevd_("V", "L", &n, a.data(), &n, w.data(), &work_size, &lwork, &iwork_size, &liwork, &info);
  lwork = static_cast<int>(work_size);
  liwork = iwork_size;
  Dense work(lwork);
  std::vector<int> iwork(liwork);
  dsyevd_("V", "L", &n, a.data(), &n, w.data(), work.data(), &lwork, iwork.data(), &liwork, &info);
  if (info != 0) {
    make_not_finite(a);
    return {};
  }
  const double cut = relative_cut * std::max(std::abs(w.front()), std::abs(w.back()));
  Dense divided = a;
  LeftOut result;
  for (const int k : divide_columns(divided, w, n, cut))
    result.right.insert(result.right.end(), &at(a, n, 0, k), &at(a, n, 0, k) + n);
  result.left = result.right;
  a = times_transpose("N", a, divided, n);
  return result;
}

/// A^+ = V diag(1/sigma) U^T over the singular values above the cut.
LeftOut invert_by_singular_values(Dense& a, int n, double relative_cut) {
  Dense u(a.size());
  Dense vt(a.size());
  Dense s(n);
  std::vector<int> iwork(8 * static_cast<std::size_t>(n));
  int info = 0;
  int lwork = -1;
  double work_size = 0;
  dgesdd_("A", &n, &n, a.data(), &n, s.data(), u.data(), &n, vt.data(), &n, &work_size, &lwork,
          iwork.data(), &info);
  lwork = static_cast<int>(work_size);
  Dense work(lwork);
  dgesdd_("A", &n, &n, a.data(), &n, s.data(), u.data(), &n, vt.data(), &n, work.data(), &lwork,
          iwork.data(), &info);
  if (info != 0) {
    make_not_finite(a);
    return {};
  }
  Dense divided = u;
  LeftOut result;
  for (const int k : divide_columns(divided, s, n, relative_cut * s[0])) {
    result.left.insert(result.left.end(), &at(u, n, 0, k), &at(u, n, 0, k) + n);
    for (int i = 0; i < n; ++i)
      result.right.push_back(at(vt, n, k, i));
  }
  a = times_transpose("T", vt, divided, n);
  return result;
}

double dot(const double* x, const double* y, int n) { return std::inner_product(x, x + n, y, 0.0); }

/// Gram-Schmidt, twice; vectors that depend on those before are left out.
Dense orthonormal(const Dense& vectors, int n) {
  Dense basis;
  for (std::size_t start = 0; start < vectors.size(); start += n) {
    Dense v(&vectors[start], &vectors[start] + n);
    const double length = std::sqrt(dot(v.data(), v.data(), n));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < basis.size(); k += n) {
        const double part = dot(&basis[k], v.data(), n);
        for (int i = 0; i < n; ++i)
          v[i] -= part * basis[k + i];
      }
    }
    const double rest = std::sqrt(dot(v.data(), v.data(), n));
    if (!(rest > 1e-6 * length)) continue;
    for (double& entry : v)
      entry /= rest;
    basis.insert(basis.end(), v.begin(), v.end());
  }
  return basis;
}

/// a <- (I - Q Q^T) a (I - Z Z^T) for orthonormal columns of Q and Z.
void project(Dense& a, int n, const Dense& Q, const Dense& Z) {
  for (std::size_t q = 0; q < Q.size(); q += n) {
    for (int j = 0; j < n; ++j) {
      const double part = dot(&Q[q], &at(a, n, 0, j), n);
      for (int i = 0; i < n; ++i)
        at(a, n, i, j) -= part * Q[q + i];
    }
  }
  for (std::size_t z = 0; z < Z.size(); z += n) {
    Dense image(n, 0.0);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        image[i] += at(a, n, i, j) * Z[z + j];
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        at(a, n, i, j) -= image[i] * Z[z + j];
    }
  }
}

/// a <- a + factor Q Q^T
void add_outer(Dense& a, int n, const Dense& Q, double factor) {
  for (std::size_t q = 0; q < Q.size(); q += n) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        at(a, n, i, j) += factor * Q[q + i] * Q[q + j];
    }
  }
}

/// Each vector's entries times (or over) those of s.
Dense scaled_vectors(Dense vectors, int n, const std::vector<double>& s, bool over) {
  for (std::size_t k = 0; k < vectors.size(); ++k)
    vectors[k] = over ? vectors[k] / s[k % n] : vectors[k] * s[k % n];
  return vectors;
}

/// The inverse of a scaled symmetric matrix of which the orthonormal columns of Q are known to be
/// in the nullspace: A + Q Q^T is regular there, and its inverse is A^+ + Q Q^T.
LeftOut invert_symmetric(Dense& a, int n, const Dense& Q, double cut, DenseInverse& how) {
  project(a, n, Q, Q);
  add_outer(a, n, Q, 1);
  LeftOut left_out;
  how = {DenseInverseKind::cholesky, "cholesky"};
  if (!invert_by_cholesky(a, n, cut)) {
    left_out = invert_by_eigenvalues(a, n, cut);
    how = {DenseInverseKind::eigenvalues, "eigenvalues"};
  }
  add_outer(a, n, Q, -1);
  return left_out;
}

}  // namespace

std::optional<DenseInverse> invert_dense(std::vector<double>& a, int n, double epsilon,
                                         const std::vector<double>& nullspace) {
  DenseInverse how{DenseInverseKind::empty, "empty"};
  if (n == 0) return how;
  if (!all_finite(a)) return std::nullopt;
  // Below this a number of the scaled matrix is nothing but the round-off of what made it.
  const double cut = std::max(4 * epsilon, 1e-13);
  const double symmetry_tolerance = std::pow(epsilon, 2.0 / 3.0);
  LeftOut left_out;
  Dense r;
  Dense c;
  if (symmetric(a, n, symmetry_tolerance)) {
    r = scale_symmetric(a, n);
    c = r;
    const Dense Q = orthonormal(scaled_vectors(nullspace, n, r, true), n);
    left_out = invert_symmetric(a, n, Q, cut, how);
    left_out.right.insert(left_out.right.end(), Q.begin(), Q.end());
    left_out.left = left_out.right;
  } else {
    std::tie(r, c) = scale_rows_and_columns(a, n);
    how = {DenseInverseKind::lu, "lu"};
    if (!invert_by_lu(a, n, cut)) {
      left_out = invert_by_singular_values(a, n, cut);
      how = {DenseInverseKind::singular_values, "singular values"};
    }
  }
  scale(a, n, c, r);
  if (!all_finite(a)) return std::nullopt;
  if (left_out.right.empty()) return how;
  // Any generalised inverse becomes that of Moore and Penrose between these projections.
  const Dense right = orthonormal(scaled_vectors(left_out.right, n, c, false), n);
  const Dense left = orthonormal(scaled_vectors(left_out.left, n, r, false), n);
  project(a, n, right, left);
  const int rank = n - static_cast<int>(right.size()) / n;
  return DenseInverse{DenseInverseKind::pseudo,
                      "pseudo-inverse, rank " + std::to_string(rank) + " of " + std::to_string(n)};
}

}  // namespace tessera::amg::detail
