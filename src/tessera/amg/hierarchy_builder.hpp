// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The setup of a hierarchy from a matrix in compressed rows: Algorithm 1 of the Cusp paper.
#pragma once

#include "tessera/amg/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup_level.hpp"

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
  using SetupLevel = amg::SetupLevel<Scalar, Space, Offset>;

  /// Makes all levels from `fine` down, of the number `m_first_level` on, and the coarsest one's
  /// solver. False where a number is not finite.
  bool descend(const Space& exec, Fine fine, Candidates<Scalar, Space>& B, CoarseningState& state,
               PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy);
  /// Makes the levels from the last one of `m_levels` down in float, the first of them as `chosen`
  /// where that was asked for already. False, and a note, where float does not hold them.
  bool descend_in_float(const Space& exec, const std::optional<LevelParameters>& chosen,
                        const Candidates<Scalar, Space>& B, const CoarseningState& state,
                        PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy);
  /// Ends the hierarchy with its last level: relaxed there, or solved.
  bool end(const Space& exec, const Candidates<Scalar, Space>& B, bool is_relaxed_level,
           PhaseTimer<Space>& timer, Hierarchy<Scalar, Space>& hierarchy);
  /// `update` but for what is said of the whole.
  bool refresh(const Space& exec, bool keeps_interpolation, PhaseTimer<Space>& timer,
               Hierarchy<Scalar, Space>& hierarchy);
  /// The way from the level at `depth` to the next, and that one's operator, anew.
  void refresh_coarse(const Space& exec, bool keeps_interpolation, std::size_t depth,
                      Level<Scalar, Space>& level, PhaseTimer<Space>& timer);
  /// The levels in float, of the last operator in double.
  bool refresh_in_float(const Space& exec, bool keeps_interpolation, PhaseTimer<Space>& timer,
                        Hierarchy<Scalar, Space>& hierarchy);
  /// Whether `chosen` has the level's vectors in float where those above are in double.
  bool narrows(const LevelParameters& chosen) const;
  /// Times, sizes and notes of the whole.
  void complete(const Space& exec, PhaseTimer<Space>& timer, HierarchyInfo& info);
  /// Of all levels, those in float included.
  std::vector<std::string> level_notes() const;

  bool solve_coarsest(const Space& exec, Hierarchy<Scalar, Space>& hierarchy,
                      PhaseTimer<Space>& timer);

  Parameters m_parameters;
  bool m_keeps_pattern;
  bool m_symmetric = false;
  std::size_t m_finest_entries = 0;  ///< of the whole's finest operator
  int m_first_level = 0;
  std::optional<LevelParameters> m_first_choice;  ///< for that level, where it is made already
  std::unique_ptr<Tail> m_tail;
  /// Without `m_keeps_pattern` all but the last have nothing left of use for new values alone.
  std::vector<SetupLevel> m_levels;
  std::size_t m_num_level_notes = 0;  ///< at the end of the hierarchy's notes
  MultiVector<Scalar, Space> m_coarsest_candidates;
  std::vector<int> m_nullspace;
};

}  // namespace tessera::amg
