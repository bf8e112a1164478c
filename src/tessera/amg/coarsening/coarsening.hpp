// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way from a level's operator to the next one's, whichever it is.
#pragma once

#include "tessera/amg/coarsening/coarsening_limits.hpp"
#include "tessera/amg/coarsening/near_nullspace.hpp"
#include "tessera/amg/coarsening/phase_timer.hpp"
#include "tessera/amg/coarsening/value_writer.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/graph/structured.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::amg {

/// The level that is coarsened, as setup has it: in compressed rows, and on tiles where products
/// are made of them or the level is stored so.
template <class Scalar, class Space, class Offset>
struct FineLevel {
  std::shared_ptr<const StoredCsr<Scalar, Space, Offset>> A;
  Array<const Scalar, Space> inverse_diagonal;  ///< 0 where the diagonal is 0
  double spectral_radius = 0;  ///< of D^-1 A
  int block_size = 1;  ///< unknowns per node
  std::shared_ptr<const kernels::Mbsr<Scalar, Space>> tiles = {};  ///< A, packed, scale 1; or null
  bool multiplies_tiles = false;  ///< the coarse operator is a product of tiles
  bool stores_P_in_rows = false;  ///< the cycle reads it so, whether or not there are tiles of it
  bool reads_rows = true;  ///< the cycle reads A so, or may
  /// Of `A`; where it is not empty, `A` may be left without values while `tiles` have them.
  ValueWriter<Scalar, Space> write_values = {};
};

/// The same matrices as those of a `CoarseLevel`, on packed tiles with the scale 1.
template <class Scalar, class Space>
struct CoarseTiles {
  kernels::Mbsr<Scalar, Space> P;
  kernels::Mbsr<Scalar, Space> R;
  kernels::Mbsr<Scalar, Space> A;
};

/// What coarsening makes: the way to the next level, and that level's operator R A P.
template <class Scalar, class Space, class Offset>
struct CoarseLevel {
  kernels::Csr<Scalar, Space, Offset> P;  ///< may be 0 by 0 where `tiles` has it, as R
  kernels::Csr<Scalar, Space, Offset> R;
  kernels::Csr<Scalar, Space, Offset> A;
  std::optional<CoarseTiles<Scalar, Space>> tiles = {};  ///< where A is a product of tiles
};

/// What one coarsening step hands to the next.
struct CoarseningState {
  std::size_t finest_entries;  ///< of the finest operator
  std::size_t entries_so_far;  ///< of all operators up to this level
  std::vector<std::string>& notes;  ///< what was limited, and why
  int depth = 0;  ///< of this level, 0 the finest
  std::optional<kernels::Box> box = {};  ///< the box of this level's nodes, where it is one
  std::string aggregation = {};  ///< how the last step grouped its nodes
  bool symmetric = false;  ///< the finest operator is, and with it all others
};

/// One step of coarsening, made for one level. What it finds of the pattern it keeps where
/// `keeps_pattern` was asked for, so that the values can be made again.
template <class Scalar, class Space, class Offset>
class Coarsening {
 public:
  using Fine = FineLevel<Scalar, Space, Offset>;
  using Coarse = CoarseLevel<Scalar, Space, Offset>;

  virtual ~Coarsening() = default;

  /// Makes P, R and the coarse operator from pattern and values, and replaces `B` by the coarse
  /// near-nullspace; or leaves all as it is and returns nothing where `limits` do not allow it.
  /// Either way `fine.A` may be left without values (`release_values`).
  virtual std::optional<Coarse> initialize(const Space& exec, Fine& fine,
                                           NearNullspace<Scalar, Space>& B,
                                           const CoarseningLimits& limits, CoarseningState& state,
                                           PhaseTimer<Space>& timer) = 0;

  /// Makes the values of `coarse`, which `initialize` made, again for new values of the same fine
  /// pattern; where `keeps_interpolation`, those of its operator alone. Patterns stay, and arrays
  /// in compressed rows where they are, but for values that are held on tiles as well.
  virtual void compute(const Space& exec, Fine& fine, bool keeps_interpolation, Coarse& coarse,
                       PhaseTimer<Space>& timer) = 0;

  /// Whether `compute`, unless it keeps them, makes the values of P and R from those of A alone:
  /// those of before may then have been freed.
  virtual bool makes_new_interpolation() const = 0;
};

}  // namespace tessera::amg
