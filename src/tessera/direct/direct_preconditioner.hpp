// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse direct solve as a preconditioner.
#pragma once

#include "tessera/direct/sparse_direct.hpp"
#include "tessera/operator/linear_operator.hpp"

#include <memory>
#include <vector>

namespace tessera::direct {

/// z = A^-1 r by factors on the host, column by column, in double. On a device each application
/// copies r to the host and z back, and waits for both.
template <class Scalar, class Space>
class DirectPreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  /// `factors` were made, and may be made again between applications.
  explicit DirectPreconditioner(std::shared_ptr<const SparseDirect> factors);

  void prepare(const Space& exec, int k) override;
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override;

 private:
  std::shared_ptr<const SparseDirect> m_factors;
  std::vector<double> m_column;
};

}  // namespace tessera::direct
