// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/functions.hpp"

#include "tessera/amg/coarsening/function_part.hpp"
#include "tessera/amg/coarsening/splitting.hpp"
#include "tessera/distributed/node_halo.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

template <class Space>
Functions<Space> functions_of_points(const Space& exec, const LevelRows<Space>& fine,
                                     const LevelPoints<Space>& points) {
  if (fine.block_size == 1 && !fine.functions) return std::nullopt;
  Array<Ordinal, Space> here;
  NodeHalo<Space> halo;
  on_all_processes(*points.processes, [&] {
    halo = NodeHalo<Space>(points.halo);
    here = allocate<Ordinal>(exec, "tessera::distributed::functions", points.num_here());
    const Array<const Ordinal, Space> own =
        fine.functions ? *fine.functions
                       : amg::functions_of_nodes<Space>(exec, points.num_own(), fine.block_size);
    if (points.num_own() > 0)
      Kokkos::deep_copy(exec, Kokkos::subview(here, std::make_pair(Ordinal(0), points.num_own())),
                        own);
  });
  halo.fill(exec, here);
  return here;
}

template <class Space>
Functions<Space> functions_of_coarse(const Space& exec, const Functions<Space>& functions,
                                     const Array<std::int8_t, Space>& is_coarse) {
  if (!functions) return std::nullopt;
  const auto points = amg::number_coarse_points(exec, is_coarse);
  return amg::functions_of_coarse_points<Space>(exec, *functions, points.coarse_number,
                                                points.num_coarse);
}

/// As vectors of double go, which hold such small numbers exactly.
template <class Space>
Functions<Space> sent_functions(const Space& exec, const Communicator& processes,
                                Exchange<double, Space> exchange, const Functions<Space>& functions,
                                Ordinal num_target) {
  if (!functions) return std::nullopt;
  const Array<const Ordinal, Space>& given = *functions;
  MultiVector<double, Space> sent, come;
  Array<Ordinal, Space> made;
  on_all_processes(processes, [&] {
    sent = allocate_multivector<double>(exec, "tessera::distributed::functions", given.extent(0));
    come = allocate_multivector<double>(exec, "tessera::distributed::functions",
                                        static_cast<std::size_t>(num_target));
    made = allocate<Ordinal>(exec, "tessera::distributed::functions", num_target);
    exchange.reserve(1);
  });
  Kokkos::parallel_for(
      "tessera::distributed::functions::pack", Kokkos::RangePolicy<Space>(exec, 0, sent.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) { sent(i, 0) = given(i); });
  exchange.forward(exec, sent, come);
  Kokkos::parallel_for(
      "tessera::distributed::functions::unpack", Kokkos::RangePolicy<Space>(exec, 0, num_target),
      KOKKOS_LAMBDA(const Ordinal i) { made(i) = static_cast<Ordinal>(come(i, 0)); });
  exec.fence("tessera::distributed::functions");
  return made;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, functions_of_points)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, functions_of_coarse)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, sent_functions)

}  // namespace tessera::distributed
