// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Inner products that K-cycles take of a level over several processes.
#pragma once

#include "tessera/amg/cycle/level_products.hpp"
#include "tessera/distributed/device_sums.hpp"
#include "tessera/distributed/exact_products.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tessera::distributed {

/// Over the processes of the level, whose sums are exact where these are reproducible.
template <class Scalar, class Space>
class ProductsOfLevel : public amg::LevelProducts<Scalar, Space> {
 public:
  using typename amg::LevelProducts<Scalar, Space>::ConstVectors;

  /// Of vectors with `num_rows` on this process.
  ProductsOfLevel(std::shared_ptr<const Communicator> processes, std::size_t num_rows);

  void prepare(const Space& exec, int k, int count) override;
  /// Collective.
  void multiply(const Space& exec, const ConstVectors& x, std::span<const ConstVectors> others,
                const ArrayView<double, Space>& result) override;

 private:
  void multiply_exactly(const Space& exec, const ConstVectors& x,
                        std::span<const ConstVectors> others,
                        const ArrayView<double, Space>& result);

  std::shared_ptr<const Communicator> m_processes;
  std::size_t m_num_rows;
  DeviceSums<Space> m_sums;
  kernels::ReductionWorkspace<Space> m_workspace;
  ExactProducts<Scalar, Space> m_exact;
  std::vector<std::int64_t> m_words;
  kernels::Report<double, Space> m_report;
};

}  // namespace tessera::distributed
