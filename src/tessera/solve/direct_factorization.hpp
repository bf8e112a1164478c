// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sparse factors as a choice of `Solver`'s.
#pragma once

#include "tessera/direct/sparse_direct.hpp"
#include "tessera/solve/component_nullspace.hpp"

#include <memory>

namespace tessera::detail {

/// The factors of the system's matrix: ordered where they may be picked, made where they are.
template <class Scalar, class Space, class Offset>
class DirectFactorization {
 public:
  using System = LinearSystem<Scalar, Space, Offset>;

  /// What they would take, where they may be picked; null elsewhere.
  const direct::Cost* cost(const Space& exec, const System& system);
  /// The bytes that they and their copy of A take in the memory of `Space`: those of the estimate.
  double bytes(const Space& exec, const System& system);
  /// Makes them. False where there are none of finite numbers, or they do not fit.
  /// @throws Error of kind `configuration` where the user asked for them and they cannot be had, of
  ///         kind `bad_input` where A holds a NaN or an infinity.
  [[nodiscard]] bool make(const Space& exec, const System& system);
  /// The same for A's new values. False where the factors are not of the same kind any more, which
  /// the method was picked for.
  [[nodiscard]] bool update(const Space& exec, const System& system);

  /// Rules them out as a choice, for there are none of finite numbers.
  void set_failed() { m_failed = true; }
  bool failed() const { return m_failed; }

  /// Null before `make`.
  const std::shared_ptr<direct::SparseDirect>& get() const { return m_factors; }

 private:
  /// Orders A, once for each pattern and no more than the parameters allow.
  void order(const Space& exec, const System& system);

  std::shared_ptr<direct::SparseDirect> m_factors;  ///< of A, or ordered for them
  bool m_ordered = false;  ///< they are known, or known not to be possible
  bool m_failed = false;
};

}  // namespace tessera::detail
