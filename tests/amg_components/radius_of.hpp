// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The estimates of a spectral radius for a matrix on the host.
#pragma once

#include "support/device.hpp"
#include "support/inverse_diagonal.hpp"

#include "tessera/amg/spectral/spectral_radius.hpp"

namespace tessera::test {

template <class Offset, class Scalar, class Space>
double lanczos_radius(const Space& exec, const HostMatrix<Scalar>& A, int steps = 12,
                      std::uint32_t seed = 0) {
  const auto csr = make_csr<Offset>(exec, A);
  return amg::spectral_radius_lanczos(exec, csr.view(), kernels::analyse_spmv(exec, csr.view()),
                                      to_device(exec, inverse_diagonal_of(A)), steps, seed);
}

template <class Offset, class Scalar, class Space>
double arnoldi_radius(const Space& exec, const HostMatrix<Scalar>& A, int steps = 12,
                      std::uint32_t seed = 0) {
  const auto csr = make_csr<Offset>(exec, A);
  return amg::spectral_radius_arnoldi(exec, csr.view(), kernels::analyse_spmv(exec, csr.view()),
                                      to_device(exec, inverse_diagonal_of(A)), steps, seed);
}

}  // namespace tessera::test
