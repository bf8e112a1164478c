// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarse operator of one level, by products of compressed rows or of tiles.
#pragma once

#include "tessera/amg/coarsening/galerkin_product.hpp"
#include "tessera/amg/coarsening/phase_timer.hpp"
#include "tessera/amg/setup/setup_level.hpp"

namespace tessera::amg {

/// R A P of one level as its storage was decided. What making the values again needs it leaves in
/// `LevelStorage`: an object of this class lives through one step of the level's coarsening.
///
/// On tiles (`LevelStorage::multiplies_tiles`) the data flow is that of AmgT (its section IV.E):
/// the products' factors and their result are tiles, which the cycle may read as they are. P, which
/// is smoothed in compressed rows, is converted once; R is its transpose, tile by tile; the coarse
/// operator is turned back once, for the steps of the next level that go by rows. Where mBSR cannot
/// hold a product (2^31 tiles), that level is multiplied in compressed rows.
template <class Scalar, class Space, class Offset>
class LevelGalerkinProduct : public GalerkinProduct<Scalar, Space, Offset> {
 public:
  using Level = SetupLevel<Scalar, Space, Offset>;
  using Coarse = CoarseLevel<Scalar, Space, Offset>;

  /// Of `here`, which stays where it is, as `timer` does. `keeps_pattern`: values will be made
  /// again. Where not, what only that needs is not kept, and P in compressed rows is given back
  /// once there are tiles of it; else its values alone are, unless the cycle reads them. Those of
  /// the level's operator are freed before a product of tiles (`release_values`).
  LevelGalerkinProduct(Level& here, bool keeps_pattern, PhaseTimer<Space>& timer)
      : m_here(here), m_keeps_pattern(keeps_pattern), m_timer(timer) {}

  void make(const Space& exec, Coarse& coarse) override;
  /// Arrays in compressed rows stay where they are, but for those values of P and of the level's
  /// operator that are freed.
  void remake(const Space& exec, bool new_P, Coarse& coarse) override;

 private:
  bool try_tiles(const Space& exec, Coarse& coarse);
  void multiply_rows(const Space& exec, Coarse& coarse);
  void remake_rows(const Space& exec, bool new_P, Coarse& coarse);
  /// R A P into `coarse.A` or, where entries are dropped, into what these are dropped from.
  void remake_product(const Space& exec, const Coarse& coarse);
  void drop_entries(const Space& exec, Coarse& coarse);
  void release_P(Coarse& coarse) const;

  Level& m_here;
  bool m_keeps_pattern;
  PhaseTimer<Space>& m_timer;
};

}  // namespace tessera::amg
