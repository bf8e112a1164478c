// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/pairwise_aggregation.hpp"

#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hubs.hpp"
#include "tessera/kernels/graph/pairwise.hpp"

namespace tessera::amg {

// `Coarse` as the class has it: the name in its base is another type to clang.
template <class Scalar, class Space, class Offset>
auto PairwiseAggregation<Scalar, Space, Offset>::initialize(const Space& exec, Fine& fine,
                                                            NearNullspace<Scalar, Space>& B,
                                                            const CoarseningLimits& limits,
                                                            CoarseningState& state,
                                                            PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  const auto A = fine.A->view();
  if (fine.block_size > 1 || B.count() > 1) {
    throw Error(ErrorKind::configuration,
                "coarsening = pairwise takes one unknown per node and one near-nullspace vector; "
                "the matrix "
                "has " +
                    std::to_string(fine.block_size) + " and " + std::to_string(B.count()) +
                    "; use smoothed_aggregation, or block_size 1 with no near-nullspace");
  }
  timer.start(exec, "aggregation");
  kernels::PairwiseOptions options;
  const PairwiseParameters& chosen = m_parameters;
  options.passes = chosen.passes;
  options.max_rounds = chosen.max_rounds;
  options.unmatched_share = chosen.unmatched_share;
  options.weak_share = chosen.weak_share;
  options.zeros = chosen.zeros;
  options.longest_row = kernels::longest_ordinary_row(A.num_rows, A.num_entries);
  auto aggregates = kernels::aggregate_pairwise(exec, A, options);
  const kernels::HubTest<Space, Offset> is_hub{A.offsets, 1, options.longest_row};
  const Ordinal num_hubs = kernels::add_hub_aggregates(exec, is_hub, aggregates);
  state.box.reset();
  state.aggregation = chosen.passes == 1
                          ? "pairs"
                          : "pairs of pairs, " + std::to_string(1 << chosen.passes) + " in all";
  if (num_hubs > 0) state.aggregation += ", " + std::to_string(num_hubs) + " hubs apart";
  if (!limits.allow_vertices(aggregates.num_aggregates)) return std::nullopt;

  timer.start(exec, "tentative prolongator");
  const auto T = tentative_prolongator<Offset>(exec, aggregates, B.view(), 1);
  Coarse coarse;
  coarse.P = T.T;
  m_product.make_with_transpose(exec, fine, coarse, timer);
  if (!limits.allow_entries(coarse.A.num_entries())) return std::nullopt;
  B.replace(T.coarse_near_nullspace);
  return coarse;
}

template <class Scalar, class Space, class Offset>
void PairwiseAggregation<Scalar, Space, Offset>::compute(const Space& exec, Fine& fine, bool,
                                                         Coarse& coarse, PhaseTimer<Space>& timer) {
  require(m_keeps_pattern, [] {
    return std::string("PairwiseAggregation::compute without what initialize found of the pattern");
  });
  m_product.remake(exec, fine, false, coarse, timer);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class PairwiseAggregation<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
