// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The values of a level's operator in compressed rows, which are not held while tiles, or whatever
/// else the cycle reads, have them: beside tiles, P, R and a product they would be a fifth of what
/// setup needs at its peak.
#pragma once

#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Frees the values of A in rows where there are tiles of it and the values can be written
/// again; else leaves all as it is. The pattern and the plan stay.
template <class Scalar, class Space, class Offset>
void release_values(SetupLevel<Scalar, Space, Offset>& here);

/// Makes those that `release_values` has freed again.
template <class Scalar, class Space, class Offset>
void restore_values(const Space& exec, SetupLevel<Scalar, Space, Offset>& here);

/// Writes new values into `fine.A`, in its array where it holds one. `write`: not empty.
template <class Scalar, class Space, class Offset>
void renew_values(const Space& exec, const NonDeduced<ValueWriter<Scalar, Space>>& write,
                  FineLevel<Scalar, Space, Offset>& fine);

/// Room for values of `A`, which may have been freed.
template <class Scalar, class Space, class Offset>
void make_room(const Space& exec, kernels::Csr<Scalar, Space, Offset>& A) {
  if (A.values.extent(0) == 0)
    A.values = allocate<Scalar>(exec, "tessera::amg::values", A.num_entries());
}

/// Room for the values of P and R that coarsening makes again.
template <class Scalar, class Space, class Offset>
void make_room_for_interpolation(const Space& exec, SetupLevel<Scalar, Space, Offset>& here) {
  make_room(exec, here.coarse.P);
  if (here.storage.has_own_R) make_room(exec, here.coarse.R);
}

/// Frees the values of A in rows once the next level is made, where the cycle reads them in
/// another format and they can be written again.
template <class Scalar, class Space, class Offset>
void release_operator(SetupLevel<Scalar, Space, Offset>& here);

}  // namespace tessera::amg
