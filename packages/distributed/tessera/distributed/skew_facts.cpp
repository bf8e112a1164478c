// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/skew_facts.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/skew_share.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spmv/products.hpp"

#include <span>

namespace tessera::distributed {

template <class Space>
void add_skew_facts(const Space& exec, const Matrix<Space>& A, MatrixFacts& facts) {
  const Communicator& processes = *A.processes;
  const Ordinal rows = A.rows.num_rows;
  MatrixFacts own;
  on_all_processes(processes, [&] {
    if (rows == 0) return;
    const LocalRows<Space> block = own_block(exec, A);
    own = inspect(exec, block.view(), kernels::analyse_spmv(exec, block.view()));
  });
  // A block that happens to be symmetric says nothing of full blocks.
  const bool is_skew = rows > 0 && !own.symmetric;
  double sums[] = {is_skew ? static_cast<double>(rows) : 0.0, rows * own.same_unknown_share};
  processes.sum(std::span<double>(sums));
  const double blocks = own.full_blocks;
  double range[] = {is_skew ? blocks : 0.0, is_skew ? -blocks : -1e9};
  processes.maximum(range);
  facts.on_host = kernels::is_host_space<Space>;
  facts.skew_share = skew_share(exec, A);
  const bool agree = range[0] > 0 && range[0] == -range[1];
  facts.full_blocks = agree ? static_cast<int>(range[0]) : 1;
  facts.same_unknown_share = sums[0] > 0 ? sums[1] / sums[0] : 0;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, add_skew_facts)

}  // namespace tessera::distributed
