// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Values of P and R in compressed rows that are not held while the cycle reads another format of
/// them.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Frees the values of P and R once the cycle has them in another format than compressed rows,
/// where new values of A make them again.
template <class Scalar, class Space, class Offset>
void release_connection(Reuse reuse, SetupLevel<Scalar, Space, Offset>& here);

/// P and R in rows, with their plans, have the values that coarsening has made by now.
template <class Scalar, class Space, class Offset>
void renew_connection(SetupLevel<Scalar, Space, Offset>& here);

}  // namespace tessera::amg
