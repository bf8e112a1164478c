// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The near-nullspace vectors of the level that is coarsened.
#pragma once

#include "tessera/amg/coarsening/nodes.hpp"

namespace tessera::amg {

/// The user's vectors or, where none were given, a unit vector for each unknown of a node, which
/// is a column of ones where it has one.
template <class Scalar, class Space>
class NearNullspace {
 public:
  NearNullspace(const Space& exec, Ordinal n, const ConstMultiVectorView<Scalar, Space>& given,
                int block_size) {
    if (given.extent(0) == static_cast<std::size_t>(n) && given.extent(1) > 0) {
      m_given = given;
    } else {
      m_vectors = unit_vectors<Scalar, Space>(exec, {block_size, n / block_size});
    }
  }

  void replace(const MultiVector<Scalar, Space>& coarse) {
    m_vectors = coarse;
    m_given = {};
  }

  ConstMultiVectorView<Scalar, Space> view() const {
    if (m_given.extent(1) > 0) return m_given;
    return m_vectors;
  }
  MultiVector<Scalar, Space> copy(const Space& exec) const {
    const auto copied = allocate_multivector<Scalar>(exec, "tessera::amg::near_nullspace",
                                                     view().extent(0), view().extent(1));
    Kokkos::deep_copy(exec, copied, view());
    return copied;
  }
  /// What lives on beside them: a copy of what was given, a share in all else.
  MultiVector<Scalar, Space> kept(const Space& exec) const {
    return m_given.extent(1) > 0 ? copy(exec) : m_vectors;
  }
  std::size_t count() const { return view().extent(1); }

 private:
  ConstMultiVectorView<Scalar, Space> m_given;
  MultiVector<Scalar, Space> m_vectors;
};

}  // namespace tessera::amg
