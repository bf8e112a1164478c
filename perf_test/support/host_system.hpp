// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A system in the host's memory, and how well it is solved.
#pragma once

#include "support/solve_timing.hpp"

#include <cmath>
#include <vector>

namespace tessera::perf {

/// The system that all solve, whole in every process.
struct HostSystem {
  kernels::Csr<double, HostSpace> A;
  MultiVector<double, HostSpace> b;

  bool has_rhs() const { return norm(b) > 0; }

  /// |b - A x| / |b|, so that no program's own word on its residual is taken. Summed in long
  /// double: where x is large, sums in double are off by more than a tolerance.
  double relative_residual(const MultiVector<double, HostSpace>& x) const {
    long double squares = 0;
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      long double r = b(i, 0);
      for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
        r -= static_cast<long double>(A.values(e)) * x(A.columns(e), 0);
      squares += r * r;
    }
    return static_cast<double>(std::sqrt(squares)) / norm(b);
  }

  /// The same for a solution in a peer's own memory.
  double relative_residual(const std::vector<double>& x) const {
    const HostSpace exec;
    const auto copy = allocate_multivector<double>(exec, "tessera::perf::solution", A.num_rows, 1);
    std::copy(x.begin(), x.end(), copy.data());
    return relative_residual(copy);
  }

 private:
  static double norm(const MultiVector<double, HostSpace>& v) {
    double sum = 0;
    for (std::size_t i = 0; i < v.extent(0); ++i)
      sum += v(i, 0) * v(i, 0);
    return std::sqrt(sum);
  }
};

/// A copy of `A` and the first column of `b` from where `Space` has them.
template <class Space>
HostSystem on_host(const kernels::Csr<double, Space>& A, const MultiVector<double, Space>& b) {
  const HostSpace host;
  const auto copy = [&](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  HostSystem system{{A.num_rows, A.num_cols, copy(A.offsets), copy(A.columns), copy(A.values)},
                    allocate_multivector<double>(host, "tessera::perf::b", A.num_rows, 1)};
  const auto values = copy(b);
  for (Ordinal i = 0; i < A.num_rows; ++i)
    system.b(i, 0) = values(i, 0);
  return system;
}

}  // namespace tessera::perf
