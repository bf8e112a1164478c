// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsening by reduction of one level that is distributed over processes.
#pragma once

#include "tessera/amg/coarsening/ideal_restriction.hpp"
#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/fine_inverse.hpp"
#include "tessera/distributed/transposition.hpp"

namespace tessera::distributed {

/// amg::ReductionCoarsening of one unknown per node. Points, and what of R and of the coarse
/// operator is dropped, are those of one process, whatever the number of processes; M, R and the
/// operator are but for rounding. With new values points stay coarse or fine, and entries kept or
/// dropped, and the polynomial is that of the new values.
template <class Space>
class ReductionCoarsening : public Coarsening<Space> {
 public:
  using typename Coarsening<Space>::Rows;
  using typename Coarsening<Space>::Vectors;

  explicit ReductionCoarsening(const amg::ReductionParameters& parameters)
      : m_parameters(parameters) {}

  /// Coarse points; `vectors` become a constant.
  Ordinal choose(const Space& exec, const Communicator& processes, const LevelRows<Space>& fine,
                 Vectors& vectors, std::optional<kernels::Box>& box) override;
  CoarsePoints<Space> coarse_points(const Space& /*exec*/) const override {
    return m_coarse.of_own();
  }
  /// Finds the patterns of what relaxes, too.
  bool allows_restriction(const Space& exec, const LevelRows<Space>& fine,
                          const amg::CoarseningLimits& limits) override;
  bool allows_product(const Space& exec, const LevelRows<Space>& fine,
                      const amg::CoarseningLimits& limits) const override;
  const FineRelaxation<Space>& make_relaxation(const Space& exec, const LevelRows<Space>& fine,
                                               const LevelValues<Space>& values) override;
  const FineRelaxation<Space>& remake_relaxation(const Space& exec, const LevelRows<Space>& fine,
                                                 const LevelValues<Space>& values) override;
  const Rows& make_prolongator(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine,
                               const LevelValues<Space>& values) override;
  const Rows& make_restriction(const Space& exec, const Communicator& processes,
                               const LevelRows<Space>& fine,
                               const LevelValues<Space>& values) override;
  /// Of R; P has ones.
  void remake_transfers(const Space& exec, const Communicator& processes,
                        const LevelRows<Space>& fine, const LevelValues<Space>& values) override;

  const Rows& prolongator() const override { return m_P; }
  const Rows& restriction() const override { return m_transposition.matrix().rows; }
  const ColumnNumbers<Space>& columns() const override { return m_columns; }
  const ColumnNumbers<Space>& columns_of_restriction() const override { return m_columns_of_R; }
  bool has_restriction() const override { return true; }
  amg::DroppedEntries drops() const override {
    return {m_parameters.operator_drop, m_parameters.lump_dropped};
  }
  void release() override;

 private:
  Rows placed(const Space& exec, const LevelRows<Space>& fine) const;
  /// Own rows of M, whose columns are `columns`'s.
  Rows inverted(const Space& exec, const LevelRows<Space>& fine, const LevelValues<Space>& values,
                ColumnNumbers<Space>& columns);

  amg::ReductionParameters m_parameters;
  LevelPoints<Space> m_points;
  CoarseNumbers<Space> m_coarse;
  std::shared_ptr<const Partition> m_coarse_shares;
  FineInverse<Space> m_inverse;
  FineRelaxation<Space> m_relaxation;
  Rows m_P;
  ColumnNumbers<Space> m_columns;
  amg::IdealRestriction<double, Space, std::int64_t> m_restriction;
  Rows m_all_R;  ///< and rows of others' coarse points, which have no meaning
  Matrix<Space> m_R;  ///< own rows of it, in the same array of values
  Transposition<Space> m_transposition;  ///< of R
  ColumnNumbers<Space> m_columns_of_R;
};

}  // namespace tessera::distributed
