// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/released_values.hpp"

#include "tessera/amg/setup/level_storage.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <memory>
#include <utility>

namespace tessera::amg {
namespace detail {

/// As `coarse` has it by now.
template <class Scalar, class Space, class Offset>
void renew(const kernels::Csr<Scalar, Space, Offset>& coarse,
           std::shared_ptr<const StoredCsr<Scalar, Space, Offset>>& stored) {
  if (stored == nullptr || coarse.num_cols == 0) return;
  if (stored->matrix().values.data() == coarse.values.data()) return;
  auto plan = stored->plan();
  stored = std::make_shared<StoredCsr<Scalar, Space, Offset>>(coarse, std::move(plan));
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void release_connection(Reuse reuse, SetupLevel<Scalar, Space, Offset>& here) {
  // Those on tiles a product frees.
  const bool come_again = reuse == Reuse::symbolic && here.coarsening->makes_new_interpolation();
  if (here.storage.coarse_tiles || !come_again) return;
  if (is_other_than_rows(here.chosen.P.format)) here.coarse.P.values = {};
  if (is_other_than_rows(here.chosen.R.format)) here.coarse.R.values = {};
  renew_connection(here);
}

template <class Scalar, class Space, class Offset>
void renew_connection(SetupLevel<Scalar, Space, Offset>& here) {
  detail::renew(here.coarse.P, here.storage.P);
  detail::renew(here.coarse.R, here.storage.R);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, release_connection)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, renew_connection)

}  // namespace tessera::amg
