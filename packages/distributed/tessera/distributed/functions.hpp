// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which function of a system each row of a level is of, where rows are not numbered node by node.
#pragma once

#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/level_points.hpp"

#include <optional>

namespace tessera::distributed {

/// Of own rows and of ghosts, in the order of `points`, which are those of `fine`; none where there
/// is one function. Collective.
template <class Space>
Functions<Space> functions_of_points(const Space& exec, const LevelRows<Space>& fine,
                                     const LevelPoints<Space>& points);

/// Of the coarse points among the first rows, `is_coarse` saying for each whether it is one.
template <class Space>
Functions<Space> functions_of_coarse(const Space& exec, const Functions<Space>& functions,
                                     const Array<std::int8_t, Space>& is_coarse);

/// What the exchange's target gets, of `num_target` rows. Waits. Collective over `processes`.
template <class Space>
Functions<Space> sent_functions(const Space& exec, const Communicator& processes,
                                Exchange<double, Space> exchange, const Functions<Space>& functions,
                                Ordinal num_target);

}  // namespace tessera::distributed
