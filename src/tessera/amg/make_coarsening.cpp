// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/make_coarsening.hpp"

#include "tessera/amg/pairwise_aggregation.hpp"
#include "tessera/amg/smoothed_aggregation.hpp"
#include "tessera/kernels/instantiate.hpp"

#include <algorithm>

namespace tessera::amg {
namespace detail {

/// The parameters for all levels with what was chosen for one in their place.
Parameters with_choice(Parameters p, const LevelCoarsening& chosen) {
  if (chosen.type == LevelCoarseningKind::same) return p;
  p.coarsening = chosen.type == LevelCoarseningKind::pairwise
                     ? CoarseningKind::pairwise
                     : CoarseningKind::smoothed_aggregation;
  const LevelSmoothedAggregation& own = chosen.smoothed_aggregation;
  SmoothedAggregationParameters& all = p.smoothed_aggregation;
  all.aggregation = own.aggregation;
  all.prolongator_omega =
      chosen.type == LevelCoarseningKind::plain_aggregation ? 0 : own.prolongator_omega;
  if (own.strength_threshold >= 0) {
    all.strength_threshold = own.strength_threshold;
    all.strength_scaling = 1;
  }
  p.pairwise = chosen.pairwise;
  return p;
}

}  // namespace detail

std::string coarsening_name(const Parameters& parameters, const LevelCoarsening& chosen) {
  const Parameters p = detail::with_choice(parameters, chosen);
  LevelCoarseningKind kind = LevelCoarseningKind::pairwise;
  if (p.coarsening == CoarseningKind::smoothed_aggregation)
    kind = p.smoothed_aggregation.prolongator_omega > 0 ? LevelCoarseningKind::smoothed_aggregation
                                                        : LevelCoarseningKind::plain_aggregation;
  return std::string(std::find_if(std::begin(level_coarsening_names),
                                  std::end(level_coarsening_names),
                                  [&](const auto& name) { return name.value == kind; })
                         ->name);
}

template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_coarsening(const Parameters& parameters,
                                                                   const LevelCoarsening& chosen,
                                                                   bool keeps_pattern) {
  const Parameters p = detail::with_choice(parameters, chosen);
  if (p.coarsening == CoarseningKind::pairwise)
    return std::make_unique<PairwiseAggregation<Scalar, Space, Offset>>(p, keeps_pattern);
  return std::make_unique<SmoothedAggregation<Scalar, Space, Offset>>(p, keeps_pattern);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)            \
  template std::unique_ptr<Coarsening<Scalar, Space, Offset>> \
  make_coarsening<Scalar, Space, Offset>(const Parameters&, const LevelCoarsening&, bool);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
