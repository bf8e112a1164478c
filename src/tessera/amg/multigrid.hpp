// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Algebraic multigrid: a hierarchy and its cycle.
#pragma once

#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/finest_extras.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

#include <memory>
#include <vector>

namespace tessera::amg {

template <class Scalar, class Space>
class HierarchyUpdate;

/// Multigrid by aggregation as in Bell, Dalton & Olson, SIAM J. Sci. Comput. 34 (2012), every step
/// on the device. One application is one cycle from the guess zero.
template <class Scalar, class Space>
class Multigrid : public Preconditioner<Scalar, Space> {
 public:
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;

  /// @throws Error of kind `configuration` where a parameter is out of its range.
  explicit Multigrid(Parameters parameters = {});
  /// These are written out of the class: HIP takes an implicit destructor for one of the device
  /// too, and there the levels have none.
  Multigrid(Multigrid&& other) noexcept;
  Multigrid& operator=(Multigrid&& other) noexcept;
  ~Multigrid() override;

  /// Builds the hierarchy of `A` (n by n, pattern and values symmetric for a symmetric cycle).
  /// Where `parameters.symmetry` leaves open whether it is symmetric, two products with it decide.
  /// `near_nullspace`: n by m near-nullspace vectors, m <= 10; no columns stand for a unit vector
  /// for each unknown of a node.
  /// `block_size`: unknowns per node, row `i` belonging to node `i / block_size`. `nullspace`:
  /// the near-nullspace vectors, by column, of which a symmetric A makes zero; the inverse of the
  /// coarsest matrix leaves them out. `A`'s arrays are shared, not copied: values that change while
  /// the hierarchy is kept would no longer fit to the rest of it. Give it a copy then, as `Solver`
  /// does, and call `update`.
  /// @throws Error where A is not square, or n is not a multiple of the block size, or the
  ///         near-nullspace vectors' length is not n, or they are more than 10; of kind `bad_input`
  ///         where a near-nullspace vector is all zeros or holds a NaN or an infinity, or one
  ///         appears in the hierarchy; `OffsetOverflow` where an `Offset` does not count the
  ///         entries of one of its matrices.
  template <class Offset>
  void setup(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
             const NonDeduced<ConstVectors>& near_nullspace = {}, int block_size = 1,
             const std::vector<int>& nullspace = {});

  /// The same; false, and nothing is set up, where a NaN or an infinity appears in the hierarchy.
  template <class Offset>
  [[nodiscard]] bool try_setup(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                               const NonDeduced<ConstVectors>& near_nullspace = {},
                               int block_size = 1, const std::vector<int>& nullspace = {},
                               const FinestExtras<Scalar, Space>& extras = {});

  /// Makes the hierarchy's values again for those that the arrays given to `setup` hold by now, or
  /// that `extras.write_values` writes, as `parameters.reuse` says. False, and nothing is set up,
  /// where a NaN or an infinity appears.
  /// @throws Error where `parameters.reuse` is `none`, which keeps nothing for it, or before setup.
  [[nodiscard]] bool try_update(const Space& exec);

  /// Allocates the work vectors for `k` right-hand sides.
  void prepare(const Space& exec, int k) override;

  /// z = one cycle for A z = r from the guess zero; z and r do not overlap.
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override;

  const Parameters& parameters() const { return m_parameters; }
  const std::vector<Level<Scalar, Space>>& levels() const { return m_hierarchy->levels; }
  const Hierarchy<Scalar, Space>& hierarchy() const { return *m_hierarchy; }
  const HierarchyInfo& info() const { return m_hierarchy->info; }
  double setup_ms() const { return m_hierarchy->info.setup_ms; }

 private:
  bool finish_setup(bool finite);

  Parameters m_parameters;
  std::unique_ptr<Hierarchy<Scalar, Space>> m_hierarchy;
  std::unique_ptr<HierarchyUpdate<Scalar, Space>> m_update;  ///< where something is reused
  bool m_symmetric = false;
  std::shared_ptr<Preconditioner<Scalar, Space>> m_cycle;
  int m_prepared_columns = 0;
};

}  // namespace tessera::amg
