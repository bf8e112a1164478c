// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/pairwise_aggregation.hpp"

#include "tessera/amg/coarsening/pairwise_aggregation.hpp"
#include "tessera/distributed/pairwise_aggregates.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"

#include <string>

namespace tessera::distributed {

template <class Space>
Ordinal PairwiseAggregation<Space>::choose(const Space& exec, const Communicator& processes,
                                           const LevelRows<Space>& fine, Vectors& vectors,
                                           std::optional<kernels::Box>& box) {
  const kernels::ProfilingRegion region("tessera::distributed::PairwiseAggregation::choose");
  if (fine.block_size != 1 || vectors.extent(1) != 1)
    throw Error(ErrorKind::configuration,
                "coarsening = pairwise takes one unknown per node and one near-nullspace vector; "
                "the matrix has " +
                    std::to_string(fine.block_size) + " and " + std::to_string(vectors.extent(1)) +
                    "; use smoothed_aggregation, or block_size 1 with no near-nullspace");
  box.reset();
  const std::size_t longest = longest_ordinary_row(processes, fine.A);
  auto options = amg::pairwise_options(m_parameters, longest);
  options.rounded = options.rounded || m_depth > 0;
  m_tentative = tentative_prolongator(exec, fine.processes, aggregate_pairwise(exec, fine, options),
                                      vectors, 1);
  m_has_aggregates = true;
  vectors = m_tentative.coarse_vectors;
  return m_tentative.columns.num_own();
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, PairwiseAggregation)

}  // namespace tessera::distributed
