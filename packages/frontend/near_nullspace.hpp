// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Near-nullspace vectors from what users know: node coordinates.
#pragma once

#include <string_view>

#include "tessera/kernels/format/csr.hpp"

namespace tessera::frontend {

/// The rigid body modes of nodes at `coordinates` (nodes by dimension), numbered as A numbers its
/// displacements: node by node, or unknown by unknown. Messages begin with "SETTING SOURCE".
/// @throws Error of kind bad_input unless the dimension is 2 or 3 and A has a row per displacement
template <class Scalar, class Space, class Offset>
MultiVector<Scalar, Space> rigid_body_modes_of(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ConstMultiVectorView<Scalar, Space>>& coordinates, std::string_view setting,
    std::string_view source);

}  // namespace tessera::frontend
