// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The setup of a hierarchy from a matrix in compressed rows: Algorithm 1 of the Cusp paper.
#pragma once

#include "tessera/amg/coarsening.hpp"
#include "tessera/amg/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"

#include <memory>
#include <vector>

namespace tessera::amg {

/// Repeats the setup of a hierarchy for new values of the same pattern.
template <class Scalar, class Space>
class HierarchyUpdate {
 public:
  virtual ~HierarchyUpdate() = default;

  /// Makes `hierarchy`, which this one built, anew for the values that the finest matrix's arrays
  /// hold by now. `keeps_interpolation`: P and R stay as they are. False where a NaN or an infinity
  /// appears; the hierarchy is of no use then.
  [[nodiscard]] virtual bool update(const Space& exec, bool keeps_interpolation,
                                    Hierarchy<Scalar, Space>& hierarchy) = 0;
};

/// Builds a hierarchy and, where `keeps_pattern`, keeps the matrices in compressed rows and what
/// was found of their patterns, for `update`.
template <class Scalar, class Space, class Offset>
class HierarchyBuilder : public HierarchyUpdate<Scalar, Space> {
 public:
  using Csr = kernels::Csr<Scalar, Space, Offset>;

  HierarchyBuilder(const Parameters& parameters, bool keeps_pattern)
      : m_parameters(parameters), m_keeps_pattern(keeps_pattern) {}

  /// Arguments as those of Multigrid::setup. False where a number is not finite; the hierarchy is
  /// as far as it got.
  [[nodiscard]] bool build(const Space& exec, const Csr& A,
                           const ConstMultiVectorView<Scalar, Space>& candidates, int block_size,
                           const std::vector<int>& nullspace, Hierarchy<Scalar, Space>& hierarchy);
  [[nodiscard]] bool update(const Space& exec, bool keeps_interpolation,
                            Hierarchy<Scalar, Space>& hierarchy) override;
  /// Of the operators that were built, by the parameters or by what was found.
  bool is_symmetric() const { return m_symmetric; }

 private:
  using Fine = FineLevel<Scalar, Space, Offset>;
  using Coarse = CoarseLevel<Scalar, Space, Offset>;
  using StoredA = StoredCsr<Scalar, Space, Offset>;

  /// A level as setup has it, and the way from it to the next.
  struct SetupLevel {
    Fine fine;
    LevelParameters chosen;
    std::unique_ptr<Coarsening<Scalar, Space, Offset>> coarsening;
    Coarse coarse;
    bool converts = false;  ///< `fine.tiles` are made from `fine.A`, not by a product
    std::shared_ptr<const StoredA> P;  ///< with the plans of their products
    std::shared_ptr<const StoredA> R;
  };

  /// The diagonal's inverse and the spectral radius. False where the radius is not finite: the
  /// level holds a NaN, an infinity, or values whose products overflow.
  bool prepare(const Space& exec, Fine& fine, PhaseTimer<Space>& timer) const;
  /// Decides on tiles, and makes those of A where no product has.
  void choose_products(const Space& exec, SetupLevel& here, PhaseTimer<Space>& timer);
  /// Says so where a product could not be made of tiles.
  void note_products(const SetupLevel& here);
  bool wants_tiles(const Space& exec, const SetupLevel& here) const;
  void convert_to_tiles(const Space& exec, Fine& fine) const;
  /// What the user chose for a level.
  LevelParameters choices(const Fine& fine, std::size_t depth) const;
  /// The level's operator, and its smoother where it has one.
  void finish(const Space& exec, const SetupLevel& here, bool relaxes, Level<Scalar, Space>& level,
              PhaseTimer<Space>& timer);
  /// Plans the products of the level's P and R, and returns the next level's operator with its own,
  /// and on tiles, if a product made them.
  Fine plan_products(const Space& exec, SetupLevel& here, int block_size, PhaseTimer<Space>& timer);
  /// Plans those of a level's P and R that the cycle reads in compressed rows though the coarse
  /// operator was made of tiles.
  void plan_beside_tiles(const Space& exec, SetupLevel& here);
  /// The level's P and R.
  void connect(const Space& exec, SetupLevel& here, Level<Scalar, Space>& level,
               PhaseTimer<Space>& timer);
  /// A, of which there may be tiles, in the format and the scalar that were chosen; says so where
  /// it is in another.
  std::shared_ptr<const SparseOperator<Scalar, Space>> stored(
      const Space& exec, const std::shared_ptr<const StoredA>& A,
      const kernels::Mbsr<Scalar, Space>* tiles, const char* name,
      const StorageParameters& storage);
  bool solve_coarsest(const Space& exec, Hierarchy<Scalar, Space>& hierarchy,
                      PhaseTimer<Space>& timer);
  double estimate_spectral_radius(const Space& exec, const Fine& fine) const;

  Parameters m_parameters;
  bool m_keeps_pattern;
  bool m_symmetric = false;
  std::vector<SetupLevel> m_levels;
  std::vector<std::string> m_storage_notes;  ///< of choices that could not be had
  MultiVector<Scalar, Space> m_coarsest_candidates;
  std::vector<int> m_nullspace;
};

}  // namespace tessera::amg
