// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solve/scaling_search.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/selection_rules.hpp"

#include <cmath>

namespace tessera::detail {

/// Whether the passes of a search may tell of a scaling. Columns of a symmetric matrix sum to what
/// its rows do, which is known.
inline bool may_be_scaled(const MatrixFacts& facts) {
  return facts.rows > rules::few_rows && facts.smallest_diagonal > 0 &&
         std::isfinite(facts.largest_diagonal) &&
         facts.largest_diagonal / facts.smallest_diagonal > rules::span_of_scaled_diagonal &&
         !(facts.symmetric && facts.row_remainder < rules::remainder_of_scaled_rows);
}

template <class Scalar, class Space, class Offset>
void look_for_scaling(const Space& exec, LinearSystem<Scalar, Space, Offset>& system) {
  system.scaling.reset();
  system.facts.scaling = {};
  const Equilibration asked = system.parameters.equilibration;
  const bool is_open = asked == Equilibration::automatic;
  if (is_open ? !may_be_scaled(system.facts) : asked != Equilibration::unit_diagonal) return;
  const auto found = amg::find_scaling(exec, system.A.view(), system.facts.symmetric);
  const bool pays = found.before >= rules::remainder_of_scaled_rows &&
                    found.after <= rules::remainder_left_by_scaling * found.before;
  if (is_open && !pays) return;
  system.scaling = found;
  system.facts.scaling = {pays, found.before, found.after, found.span};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, look_for_scaling)

}  // namespace tessera::detail
