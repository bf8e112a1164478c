// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/make_coarsening.hpp"

#include "tessera/amg/coarsening/classical_coarsening.hpp"
#include "tessera/amg/coarsening/pairwise_aggregation.hpp"
#include "tessera/amg/coarsening/reduction_coarsening.hpp"
#include "tessera/amg/coarsening/register_coarsening.hpp"
#include "tessera/amg/coarsening/smoothed_aggregation.hpp"
#include "tessera/amg/selection_rules.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cmath>

namespace tessera::amg {
namespace detail {

/// The threshold of strength on the level of that number, which no level has of its own.
double scaled_threshold(const SmoothedAggregationParameters& p, int number) {
  const double finest = p.strength_threshold < 0 ? default_strength_threshold(p.strength_measure)
                                                 : p.strength_threshold;
  const double scaling =
      p.strength_scaling < 0 ? rules::default_strength_scaling : p.strength_scaling;
  return finest * std::pow(scaling, number);
}

}  // namespace detail

LevelCoarsening coarsening_of_level(const LevelCoarsening& all_levels,
                                    const LevelCoarsening& chosen, int number) {
  const SmoothedAggregationParameters& all = all_levels.smoothed_aggregation;
  const bool is_own = chosen.type != CoarseningKind::same;
  LevelCoarsening result = is_own ? chosen : all_levels;
  SmoothedAggregationParameters& own = result.smoothed_aggregation;
  if (!is_own || own.strength_threshold < 0)
    own.strength_threshold = detail::scaled_threshold(all, number);
  own.strength_measure = all.strength_measure;
  own.strength_scaling = 1;
  if (result.type == CoarseningKind::automatic) result.type = CoarseningKind::smoothed_aggregation;
  if (result.type == CoarseningKind::plain_aggregation) own.prolongator_omega = 0;
  if (result.type == CoarseningKind::smoothed_aggregation && !(own.prolongator_omega > 0))
    result.type = CoarseningKind::plain_aggregation;
  return result;
}

template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_coarsening(
    const FineLevel<Scalar, Space, Offset>& fine, const LevelCoarsening& of_level,
    bool keeps_pattern) {
  switch (of_level.type) {
    case CoarseningKind::smoothed_aggregation:
    case CoarseningKind::plain_aggregation:
      return std::make_unique<SmoothedAggregation<Scalar, Space, Offset>>(
          of_level.smoothed_aggregation, keeps_pattern);
    case CoarseningKind::pairwise:
      return std::make_unique<PairwiseAggregation<Scalar, Space, Offset>>(of_level.pairwise);
    case CoarseningKind::classical:
      return std::make_unique<ClassicalCoarsening<Scalar, Space, Offset>>(of_level.classical,
                                                                          keeps_pattern);
    case CoarseningKind::reduction:
      return std::make_unique<ReductionCoarsening<Scalar, Space, Offset>>(of_level.reduction,
                                                                          keeps_pattern);
    case CoarseningKind::same:
    case CoarseningKind::automatic:  // see coarsening_of_level
      throw Error(ErrorKind::configuration, "amg.coarsening names no coarsening");
  }
  return make_registered_coarsening(fine, of_level.type, of_level.registered);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                \
  template std::unique_ptr<Coarsening<Scalar, Space, Offset>>                     \
  make_coarsening<Scalar, Space, Offset>(const FineLevel<Scalar, Space, Offset>&, \
                                         const LevelCoarsening&, bool);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
