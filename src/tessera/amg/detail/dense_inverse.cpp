// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/detail/dense_inverse.hpp"

#include "tessera/amg/detail/one_blas_thread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dpotri_(const char*, const int*, double*, const int*, int*);
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*,
             const int*, int*, const int*, int*);
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dgetri_(const int*, double*, const int*, const int*, double*, const int*, int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*);
void dgesdd_(const char*, const int*, const int*, double*, const int*, double*, double*, const int*,
             double*, const int*, double*, const int*, int*, int*);
}

namespace tessera::amg::detail {
namespace {

using Dense = std::vector<double>;

double& at(Dense& a, int n, int i, int j) { return a[static_cast<std::size_t>(j) * n + i]; }
double at(const Dense& a, int n, int i, int j) { return a[static_cast<std::size_t>(j) * n + i]; }

bool all_finite(const Dense& a) {
  return std::all_of(a.begin(), a.end(), [](double v) { return std::isfinite(v); });
}

/// What is left of a matrix that LAPACK's iterations did not converge for.
void make_not_finite(Dense& a) {
  std::fill(a.begin(), a.end(), std::numeric_limits<double>::quiet_NaN());
}

double largest_magnitude(const Dense& a) {
  double largest = 0;
  for (const double v : a)
    largest = std::max(largest, std::abs(v));
  return largest;
}

bool symmetric(const Dense& a, int n, double tolerance) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) {
      if (std::abs(at(a, n, i, j) - at(a, n, j, i)) > tolerance) return false;
    }
  }
  return true;
}

/// A pivot below `smallest_pivot` times its diagonal entry is taken for zero: a Galerkin product of
/// a singular matrix leaves round-off where the exact pivot is zero.
bool invert_by_cholesky(Dense& a, int n, double smallest_pivot) {
  Dense factor = a;
  int info = 0;
  dpotrf_("L", &n, factor.data(), &n, &info);
  if (info != 0) return false;
  double smallest = std::numeric_limits<double>::max();
  for (int i = 0; i < n; ++i) {
    // Relative to the row's own diagonal, so that badly scaled rows are not taken for singular.
    const double pivot = at(factor, n, i, i);
    smallest = std::min(smallest, pivot * pivot / at(a, n, i, i));
  }
  if (smallest < smallest_pivot) return false;
  dpotri_("L", &n, factor.data(), &n, &info);
  if (info != 0) return false;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i)
      at(factor, n, i, j) = at(factor, n, j, i);
  }
  a = std::move(factor);
  return true;
}

std::string pseudo_inverse_text(int rank, int n) {
  return rank == n ? "eigenvalues"
                   : "pseudo-inverse, rank " + std::to_string(rank) + " of " + std::to_string(n);
}

/// Divides column k of `vectors` (n by n) by values[k], or makes it zero where the value is not
/// above `cut` in magnitude. Returns how many are.
int divide_columns(Dense& vectors, const Dense& values, int n, double cut) {
  int rank = 0;
  for (int k = 0; k < n; ++k) {
    const bool kept = std::abs(values[k]) > cut;
    rank += kept;
    for (int i = 0; i < n; ++i)
      at(vectors, n, i, k) = kept ? at(vectors, n, i, k) / values[k] : 0;
  }
  return rank;
}

/// op(a) b^T of n by n matrices; `op` is "N" or "T".
Dense times_transpose(const char* op, const Dense& a, const Dense& b, int n) {
  Dense product(a.size());
  const double one = 1;
  const double zero = 0;
  dgemm_(op, "T", &n, &n, &n, &one, a.data(), &n, b.data(), &n, &zero, product.data(), &n);
  return product;
}

/// A^+ = V diag(1/lambda) V^T over the eigenvalues above the cut; returns their number.
int invert_by_eigenvalues(Dense& a, int n, double relative_cut) {
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
    return 0;
  }
  const double cut = relative_cut * std::max(std::abs(w.front()), std::abs(w.back()));
  Dense divided = a;
  const int rank = divide_columns(divided, w, n, cut);
  a = times_transpose("N", a, divided, n);
  return rank;
}

bool invert_by_lu(Dense& a, int n, double smallest_pivot) {
  Dense factor = a;
  std::vector<int> pivots(n);
  int info = 0;
  dgetrf_(&n, &n, factor.data(), &n, pivots.data(), &info);
  if (info != 0) return false;
  double smallest = std::numeric_limits<double>::max();
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    smallest = std::min(smallest, std::abs(at(factor, n, i, i)));
    largest = std::max(largest, std::abs(at(factor, n, i, i)));
  }
  if (smallest < smallest_pivot * largest) return false;
  int lwork = -1;
  double work_size = 0;
  dgetri_(&n, factor.data(), &n, pivots.data(), &work_size, &lwork, &info);
  lwork = static_cast<int>(work_size);
  Dense work(lwork);
  dgetri_(&n, factor.data(), &n, pivots.data(), work.data(), &lwork, &info);
  if (info != 0) return false;
  a = std::move(factor);
  return true;
}

/// A^+ = V diag(1/sigma) U^T over the singular values above the cut.
std::string invert_by_singular_values(Dense& a, int n, double relative_cut) {
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
  const int rank = divide_columns(u, s, n, relative_cut * s[0]);
  a = times_transpose("T", vt, u, n);
  return pseudo_inverse_text(rank, n);
}

double dot(const double* x, const double* y, int n) { return std::inner_product(x, x + n, y, 0.0); }

/// Gram-Schmidt, twice; vectors that depend on those before are left out.
Dense orthonormal(const Dense& vectors, int n) {
  Dense basis;
  for (std::size_t start = 0; start < vectors.size(); start += n) {
    Dense v(vectors.begin() + start, vectors.begin() + start + n);
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

/// a <- (I - q q^T) a (I - q q^T)
void project(Dense& a, int n, const double* q) {
  Dense image(n, 0.0);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      image[i] += at(a, n, i, j) * q[j];
  }
  const double middle = dot(q, image.data(), n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      at(a, n, i, j) += middle * q[i] * q[j] - image[i] * q[j] - q[i] * image[j];
  }
}

/// a <- a + factor q q^T
void add_outer(Dense& a, int n, const double* q, double factor) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      at(a, n, i, j) += factor * q[i] * q[j];
  }
}

/// The pseudo-inverse of a symmetric matrix of which the orthonormal columns of Q are the
/// nullspace: A + s Q Q^T is regular, and its inverse is A^+ + Q Q^T / s.
std::string invert_beside_nullspace(Dense& a, int n, const Dense& Q, double pivot, double cut) {
  const int q = static_cast<int>(Q.size()) / n;
  double scale = 0;
  for (int i = 0; i < n; ++i)
    scale = std::max(scale, std::abs(at(a, n, i, i)));
  if (!(scale > 0)) scale = 1;
  for (int k = 0; k < q; ++k)
    project(a, n, &Q[static_cast<std::size_t>(k) * n]);
  for (int k = 0; k < q; ++k)
    add_outer(a, n, &Q[static_cast<std::size_t>(k) * n], scale);
  int rank = n;
  if (!invert_by_cholesky(a, n, pivot)) rank = invert_by_eigenvalues(a, n, cut);
  for (int k = 0; k < q; ++k)
    add_outer(a, n, &Q[static_cast<std::size_t>(k) * n], -1 / scale);
  return pseudo_inverse_text(rank - q, n);
}

std::string invert_symmetric(Dense& a, int n, double pivot, double cut) {
  if (invert_by_cholesky(a, n, pivot)) return "cholesky";
  return pseudo_inverse_text(invert_by_eigenvalues(a, n, cut), n);
}

}  // namespace

std::optional<std::string> invert_dense(std::vector<double>& a, int n, double epsilon,
                                        const std::vector<double>& nullspace) {
  if (n == 0) return "empty";
  if (!all_finite(a)) return std::nullopt;
  const OneBlasThread one_thread;
  // An eigenvalue below the cut is round-off of the products that made `a`. The test by pivots only
  // chooses the method, so that it may be generous.
  const double cut = std::max(128 * epsilon, 1e-12);
  const double pivot = std::pow(epsilon, 2.0 / 3.0);
  std::string text;
  if (symmetric(a, n, pivot * largest_magnitude(a))) {
    const Dense Q = orthonormal(nullspace, n);
    text = Q.empty() ? invert_symmetric(a, n, pivot, cut)
                     : invert_beside_nullspace(a, n, Q, pivot, cut);
  } else {
    text = invert_by_lu(a, n, pivot) ? "lu" : invert_by_singular_values(a, n, cut);
  }
  if (!all_finite(a)) return std::nullopt;
  return text;
}

}  // namespace tessera::amg::detail
