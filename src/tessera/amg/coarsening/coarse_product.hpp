// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The coarse operator of one level, by products of compressed rows or of tiles.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/kernels/spgemm/galerkin.hpp"
#include "tessera/kernels/spgemm/mbsr/mbsr_galerkin.hpp"

namespace tessera::amg {

/// R A P of one level, and what making its values again needs.
///
/// On tiles (`FineLevel::multiplies_tiles`) the data flow is that of AmgT (its section IV.E): the
/// products' factors and their result are tiles, which the cycle may read as they are. P, which is
/// smoothed in compressed rows, is converted once; R is its transpose, tile by tile; the coarse
/// operator is turned back once, for the steps of the next level that go by rows. Where mBSR cannot
/// hold a product (2^31 tiles), that level is multiplied in compressed rows.
template <class Scalar, class Space, class Offset>
class CoarseProduct {
 public:
  using Fine = FineLevel<Scalar, Space, Offset>;
  using Coarse = CoarseLevel<Scalar, Space, Offset>;
  /// By row of the coarse operator: 1 for an empty row with a stored diagonal, which is set to 1.
  using Dropped = Array<const char, Space>;

  /// `keeps_pattern`: values will be made again. Where not, what only that needs is not kept, and
  /// P in compressed rows is given back once there are tiles of it; else its values alone are,
  /// unless the cycle reads them. Those of `fine.A` are freed before a product of tiles
  /// (`release_values`).
  explicit CoarseProduct(bool keeps_pattern = false) : m_keeps_pattern(keeps_pattern) {}

  /// R = P^T and A = R A P from `coarse.P`. No `dropped` stands for no such row.
  void make_with_transpose(const Space& exec, Fine& fine, Coarse& coarse, PhaseTimer<Space>& timer,
                           const Dropped& dropped = {});
  /// A = R A P from `coarse.P` and `coarse.R`.
  void make(const Space& exec, Fine& fine, Coarse& coarse, PhaseTimer<Space>& timer,
            const Dropped& dropped = {});
  /// The values of A again, for new ones in the patterns of before. `new_P`: those of `coarse.P`
  /// are new; then R = P^T is made again, and an R of its own is to be by now. Arrays in compressed
  /// rows stay where they are, but for those values of P and `fine.A` that are freed.
  void remake(const Space& exec, Fine& fine, bool new_P, Coarse& coarse, PhaseTimer<Space>& timer,
              const Dropped& dropped = {});

 private:
  using Tiles = kernels::Mbsr<Scalar, Space>;

  bool try_tiles(const Space& exec, Fine& fine, Coarse& coarse, PhaseTimer<Space>& timer,
                 const Dropped& dropped);
  void multiply_rows(const Space& exec, const Fine& fine, Coarse& coarse, PhaseTimer<Space>& timer,
                     const Dropped& dropped);

  bool m_keeps_pattern;
  bool m_has_own_R = false;  ///< R is not P^T
  kernels::GalerkinPlan<Scalar, Space, Offset> m_plan;
  kernels::MbsrGalerkinPlan<Scalar, Space> m_tile_plan;
};

}  // namespace tessera::amg
