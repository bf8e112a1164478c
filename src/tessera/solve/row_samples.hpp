// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a few thousand rows tell of a matrix on a host: a look at them takes less than a pass over
/// all.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera {

/// `MatrixFacts::skew_share`, from rows that are not too long to be looked through.
template <class Scalar, class Space, class Offset>
double sampled_skew_share(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

/// `MatrixFacts::has_hubs`.
template <class Scalar, class Space, class Offset>
bool has_hubs(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

/// `MatrixFacts::repeated_rows`.
template <class Scalar, class Space, class Offset>
double sampled_repeated_rows(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A);

}  // namespace tessera
