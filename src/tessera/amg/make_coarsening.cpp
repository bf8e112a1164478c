// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/make_coarsening.hpp"

#include "tessera/amg/pairwise_aggregation.hpp"
#include "tessera/amg/smoothed_aggregation.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
std::unique_ptr<Coarsening<Scalar, Space, Offset>> make_coarsening(const Parameters& parameters,
                                                                   bool keeps_pattern) {
  if (parameters.coarsening == CoarseningKind::pairwise)
    return std::make_unique<PairwiseAggregation<Scalar, Space, Offset>>(parameters, keeps_pattern);
  return std::make_unique<SmoothedAggregation<Scalar, Space, Offset>>(parameters, keeps_pattern);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)            \
  template std::unique_ptr<Coarsening<Scalar, Space, Offset>> \
  make_coarsening<Scalar, Space, Offset>(const Parameters&, bool);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
