// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The matrices that a cycle reads, stored as was chosen.
#pragma once

#include "tessera/amg/cycle/level.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// Whether a matrix of which there are tiles is stored as those.
constexpr bool takes_tiles(const StorageParameters& storage) {
  return storage.format == StorageFormat::mbsr || storage.format == StorageFormat::automatic;
}

/// Whether a matrix is read in another format than compressed rows, whatever it holds.
constexpr bool is_other_than_rows(StorageFormat format) {
  return format != StorageFormat::automatic && format != StorageFormat::least_bytes &&
         format != StorageFormat::csr;
}

/// The level's operator and, where it `relaxes`, its smoother. `in_double`: as for `store`.
template <class Scalar, class Space, class Offset>
void finish_level(const Space& exec, SetupLevel<Scalar, Space, Offset>& here, bool relaxes,
                  Level<Scalar, Space>& level, PhaseTimer<Space>& timer,
                  const NonDeduced<kernels::Csr<double, Space, Offset>>* in_double = nullptr);

/// The level's P and R. Before that R and the coarse operator, whose arrays stay where they are,
/// are scaled by a power of two where the latter would leave half's range.
template <class Scalar, class Space, class Offset>
void connect_levels(const Space& exec, const Parameters& p, bool symmetric,
                    SetupLevel<Scalar, Space, Offset>& here, Level<Scalar, Space>& level,
                    PhaseTimer<Space>& timer);

/// Takes the scale off R again, before coarsening makes new values of it or of the coarse operator.
template <class Scalar, class Space, class Offset>
void unscale_restriction(const Space& exec, SetupLevel<Scalar, Space, Offset>& here);

}  // namespace tessera::amg
