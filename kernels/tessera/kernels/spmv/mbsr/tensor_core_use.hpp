// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which products with tiles go to tensor cores.
#pragma once

namespace tessera {

/// What `analyse_spmv` of a matrix of tiles may plan.
enum class TensorCoreUse {
  automatic,  ///< several vectors, where tensor cores were measured to be the faster
  on,  ///< every product, where `has_tensor_core_spmv`
  off
};

namespace kernels {

template <class Space>
struct MbsrSpmvPlan;

/// While one lives, plans of tiles that its thread makes without naming a kernel use tensor cores
/// as it says; `automatic` leaves what an outer one says. For measurements and tests.
class TensorCoreScope {
 public:
  explicit TensorCoreScope(TensorCoreUse use);
  ~TensorCoreScope();
  TensorCoreScope(const TensorCoreScope&) = delete;
  TensorCoreScope& operator=(const TensorCoreScope&) = delete;

  /// Of plans that are made on this thread.
  static TensorCoreUse current();

 private:
  TensorCoreUse m_outer;
};

/// From how many vectors on products by `plan`, with sums in `Sum` (double or float), go to tensor
/// cores; 0 where they never do.
template <class Sum, class Space>
int tensor_core_columns(const MbsrSpmvPlan<Space>& plan);

}  // namespace kernels
}  // namespace tessera
