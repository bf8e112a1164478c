// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Polynomials that approximate the inverse of I - N.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <vector>

namespace tessera::amg {

/// The c_k, k = 0 to `order`, that minimise || v - (I - N) sum c_k N^k v ||: what GMRES finds for
/// the right-hand side v, which is hashed, and 0 in rows that are empty in N's pattern. Where N^k v
/// adds nothing to the vectors before it, c_k is 0. Without any sum of finite norm all are 1, those
/// of Neumann's series. Products with N and inner products run on the device, in a fixed order; the
/// host waits for the latter once and solves the normal equations, of vectors scaled to length 1.
template <class Scalar, class Space, class Offset>
std::vector<double> gmres_polynomial(const Space& exec,
                                     const kernels::CsrView<Scalar, Space, Offset>& N, int order);

/// Solves the normal equations. `inner`: <N^k v, N^l v>, k and l from 0 to `order` + 1, by rows.
std::vector<double> polynomial_from_inner_products(const std::vector<double>& inner, int order);

}  // namespace tessera::amg
