// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A system for Krylov methods on the default device: b = A·1, x = 0.
#pragma once

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/memory_pool.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/persistent/solve.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tessera::perf {

inline std::string word(kernels::PersistentEnd end) {
  constexpr const char* words[] = {"none",         "converged", "max_iterations",
                                   "time_limit",   "stagnated", "diverged",
                                   "not_a_number", "breakdown", "barrier_timeout"};
  return words[static_cast<int>(end)];
}

template <class T>
Array<T, DeviceSpace> on_device(const DeviceSpace& exec, const Array<const T, HostSpace>& from) {
  const auto to = allocate<T>(exec, "tessera::perf::copy", from.extent(0));
  Kokkos::deep_copy(exec, to, from);
  return to;
}

class KrylovSystem {
 public:
  KrylovSystem(const DeviceSpace& exec, std::string name, const kernels::Csr<double, HostSpace>& A,
               bool is_definite)
      : name(std::move(name)), is_definite(is_definite), host(A) {
    device = {A.num_rows, A.num_cols, on_device<Ordinal>(exec, A.offsets),
              on_device<Ordinal>(exec, A.columns),
              on_device<double>(exec, Array<const double, HostSpace>(A.values))};
    const auto n = static_cast<std::size_t>(A.num_rows);
    b = allocate_multivector<double>(exec, "tessera::perf::b", n);
    x = allocate_multivector<double>(exec, "tessera::perf::x", n);
    m_rhs.resize(n);
    for (Ordinal i = 0; i < A.num_rows; ++i) {
      for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
        m_rhs[i] += A.values(e);
    }
    const Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        rhs(m_rhs.data(), n, 1);
    Kokkos::deep_copy(exec, b, rhs);
    exec.fence("tessera::perf::b");
  }

  /// ||b - A x|| / ||b||, on the host.
  double true_residual() const {
    const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    double rr = 0, bb = 0;
    for (Ordinal i = 0; i < host.num_rows; ++i) {
      long double r = m_rhs[i];
      for (auto e = host.offsets(i); e < host.offsets(i + 1); ++e)
        r -= static_cast<long double>(host.values(e)) * found(host.columns(e), 0);
      rr += static_cast<double>(r * r);
      bb += m_rhs[i] * m_rhs[i];
    }
    return bb > 0 ? std::sqrt(rr / bb) : std::sqrt(rr);
  }
  ArrayView<const double, DeviceSpace> rhs() const {
    return ArrayView<const double, DeviceSpace>(b.data(), b.extent(0));
  }
  ArrayView<double, DeviceSpace> iterate() const {
    return ArrayView<double, DeviceSpace>(x.data(), x.extent(0));
  }

  std::string name;
  bool is_definite;  ///< solved by CG then, else by BiCGSTAB
  kernels::Csr<double, HostSpace> host;
  kernels::Csr<double, DeviceSpace> device;
  MultiVector<double, DeviceSpace> b, x;

 private:
  std::vector<double> m_rhs;
};

}  // namespace tessera::perf
