// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What relaxes the levels of a `Cycle`.
#pragma once

#include "tessera/distributed/cycle_state.hpp"
#include "tessera/distributed/fine_relaxation.hpp"
#include "tessera/distributed/hybrid_smoother.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/distributed/points_smoother.hpp"
#include "tessera/distributed/working_values.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/smoother/make_smoother.hpp"

#include <cstdint>
#include <memory>

namespace tessera::distributed {

/// Of A, which is in `Scalar`.
template <class Space>
template <class Scalar>
std::unique_ptr<Smoother<Scalar, Space>> Cycle<Space>::State::smoother_of(
    const Space& exec, std::size_t number,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& A) {
  const Level<Space>& given = levels[number];
  const SmootherParameters& p = chosen[number].smoother;
  if (has_own_relaxation(number))
    return amg::stored_as_set(parameters, static_cast<int>(number), "R", [&] {
      return make_fine_smoother(exec, given.relaxation, A, chosen[number].R);
    });
  const auto inverse = working_array<Scalar, Space>(exec, inverse_diagonals[number]);
  if (relaxes_points(number))
    return make_points_smoother<Scalar, Space>(exec, p, A, given.A, inverse, given.spectral_radius,
                                               coarse_numbers[number], set_halos[number]);
  if (is_hybrid(p))
    return make_hybrid_smoother(exec, p, A, given.A, given.spectral_radius, given.block_size);
  kernels::Csr<Scalar, Space, std::int64_t> entries;
  if (smoother_needs(p).entries)
    entries = kernels::convert_values<Scalar>(
        exec, given.A.processes->is_reproducible() ? in_order_of_all(exec, given.A) : given.A.rows);
  return make_smoother<Scalar, Space, std::int64_t>(exec, p, A, entries.view(), inverse,
                                                    given.spectral_radius, given.block_size);
}

}  // namespace tessera::distributed
