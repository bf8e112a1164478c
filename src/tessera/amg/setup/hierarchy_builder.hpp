// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The setup of a hierarchy from a matrix in compressed rows, and for new values of it.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/finest_extras.hpp"
#include "tessera/amg/setup/setup_level.hpp"
#include "tessera/kernels/execution/host_space.hpp"

#include <vector>

namespace tessera::amg {

/// Whether a setup in that space has a pool: a host's allocator has one already.
template <class Space>
bool pools_memory(const Parameters& p) {
  return p.pool_memory && !kernels::is_host_space<Space>;
}

/// Repeats the setup of a hierarchy for new values of the same pattern.
template <class Scalar, class Space>
class HierarchyUpdate {
 public:
  virtual ~HierarchyUpdate() = default;

  /// Makes `hierarchy`, which this one built, again for the values that the finest matrix has by
  /// now. `keeps_interpolation`: P and R stay as they are. False where a NaN or an infinity
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
      : m_setup(parameters, keeps_pattern) {}

  /// Arguments as those of Multigrid::try_setup. False where a number is not finite; the hierarchy
  /// is as far as it got.
  [[nodiscard]] bool build_hierarchy(const Space& exec, const Csr& A,
                                     const ConstMultiVectorView<Scalar, Space>& near_nullspace,
                                     int block_size, const std::vector<int>& nullspace,
                                     Hierarchy<Scalar, Space>& hierarchy,
                                     const FinestExtras<Scalar, Space>& extras = {});
  [[nodiscard]] bool update(const Space& exec, bool keeps_interpolation,
                            Hierarchy<Scalar, Space>& hierarchy) override;
  /// Of the operators that were built, by the parameters or by what was found.
  bool is_symmetric() const { return m_setup.symmetric; }

 private:
  /// Times, sizes and notes of the whole.
  void complete(const Space& exec, PhaseTimer<Space>& timer, HierarchyInfo& info);

  HierarchySetup<Scalar, Space, Offset> m_setup;
  std::size_t m_num_level_notes = 0;  ///< at the end of the hierarchy's notes
};

}  // namespace tessera::amg
