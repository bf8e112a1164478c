// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The projection that takes dense vectors out of others, over several processes.
#pragma once

#include "tessera/distributed/device_sums.hpp"
#include "tessera/distributed/inner_products.hpp"
#include "tessera/distributed/nullspace_projector.hpp"

#include <memory>

namespace tessera::distributed {

/// With a communicator that is reproducible, inner products are exact sums.
template <class Space>
class VectorProjector : public NullspaceProjector<Space> {
 public:
  using typename NullspaceProjector<Space>::Vectors;
  using ConstVectors = ConstMultiVectorView<double, Space>;

  /// Copies `vectors`, this process's rows by q, and makes them orthonormal by Gram-Schmidt,
  /// applied twice; vectors that depend on those before drop out. Waits. Collective.
  VectorProjector(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                  const ConstVectors& vectors);
  /// The constant, with so many rows on this process. Collective.
  static std::unique_ptr<VectorProjector> constant(
      const Space& exec, const std::shared_ptr<const Communicator>& processes, Ordinal num_rows);

  ConstVectors vectors() const { return m_vectors; }

  void prepare(const Space& exec, std::size_t k) override;
  void apply(const Space& exec, const Vectors& v) override;

 private:
  void orthonormalise(const Space& exec);
  /// N^T v of all processes, q by k.
  void multiply(const Space& exec, const Vectors& v, const MultiVectorView<double, Space>& result);

  std::shared_ptr<const Communicator> m_processes;
  MultiVector<double, Space> m_vectors;
  InnerProducts<Space> m_products;  ///< of one column with another one
  DeviceSums<Space> m_sums;
  kernels::ReductionWorkspace<Space> m_workspace;
  Array<double, Space> m_numbers;  ///< N^T v
  kernels::Report<double, Space> m_report;  ///< the same where the sums are exact
  std::size_t m_columns = 0;
};

}  // namespace tessera::distributed
