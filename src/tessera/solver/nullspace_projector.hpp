// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The projection that takes a nullspace out of a vector.
/// A nullspace that was given is checked first.
#pragma once

#include "tessera/kernels/vector/basis_ops.hpp"
#include "tessera/operator/linear_operator.hpp"
#include "tessera/solver/component_projector.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// Holds orthonormal vectors N and applies v = v - N (N^T v). They are dense, or have a connected
/// component each.
template <class Scalar, class Space>
class NullspaceProjector {
 public:
  /// Projects nothing.
  NullspaceProjector() = default;
  /// Copies `vectors` (n by q) and makes them orthonormal by Gram-Schmidt, applied twice; vectors
  /// that depend on those before drop out. Waits for the device.
  NullspaceProjector(const Space& exec, const ConstMultiVectorView<Scalar, Space>& vectors);
  /// The constant vector of length n.
  static NullspaceProjector constant(const Space& exec, Ordinal n);
  /// A vector for each component.
  explicit NullspaceProjector(ComponentProjector<Scalar, Space> components)
      : m_components(std::move(components)) {}

  bool empty() const { return m_vectors.extent(1) == 0 && m_components.empty(); }
  Ordinal num_rows() const {
    return m_components.empty() ? static_cast<Ordinal>(m_vectors.extent(0))
                                : m_components.num_rows();
  }
  /// The dense ones; n by 0 or nothing where they are of components.
  ConstMultiVectorView<Scalar, Space> vectors() const { return m_vectors; }

  /// Makes room for k right-hand sides at once.
  void prepare(const Space& exec, int k);
  /// v = v - N (N^T v), column by column. v: n by k.
  void apply(const Space& exec, const MultiVectorView<Scalar, Space>& v) const;

 private:
  void orthonormalise(const Space& exec);

  MultiVector<Scalar, Space> m_vectors;
  ComponentProjector<Scalar, Space> m_components;
  MultiVector<double, Space> m_products;
  kernels::ReductionWorkspace<Space> m_workspace;
};

/// ||A v|| over ||A u|| for each column v of `vectors` (n by q), A being n by n and u being v with
/// signs of no pattern, so that ||A u|| is about the root of the sum of a_ij^2 v_j^2, whatever the
/// magnitude of A. 0 for columns of zeros and for what is not finite, which is a solve's to report.
/// Two products with A, and two waits.
template <class Scalar, class Space>
std::vector<double> relative_images(const Space& exec, const LinearOperator<Scalar, Space>& A,
                                    const ConstMultiVectorView<Scalar, Space>& vectors);

/// Up to which relative image A annihilates a vector to round-off.
template <class Scalar>
inline constexpr double annihilated_image = 1000 * std::numeric_limits<Scalar>::epsilon();

/// Throws `Error` of kind `configuration` where one of the relative images of vectors is more than
/// `most`. `name` says in the text what was given.
void require_small_images(const std::vector<double>& images, double most, const std::string& name);

/// The same where A does not annihilate a column of `vectors` to round-off.
template <class Scalar, class Space>
void require_annihilated(const Space& exec, const LinearOperator<Scalar, Space>& A,
                         const ConstMultiVectorView<Scalar, Space>& vectors,
                         const std::string& name);

}  // namespace tessera
