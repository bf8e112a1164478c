// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The part of a system of equations that couples each function to itself.
#pragma once

#include "tessera/kernels/format/csr.hpp"

namespace tessera::amg {

/// Which function each of n rows is of, in nodes of `block_size` consecutive rows.
template <class Space>
Array<const Ordinal, Space> functions_of_nodes(const Space& exec, Ordinal n, int block_size);

/// Those of the coarse points; `coarse_number` is below 0 for fine ones.
template <class Space>
Array<const Ordinal, Space> functions_of_coarse_points(
    const Space& exec, const Array<const Ordinal, Space>& functions,
    const Array<const Ordinal, Space>& coarse_number, Ordinal num_coarse);

/// The entries of A whose row and column are of one function: what classical multigrid "by
/// unknowns" takes strength and interpolation from (K. Stueben, in U. Trottenberg, C. Oosterlee &
/// A. Schueller, "Multigrid", 2001, appendix A.3.2.1). The pattern alone, in A's order.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> function_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const Array<const Ordinal, Space>& functions);

/// Its values, into `part`.
template <class Scalar, class Space, class Offset>
void fill_function_part(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                        const Array<const Ordinal, Space>& functions,
                        kernels::Csr<Scalar, Space, Offset>& part);

}  // namespace tessera::amg
