// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/coarsening.hpp"

#include "tessera/distributed/classical_coarsening.hpp"
#include "tessera/distributed/pairwise_aggregation.hpp"
#include "tessera/distributed/reduction_coarsening.hpp"
#include "tessera/distributed/smoothed_aggregation.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hubs.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace tessera::distributed {

template <class Space>
std::size_t longest_ordinary_row(const Communicator& processes, const LocalRows<Space>& A) {
  std::int64_t sums[] = {A.num_rows, static_cast<std::int64_t>(A.num_entries())};
  processes.sum(std::span<std::int64_t>(sums));
  const auto rows = std::min<std::int64_t>(sums[0], std::numeric_limits<Ordinal>::max());
  return kernels::longest_ordinary_row(static_cast<Ordinal>(rows),
                                       static_cast<std::size_t>(sums[1]));
}

template <class Space>
auto Coarsening<Space>::make_product(const Space& exec, const Communicator& processes,
                                     const LevelRows<Space>& fine, const Rows& R,
                                     const RowExchange<Space>& coarse) -> const Rows& {
  return m_product.make(exec, processes, fine.A, prolongator(), columns(), R, fine.rows, coarse);
}

template <class Space>
auto Coarsening<Space>::remake_product(const Space& exec, const LevelRows<Space>& fine,
                                       const Rows& R, bool new_P) -> const Rows& {
  return m_product.remake(exec, *fine.processes, fine.A, prolongator(), R, new_P);
}

template <class Space>
std::unique_ptr<Coarsening<Space>> make_coarsening(const amg::LevelCoarsening& of_level,
                                                   bool symmetric, int depth) {
  if (of_level.type == amg::CoarseningKind::classical)
    return std::make_unique<ClassicalCoarsening<Space>>(of_level.classical, depth);
  if (of_level.type == amg::CoarseningKind::reduction)
    return std::make_unique<ReductionCoarsening<Space>>(of_level.reduction);
  if (of_level.type == amg::CoarseningKind::pairwise)
    return std::make_unique<PairwiseAggregation<Space>>(of_level.pairwise, depth);
  return std::make_unique<SmoothedAggregation<Space>>(of_level.smoothed_aggregation, symmetric,
                                                      depth);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, longest_ordinary_row)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, Coarsening)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, make_coarsening)

}  // namespace tessera::distributed
