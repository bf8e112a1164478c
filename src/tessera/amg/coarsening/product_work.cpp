// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/product_work.hpp"

#include "tessera/amg/selection_rules.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cmath>
#include <string>

namespace tessera::amg {

template <class Scalar, class Space, class Offset>
double count_multiplications(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& X,
                             const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& Y) {
  require(X.num_cols == Y.num_rows, [&] {
    return "X has " + std::to_string(X.num_cols) + " columns beside " + std::to_string(Y.num_rows) +
           " rows of Y; expected as many";
  });
  double count = 0;
  // By entries, for one row may have most of them.
  Kokkos::parallel_reduce(
      "tessera::product_work::count",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, X.num_entries),
      KOKKOS_LAMBDA(const std::size_t k, double& sum) {
        const Ordinal j = X.columns(k);
        sum += static_cast<double>(Y.offsets(j + 1) - Y.offsets(j));
      },
      count);
  exec.fence("tessera::product_work::count");
  return count;
}

bool allow_multiplications(const CoarseningLimits& limits, double count) {
  const double entries = limits.fine_entries + limits.max_entries;
  if (count <= rules::multiplications_per_entry * entries) return true;
  limits.notes.push_back(
      "stopped coarsening: products on the way to the next level would take more than " +
      std::to_string(std::lround(rules::multiplications_per_entry)) +
      " multiplications for each entry that max_operator_complexity leaves to it and this one");
  return false;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, count_multiplications)

}  // namespace tessera::amg
