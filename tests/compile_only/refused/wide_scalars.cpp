// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products by their definitions, for a scalar that their sums would be rounded to float for.
#include "tessera/kernels/spmv/csr/csr_products_impl.hpp"

using Space = Kokkos::DefaultHostExecutionSpace;
using Vectors = tessera::MultiVectorView<long double, Space>;
using Rows = tessera::kernels::CsrView<long double, Space, std::int32_t>;

void multiply(const Space& exec, const tessera::kernels::CsrSpmvPlan<Space>& plan, const Rows& A,
              const Vectors& x, const Vectors& y) {
  tessera::kernels::spmv(exec, plan, 1.0L, A, x, 0.0L, y);  // refused: vectors of products are
}
