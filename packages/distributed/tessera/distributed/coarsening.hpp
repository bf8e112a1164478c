// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The way from one level that is distributed over processes to the next.
#pragma once

#include "tessera/amg/coarsening/coarsening_limits.hpp"
#include "tessera/amg/coarsening/galerkin_product.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/distributed/fine_relaxation.hpp"
#include "tessera/distributed/galerkin_product.hpp"
#include "tessera/kernels/graph/structured.hpp"

#include "tessera/distributed/communicator.hpp"

#include <memory>
#include <optional>

namespace tessera::distributed {

/// Of a threshold of strength: couplings that are as strong but for rounding are weak. Sums of
/// coarse entries are in an order that depends on the shares, and grids have ties.
inline constexpr double above_rounding = 1 + 1e-10;

/// What new values of the level bring with them.
template <class Space>
struct LevelValues {
  Array<double, Space> inverse_diagonal;
  double spectral_radius = 1;  ///< of D^-1 A
};

/// kernels::longest_ordinary_row, by the rows and entries of all processes. Collective.
template <class Space>
std::size_t longest_ordinary_row(const Communicator& processes, const LocalRows<Space>& A);

/// The way from one level to the next, found once and made again for new values: what is chosen of
/// the coarse unknowns and the prolongator are the derived class's, the Galerkin product
/// (`GalerkinProduct`) is everybody's.
template <class Space>
class Coarsening {
 public:
  using Rows = typename LevelRows<Space>::Rows;
  using Vectors = MultiVector<double, Space>;

  virtual ~Coarsening() = default;

  /// Finds the coarse unknowns, and returns how many this process has. `vectors`, this process's
  /// part of the near-nullspace, become the coarse ones; `box`, the one that the level's unknowns
  /// fill where they do, that of the coarse ones. Collective.
  virtual Ordinal choose(const Space& exec, const Communicator& processes,
                         const LevelRows<Space>& fine, Vectors& vectors,
                         std::optional<kernels::Box>& box) = 0;
  /// Of this process's coarse unknowns, once they are chosen.
  virtual Functions<Space> functions() const { return std::nullopt; }
  /// By own row of a level whose points are split: below 0 for fine ones. Once they are chosen, and
  /// before P.
  virtual CoarsePoints<Space> coarse_points(const Space& /*exec*/) const { return std::nullopt; }
  /// Whether what relaxes the level and R, and then R A P, are no more work than `limits` allow, as
  /// on one process; else notes it. Before what relaxes, and after R. Collective.
  virtual bool allows_restriction(const Space& /*exec*/, const LevelRows<Space>& /*fine*/,
                                  const amg::CoarseningLimits& /*limits*/) {
    return true;
  }
  virtual bool allows_product(const Space& /*exec*/, const LevelRows<Space>& /*fine*/,
                              const amg::CoarseningLimits& /*limits*/) const {
    return true;
  }
  /// What relaxes the level in place of a smoother; it comes before P. Without a share where the
  /// level has a smoother. Collective.
  virtual const FineRelaxation<Space>& make_relaxation(const Space& /*exec*/,
                                                       const LevelRows<Space>& /*fine*/,
                                                       const LevelValues<Space>& /*values*/) {
    return m_no_relaxation;
  }
  /// The values again, before those of P and R. Collective.
  virtual const FineRelaxation<Space>& remake_relaxation(const Space& /*exec*/,
                                                         const LevelRows<Space>& /*fine*/,
                                                         const LevelValues<Space>& /*values*/) {
    return m_no_relaxation;
  }
  /// P, its columns by `columns()`. Collective.
  virtual const Rows& make_prolongator(const Space& exec, const Communicator& processes,
                                       const LevelRows<Space>& fine,
                                       const LevelValues<Space>& values) = 0;
  /// R^T, its columns by `columns_of_restriction()`, where `has_restriction`. Collective.
  virtual const Rows& make_restriction(const Space& /*exec*/, const Communicator& /*processes*/,
                                       const LevelRows<Space>& /*fine*/,
                                       const LevelValues<Space>& /*values*/) {
    return prolongator();
  }
  /// The values of P and R again, in the patterns of before. Collective.
  virtual void remake_transfers(const Space& exec, const Communicator& processes,
                                const LevelRows<Space>& fine, const LevelValues<Space>& values) = 0;

  virtual const Rows& prolongator() const = 0;
  /// R^T, which is P where that restricts.
  virtual const Rows& restriction() const { return prolongator(); }
  virtual const ColumnNumbers<Space>& columns() const = 0;
  virtual const ColumnNumbers<Space>& columns_of_restriction() const { return columns(); }
  /// False where P's transpose restricts.
  virtual bool has_restriction() const { return false; }
  /// What the coarse operator goes without.
  virtual amg::DroppedEntries drops() const { return {}; }
  /// Frees what only new values ask for again, but for patterns.
  virtual void release() {}
  /// Whether levels are to bring their transpose.
  virtual bool reads_transpose() const { return false; }

  /// R A P in rows of this process's coarse unknowns. `R`: the transpose of this process's rows of
  /// R^T; `coarse`: backward along the importer of R^T, which is P's where there is no R of its
  /// own. Collective.
  const Rows& make_product(const Space& exec, const Communicator& processes,
                           const LevelRows<Space>& fine, const Rows& R,
                           const RowExchange<Space>& coarse);
  const Rows& remake_product(const Space& exec, const LevelRows<Space>& fine, const Rows& R,
                             bool new_P);
  const GalerkinProduct<Space>& product() const { return m_product; }

 private:
  GalerkinProduct<Space> m_product;
  FineRelaxation<Space> m_no_relaxation;
};

/// The one of the level at `depth`, 0 the finest: nothing of it is left open
/// (`amg::coarsening_of_level`).
template <class Space>
std::unique_ptr<Coarsening<Space>> make_coarsening(const amg::LevelCoarsening& of_level,
                                                   bool symmetric, int depth);

}  // namespace tessera::distributed
