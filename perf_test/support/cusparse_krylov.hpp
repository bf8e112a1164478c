// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CG and BiCGSTAB of cuSPARSE's product and cuBLAS's vector operations, with the scalars on the
/// host: what one writes with the vendor's libraries.
#pragma once

#include "support/cusparse_product.hpp"

#include <cublas_v2.h>

#include <cmath>
#include <functional>

namespace tessera::perf {

inline void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasGetStatusString(status));
}

/// Solvers for one matrix, with all their vectors.
class CusparseKrylov {
 public:
  using Matrix = kernels::Csr<double, DeviceSpace>;
  using Vector = MultiVector<double, DeviceSpace>;

  /// `inverse_diagonal`: Jacobi; empty for none.
  CusparseKrylov(const DeviceSpace& exec, const Matrix& A,
                 const Array<double, DeviceSpace>& inverse_diagonal)
      : m_exec(exec),
        m_n(A.num_rows),
        m_d(inverse_diagonal),
        m_cusparse(exec),
        m_from(vector(exec)),
        m_to(vector(exec)),
        m_product(m_cusparse, A, m_from, m_to, CUSPARSE_SPMV_ALG_DEFAULT) {
    check(cublasCreate(&m_cublas));
    check(cublasSetStream(m_cublas, exec.cuda_stream()));
    for (auto& v : m_vectors)
      v = vector(exec);
  }
  CusparseKrylov(const CusparseKrylov&) = delete;
  CusparseKrylov& operator=(const CusparseKrylov&) = delete;
  ~CusparseKrylov() { cublasDestroy(m_cublas); }

  /// z = M r by that, in place of Jacobi.
  void set_preconditioner(std::function<void(const double* r, double* z)> M) { m_M = std::move(M); }

  /// From x = 0; returns the iterations. p is what the product reads, q what it writes.
  int cg(const Vector& b, const Vector& x, double tolerance, int max_iterations) {
    double* const r = m_vectors[0].data();
    double* const z = has_M() ? m_vectors[1].data() : r;
    double* const p = m_from.data();
    double* const q = m_to.data();
    Kokkos::deep_copy(m_exec, x, 0.0);
    copy(b.data(), r);
    const double target = tolerance * norm(b.data());
    precondition(r, z);
    copy(z, p);
    double rz = dot(r, z);
    for (int iteration = 1; iteration <= max_iterations; ++iteration) {
      m_product.multiply();
      const double alpha = rz / dot(p, q);
      add(alpha, p, x.data());
      add(-alpha, q, r);
      const double length = norm(r);
      if (!(length > target)) return iteration;
      precondition(r, z);
      const double next = has_M() ? dot(r, z) : length * length;
      scale(next / rz, p);
      add(1, z, p);
      rz = next;
    }
    return max_iterations;
  }

  /// The same; M from the right.
  int bicgstab(const Vector& b, const Vector& x, double tolerance, int max_iterations) {
    double* const r = m_vectors[0].data();
    double* const shadow = m_vectors[1].data();
    double* const p = m_vectors[2].data();
    double* const v = m_vectors[3].data();
    double* const d = m_from.data();  // M p, then M s
    double* const t = m_to.data();
    Kokkos::deep_copy(m_exec, x, 0.0);
    copy(b.data(), r);
    copy(r, shadow);
    copy(r, p);
    const double target = tolerance * norm(b.data());
    double rho = dot(shadow, r);
    for (int iteration = 1; iteration <= max_iterations; ++iteration) {
      precondition(p, d);
      m_product.multiply();
      copy(t, v);
      const double alpha = rho / dot(shadow, v);
      add(alpha, d, x.data());
      add(-alpha, v, r);
      precondition(r, d);
      m_product.multiply();
      const double omega = dot(t, r) / dot(t, t);
      add(omega, d, x.data());
      add(-omega, t, r);
      if (!(norm(r) > target)) return iteration;
      const double next = dot(shadow, r);
      const double beta = next / rho * alpha / omega;
      add(-omega, v, p);
      scale(beta, p);
      add(1, r, p);
      rho = next;
    }
    return max_iterations;
  }

 private:
  Vector vector(const DeviceSpace& exec) const {
    return allocate_multivector<double>(exec, "tessera::perf::vector", m_n);
  }
  bool has_M() const { return m_M || m_d.extent(0) > 0; }
  void copy(const double* from, double* to) { check(cublasDcopy(m_cublas, m_n, from, 1, to, 1)); }
  void precondition(const double* r, double* z) {
    if (m_M) {
      m_M(r, z);
    } else if (has_M()) {
      check(cublasDdgmm(m_cublas, CUBLAS_SIDE_LEFT, m_n, 1, r, m_n, m_d.data(), 1, z, m_n));
    } else if (r != z) {
      copy(r, z);
    }
  }
  void add(double factor, const double* x, double* y) {
    check(cublasDaxpy(m_cublas, m_n, &factor, x, 1, y, 1));
  }
  void scale(double factor, double* x) { check(cublasDscal(m_cublas, m_n, &factor, x, 1)); }
  double dot(const double* x, const double* y) {
    double result = 0;
    check(cublasDdot(m_cublas, m_n, x, 1, y, 1, &result));
    return result;
  }
  double norm(const double* x) {
    double result = 0;
    check(cublasDnrm2(m_cublas, m_n, x, 1, &result));
    return result;
  }

  DeviceSpace m_exec;
  Ordinal m_n;
  Array<double, DeviceSpace> m_d;
  std::function<void(const double*, double*)> m_M;
  CusparseHandle m_cusparse;
  Vector m_from, m_to;
  CusparseProduct<double> m_product;
  cublasHandle_t m_cublas = nullptr;
  Vector m_vectors[4];
};

}  // namespace tessera::perf
