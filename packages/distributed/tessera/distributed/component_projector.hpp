// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The projection that takes the constant of each of many components out of vectors over several
/// processes.
#pragma once

#include "tessera/distributed/component_nullspace.hpp"
#include "tessera/distributed/device_sums.hpp"
#include "tessera/distributed/exact_sum.hpp"
#include "tessera/distributed/nullspace_projector.hpp"
#include "tessera/kernels/vector/component_ops.hpp"

#include <memory>
#include <vector>

namespace tessera::distributed {

/// One sum for each component of which several processes have rows goes over all of them; the
/// others are summed where they are. With a communicator that is reproducible, sums are exact.
template <class Space>
class ComponentProjector : public NullspaceProjector<Space> {
 public:
  using typename NullspaceProjector<Space>::Vectors;

  /// Collective.
  ComponentProjector(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                     const ComponentNullspace& nullspace);

  void prepare(const Space& exec, std::size_t k) override;
  void apply(const Space& exec, const Vectors& v) override;

 private:
  /// Components, each with its rows here in runs.
  struct Group {
    Array<Ordinal, Space> rows;
    Array<int, Space> component;
    Array<Ordinal, Space> run_start;
    Array<Ordinal, Space> first_run;
    std::vector<Ordinal> first_run_here;  ///< the same on the host
    MultiVector<double, Space> partials;
    Array<double, Space> products;  ///< by component, column after column

    std::size_t num_components() const { return first_run_here.size() - 1; }
    kernels::ComponentRows<Space> where() const { return {rows, component, run_start, first_run}; }
  };

  /// Of the components from `begin` up to `end`.
  Group group_of(const Space& exec, const ComponentNullspace& nullspace, int begin, int end) const;
  void prepare(const Space& exec, std::size_t k, Group& group) const;
  void apply(const Space& exec, const Vectors& v, Group& group, bool is_shared);
  void multiply_exactly(const Space& exec, const Vectors& v, const Group& group, bool is_shared);

  std::shared_ptr<const Communicator> m_processes;
  DeviceSums<Space> m_sums;
  Array<double, Space> m_weight;  ///< by own row, of unit length on each component
  Group m_shared, m_own;
  Kokkos::View<ExactSum*, Space> m_exact;  ///< by run
  kernels::Report<double, Space> m_report;
  std::size_t m_columns = 0;
};

}  // namespace tessera::distributed
