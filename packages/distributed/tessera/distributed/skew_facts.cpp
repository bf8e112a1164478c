// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/skew_facts.hpp"

#include "tessera/distributed/full_blocks.hpp"
#include "tessera/distributed/skew_share.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::distributed {

template <class Space>
void add_block_facts(const Space& exec, const Matrix<Space>& A, MatrixFacts& facts) {
  facts.full_blocks = find_full_blocks(exec, A);
  facts.same_unknown_share =
      facts.full_blocks > 1 ? share_of_same_unknown(exec, A, facts.full_blocks) : 0;
}

template <class Space>
void add_skew_facts(const Space& exec, const Matrix<Space>& A, MatrixFacts& facts) {
  facts.on_host = kernels::is_host_space<Space>;
  facts.skew_share = skew_share(exec, A);
  add_block_facts(exec, A, facts);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, add_block_facts)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, add_skew_facts)

}  // namespace tessera::distributed
