// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/distributed_rows.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <utility>

namespace tessera::tpetra {

template <class Space>
Array<double, Space> with_halo(const Space& exec, Exchange<double, Space> halo,
                               const Array<double, Space>& own) {
  halo.begin(exec, as_multivector(own));
  const auto received = halo.end(exec);
  const auto others = static_cast<std::size_t>(halo.num_remote());
  const auto both = allocate<double>(exec, "tessera::tpetra::with_halo", own.extent(0) + others);
  const auto place = [&](std::size_t first, std::size_t length) {
    return Kokkos::subview(both, std::make_pair(first, first + length));
  };
  Kokkos::deep_copy(exec, place(0, own.extent(0)), own);
  if (others > 0)
    Kokkos::deep_copy(exec, place(own.extent(0), others),
                      Kokkos::subview(received, std::make_pair(std::size_t(0), others)));
  exec.fence("tessera::tpetra::with_halo");
  return both;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, with_halo)

}  // namespace tessera::tpetra
