// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems of matrices from real problems, and what a solve leaves of them.
#pragma once

#include "support/device.hpp"
#include "support/real_systems.hpp"
#include "support/share.hpp"
#include "support/solves.hpp"
#include "tessera/direct/sparse_direct.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::test {

/// A solve's limit on iterations: `whole`, and a few of them in a share of the tests. Those launch
/// what later ones would, and under a sanitizer one takes up to a second.
inline int iteration_limit(int whole) { return asked_share() == 1 ? whole : std::min(whole, 20); }

/// What the command's `--rhs random` is by default: splitmix64 (Steele, Lea & Flood, 2014).
inline std::vector<double> command_random_rhs(std::size_t n) {
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    b[i] = static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
  }
  return b;
}

/// Whether solves may pick sparse factors: on a host, in a build that has them.
template <class Space>
bool may_factor() {
  return kernels::is_host_space<Space> && direct::available();
}

/// A system with hashed numbers on the right.
template <class Space>
struct RealSystem {
  RealSystem(const Space& exec, const std::string& name)
      : A(read_real_matrix(exec, name)),
        n(A.num_rows),
        host(to_host(A)),
        rhs(hashed_vector(n)),
        b(to_multivector(exec, rhs, n)) {}

  kernels::Csr<double, Space> A;
  std::size_t n;
  HostMatrix<double> host;
  std::vector<double> rhs;
  MultiVector<double, Space> b;
};

/// ||b - A x|| / ||b|| with sums in long double on the host.
inline double true_relative_residual(const HostMatrix<double>& A, const std::vector<double>& b,
                                     const std::vector<double>& x) {
  long double residual = 0;
  long double norm = 0;
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    long double r = b[i];
    for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
      r -= static_cast<long double>(A.values[e]) * x[A.columns[e]];
    }
    residual += r * r;
    norm += static_cast<long double>(b[i]) * b[i];
  }
  return static_cast<double>(std::sqrt(residual / norm));
}

}  // namespace tessera::test
