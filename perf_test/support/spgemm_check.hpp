// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Whether a sparse matrix is the product of two others.
#pragma once

#include "support/spmv_cases.hpp"

#include "tessera/kernels/spmv/products.hpp"

#include <optional>

namespace tessera::perf {

/// C = A B is right where C x = A (B x) row by row within rounding, and its number of entries is
/// that of the first result that was checked.
template <class Space>
class SpgemmCheck {
 public:
  using Matrix = kernels::Csr<double, Space>;

  /// Products are summed in `Sum`, and C is stored in it.
  template <class Sum = double>
  static Accuracy rounding() {
    return {.relative = 1e-12 * unit_roundoff<Sum> / unit_roundoff<double>};
  }

  SpgemmCheck(const Space& exec, const Matrix& A, const Matrix& B, Accuracy accuracy = rounding())
      : m_exec(exec),
        m_accuracy(accuracy),
        m_x(make_vectors<double>(exec, B.num_cols, 1)),
        m_exact(times(A, times(B, m_x))),
        m_magnitude(times(magnitudes(A), times(magnitudes(B), magnitudes(m_x)))) {}

  /// Throws where C is wrong.
  void require_right(const Matrix& C) {
    if (!m_entries) m_entries = C.num_entries();
    if (C.num_entries() != *m_entries) {
      throw std::runtime_error(std::to_string(C.num_entries()) + " entries, expected " +
                               std::to_string(*m_entries));
    }
    const auto y = times(C, m_x);
    std::size_t wrong = 0;
    Kokkos::parallel_reduce(
        "tessera::perf::check", Kokkos::RangePolicy<Space>(m_exec, 0, y.extent(0)),
        CountWrong<double, Space>{y, m_exact, m_magnitude, C.offsets, m_accuracy}, wrong);
    if (wrong > 0) throw std::runtime_error(std::to_string(wrong) + " rows are wrong");
  }

 private:
  using Vectors = MultiVector<double, Space>;

  Vectors times(const Matrix& A, const Vectors& x) const {
    const auto y = allocate_multivector<double>(m_exec, "tessera::perf::y", A.num_rows);
    kernels::spmv(m_exec, kernels::analyse_spmv(m_exec, A.view()), 1.0, A.view(), x, 0.0, y);
    return y;
  }
  void take_magnitudes(const double* from, double* to, std::size_t n) const {
    Kokkos::parallel_for("tessera::perf::magnitudes", Kokkos::RangePolicy<Space>(m_exec, 0, n),
                         TakeMagnitude{from, to});
  }
  Matrix magnitudes(Matrix A) const {
    const auto values = allocate<double>(m_exec, "tessera::perf::magnitudes", A.num_entries());
    take_magnitudes(A.values.data(), values.data(), A.num_entries());
    A.values = values;
    return A;
  }
  Vectors magnitudes(const Vectors& x) const {
    const auto result = allocate_multivector<double>(m_exec, "tessera::perf::magnitudes", x.size());
    take_magnitudes(x.data(), result.data(), x.size());
    return result;
  }

  Space m_exec;
  Accuracy m_accuracy;
  Vectors m_x, m_exact, m_magnitude;
  std::optional<std::size_t> m_entries;
};

}  // namespace tessera::perf
