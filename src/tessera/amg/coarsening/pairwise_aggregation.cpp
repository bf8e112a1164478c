// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/pairwise_aggregation.hpp"

#include "tessera/amg/coarsening/detail/require_one_unknown.hpp"
#include "tessera/amg/coarsening/tentative_prolongator.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hubs.hpp"

namespace tessera::amg {

// `Coarse` as the class has it: the name in its base is another type to clang.
template <class Scalar, class Space, class Offset>
auto PairwiseAggregation<Scalar, Space, Offset>::initialize(const Space& exec, const Fine& fine,
                                                            const ConstVectors& B,
                                                            const CoarseningLimits& limits,
                                                            Product& product,
                                                            PhaseTimer<Space>& timer)
    -> std::optional<Coarse> {
  const auto A = fine.A->view();
  detail::require_one_unknown("pairwise", fine, B);
  timer.start(exec, "aggregation");
  const auto options =
      pairwise_options(m_parameters, kernels::longest_ordinary_row(A.num_rows, A.num_entries));
  auto aggregates = kernels::aggregate_pairwise(exec, A, options);
  const kernels::HubTest<Space, Offset> is_hub{A.offsets, 1, options.longest_row};
  const Ordinal num_hubs = kernels::add_hub_aggregates(exec, is_hub, aggregates);
  Coarse coarse;
  coarse.aggregation = options.passes == 1
                           ? "pairs"
                           : "pairs of pairs, " + std::to_string(1 << options.passes) + " in all";
  if (num_hubs > 0) coarse.aggregation += ", " + std::to_string(num_hubs) + " hubs apart";
  if (!limits.allow_nodes(aggregates.num_aggregates)) return std::nullopt;

  timer.start(exec, "tentative prolongator");
  const auto T = tentative_prolongator<Offset>(exec, aggregates, B, 1);
  coarse.P = T.T;
  coarse.near_nullspace = T.coarse_near_nullspace;
  product.make(exec, coarse);
  return coarse;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, PairwiseAggregation)

}  // namespace tessera::amg
