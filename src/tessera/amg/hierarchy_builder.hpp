// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The setup of a hierarchy from a matrix in compressed rows: Algorithm 1 of the Cusp paper.
#pragma once

#include "tessera/amg/coarsening.hpp"
#include "tessera/amg/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"

#include <memory>
#include <optional>
#include <string>
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
  template <class OtherScalar, class OtherSpace, class OtherOffset>
  friend class HierarchyBuilder;
  /// Builds the levels in float.
  using Tail = HierarchyBuilder<float, Space, Offset>;

  using Fine = FineLevel<Scalar, Space, Offset>;
  using Coarse = CoarseLevel<Scalar, Space, Offset>;
  using StoredA = StoredCsr<Scalar, Space, Offset>;

  /// A level as setup has it, and the way from it to the next.
  struct SetupLevel {
    Fine fine;
    int number = 0;
    LevelParameters chosen;
    std::unique_ptr<Coarsening<Scalar, Space, Offset>> coarsening;
    Coarse coarse;
    std::shared_ptr<const StoredA> P;  ///< with the plans of their products
    std::shared_ptr<const StoredA> R;
    int restriction_exponent = 0;  ///< R, and with it the coarse operator, is scaled by 2 to this
  };

  /// Makes all levels from `fine` down, of the number `m_first_level` on, and the coarsest one's
  /// solver. False where a number is not finite.
  bool descend(const Space& exec, const Fine& fine, Candidates<Scalar, Space>& B,
               CoarseningState& state, PhaseTimer<Space>& timer,
               Hierarchy<Scalar, Space>& hierarchy);
  /// Makes the levels from the last one of `m_levels` down in float, the first of them as `chosen`
  /// where that was asked for already. False, and a note, where float does not hold them.
  bool descend_in_float(const Space& exec, const std::optional<LevelParameters>& chosen,
                        const Candidates<Scalar, Space>& B, const CoarseningState& state,
                        PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy);
  /// `update` but for what is said of the whole.
  bool refresh(const Space& exec, bool keeps_interpolation, PhaseTimer<Space>& timer,
               Hierarchy<Scalar, Space>& hierarchy);
  /// Whether `chosen` has the level's vectors in float where those above are in double.
  bool narrows(const LevelParameters& chosen) const;
  /// Times, sizes and notes of the whole.
  void complete(const Space& exec, PhaseTimer<Space>& timer, HierarchyInfo& info) const;

  /// The diagonal's inverse and the spectral radius. False where the radius is not finite: the
  /// level holds a NaN, an infinity, or values whose products overflow.
  bool prepare(const Space& exec, Fine& fine, PhaseTimer<Space>& timer) const;
  /// What the user's list chooses for a level, and what the callback makes of that.
  LevelParameters listed(std::size_t depth) const;
  LevelParameters choices(const Fine& fine, std::size_t depth) const;
  /// Scales R and the coarse operator where the latter would leave half's range.
  void scale_restriction(const Space& exec, SetupLevel& here);
  void unscale_restriction(const Space& exec, SetupLevel& here);
  /// The level's operator, and its smoother where it has one.
  void finish(const Space& exec, const SetupLevel& here, bool relaxes, Level<Scalar, Space>& level,
              PhaseTimer<Space>& timer);
  /// The level's P and R.
  void connect(const Space& exec, SetupLevel& here, Level<Scalar, Space>& level,
               PhaseTimer<Space>& timer);
  /// Replaces what is left to be picked of the level's storage where rounding would cost
  /// iterations.
  void pick_storage(const Space& exec, const Candidates<Scalar, Space>& B, SetupLevel& here) const;
  /// Keeps what there is to say of a matrix that is stored in another scalar than asked for.
  void note_storage(const char* name, int level, const std::string& note);
  bool solve_coarsest(const Space& exec, Hierarchy<Scalar, Space>& hierarchy,
                      PhaseTimer<Space>& timer);
  double estimate_spectral_radius(const Space& exec, const Fine& fine) const;

  Parameters m_parameters;
  bool m_keeps_pattern;
  bool m_symmetric = false;
  int m_first_level = 0;
  std::optional<LevelParameters> m_first_choice;  ///< for that level, where it is made already
  std::unique_ptr<Tail> m_tail;
  std::vector<SetupLevel> m_levels;
  std::vector<std::string> m_storage_notes;  ///< of choices that could not be had, and remedies
  MultiVector<Scalar, Space> m_coarsest_candidates;
  std::vector<int> m_nullspace;
};

}  // namespace tessera::amg
