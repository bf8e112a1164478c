// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How one level's matrices are held: what coarsening does not see.
#pragma once

#include "tessera/amg/coarsening/coarsening.hpp"
#include "tessera/amg/setup/finest_extras.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/spgemm/galerkin.hpp"
#include "tessera/kernels/spgemm/mbsr/mbsr_galerkin.hpp"
#include "tessera/matrix/storage_parameters.hpp"

#include <memory>
#include <optional>

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

/// The same matrices as those of a `CoarseLevel`, on packed tiles with the scale 1.
template <class Scalar, class Space>
struct CoarseTiles {
  kernels::Mbsr<Scalar, Space> P;
  kernels::Mbsr<Scalar, Space> R;
  kernels::Mbsr<Scalar, Space> A;
};

/// What of one level's matrices is held beside the compressed rows that coarsening works with.
/// `decide_storage` says before coarsening in which format the coarse operator is multiplied and
/// which rows the cycle will read; the product (`LevelGalerkinProduct`) and what stores the level
/// (`store_level.hpp`) convert and free by it.
template <class Scalar, class Space, class Offset>
struct LevelStorage {
  using StoredA = StoredCsr<Scalar, Space, Offset>;

  bool multiplies_tiles = false;  ///< the coarse operator is a product of tiles
  bool stores_P_in_rows = false;  ///< the cycle reads it so, whether or not there are tiles of it
  bool reads_rows = true;  ///< the cycle reads A so, or may
  /// What the cycle reads of A is made before coarsening. A product of rows, where setup has its
  /// peak, is not to hold A in another format, too; one of tiles frees the rows.
  bool comes_first = true;

  std::shared_ptr<const kernels::Mbsr<Scalar, Space>> tiles;  ///< A, packed, scale 1; or null
  bool converts = false;  ///< `tiles` are made from A in rows, not by a product
  /// Of A in rows; where it is not empty, that may be left without values while `tiles` have them.
  ValueWriter<Scalar, Space> write_values;

  bool has_own_R = false;  ///< R is not P^T
  kernels::GalerkinPlan<Scalar, Space, Offset> plan;
  kernels::Csr<Scalar, Space, Offset> undropped;  ///< the product, where entries of it are dropped
  kernels::MbsrGalerkinPlan<Scalar, Space> tile_plan;
  std::optional<CoarseTiles<Scalar, Space>> coarse_tiles;  ///< by a product of tiles

  std::shared_ptr<const StoredA> P;  ///< in rows, with the plan of its products, as R
  std::shared_ptr<const StoredA> R;
  int restriction_exponent = 0;  ///< R, and with it the coarse operator, is scaled by 2 to this
};

}  // namespace tessera::amg
