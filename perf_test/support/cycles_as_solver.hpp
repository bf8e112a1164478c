// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Cycles of multigrid as a solver by themselves, a given number of them.
#pragma once

#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/sparse_operator.hpp"

#include <Kokkos_Timer.hpp>
#include <cmath>

namespace tessera::perf {

/// Of the first column.
template <class Space>
double column_norm(const MultiVector<double, Space>& v) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  double sum = 0;
  for (std::size_t i = 0; i < host.extent(0); ++i)
    sum += host(i, 0) * host(i, 0);
  return std::sqrt(sum);
}

struct CyclesResult {
  double ms = 0;
  double relative_residual = 0;
};

/// x += M (b - A x), `cycles` times from x = 0; nothing else is at work on the device before or
/// after.
template <class Space>
CyclesResult run_cycles(const Space& exec, const SparseOperator<double, Space>& A,
                        Preconditioner<double, Space>& M, const MultiVector<double, Space>& b,
                        int cycles) {
  const auto x = allocate_multivector<double>(exec, "tessera::perf::x", b.extent(0));
  const auto r = allocate_multivector<double>(exec, "tessera::perf::r", b.extent(0));
  const auto z = allocate_multivector<double>(exec, "tessera::perf::z", b.extent(0));
  Kokkos::deep_copy(exec, x, 0.0);
  M.prepare(exec, 1);
  Kokkos::fence("tessera::perf");
  const Kokkos::Timer timer;
  A.residual(exec, b, x, r);
  for (int i = 0; i < cycles; ++i) {
    M.apply(exec, r, z);
    kernels::axpby<double, Space>(exec, 1.0, z, 1.0, x);
    A.residual(exec, b, x, r);
  }
  Kokkos::fence("tessera::perf");
  const double ms = timer.seconds() * 1e3;
  return {ms, column_norm<Space>(r) / column_norm<Space>(b)};
}

}  // namespace tessera::perf
