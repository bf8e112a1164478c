// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way from a level's operator to the next one's, whichever it is.
#pragma once

#include "tessera/amg/coarsening/coarsening_limits.hpp"
#include "tessera/amg/coarsening/galerkin_product.hpp"
#include "tessera/amg/coarsening/phase_timer.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <memory>
#include <optional>

namespace tessera::amg {

/// The level that is coarsened.
template <class Scalar, class Space, class Offset>
struct FineLevel {
  std::shared_ptr<const StoredCsr<Scalar, Space, Offset>> A;  ///< n by n, with the plan of A x
  Array<const Scalar, Space> inverse_diagonal;  ///< length n; 0 where the diagonal is 0
  double spectral_radius = 0;  ///< of D^-1 A
  int block_size = 1;  ///< unknowns per node, row i belonging to node i / block_size
  bool symmetric = false;  ///< the operators of all levels are
  int number = 0;  ///< 0 the finest
  std::optional<kernels::Box> box = {};  ///< as `CoarseLevel::box` of the level above
  /// As `CoarseLevel::functions` of the level above, or given; empty: one, or those of nodes.
  Array<const Ordinal, Space> functions = {};
};

/// One step of coarsening, made for one level.
///
/// To write one, derive from this class and override `initialize`: make P, call `product.make`,
/// which gives R = P^T and R A P, and return them. Without more, new values of A give a new coarse
/// operator by the P of before. A program registers one by a name (register_coarsening.hpp); it may
/// leave the product to the library then, and what it makes is checked.
template <class Scalar, class Space, class Offset>
class Coarsening {
 public:
  using Fine = FineLevel<Scalar, Space, Offset>;
  using Coarse = CoarseLevel<Scalar, Space, Offset>;
  using Product = GalerkinProduct<Scalar, Space, Offset>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;

  virtual ~Coarsening() = default;

  /// Makes P, R and the coarse operator from the pattern and the values of `fine.A`, or returns
  /// nothing where there is no coarser level. `B`: the level's near-nullspace, n by m, m >= 1.
  /// The hierarchy ends, and what is returned is not used, where it exceeds `limits`; who knows the
  /// number of coarse nodes before P can ask `limits` then, and return nothing. `timer.start`
  /// begins a phase of the setup's times.
  virtual std::optional<Coarse> initialize(const Space& exec, const Fine& fine,
                                           const ConstVectors& B, const CoarseningLimits& limits,
                                           Product& product, PhaseTimer<Space>& timer) = 0;

  /// Makes the values of `coarse`, which `initialize` made, again for new values of `fine.A` in the
  /// same pattern; where `keeps_interpolation`, those of its operator alone. Patterns stay. P and R
  /// have arrays for new values where `makes_new_interpolation`.
  virtual void compute(const Space& exec, const Fine& /*fine*/, bool /*keeps_interpolation*/,
                       Product& product, Coarse& coarse, PhaseTimer<Space>& /*timer*/) {
    product.remake(exec, false, coarse);
  }

  /// Whether `compute`, unless it keeps them, makes the values of P and R from those of A alone:
  /// those of before may then have been freed.
  virtual bool makes_new_interpolation() const { return false; }
};

}  // namespace tessera::amg
