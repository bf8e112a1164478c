// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/agreed_facts.hpp"

#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/distributed/diagonal_block.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/fact_sums.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace tessera::distributed {

template <class Space>
int agreed_block_size(const Space& exec, const Matrix<Space>& A, int given) {
  const Ordinal rows = A.rows.num_rows;
  int own = given;
  on_all_processes(*A.processes, [&] {
    if (given > 0 && rows % given != 0)
      throw Error(ErrorKind::precondition,
                  std::to_string(rows) +
                      " rows on this process are not a multiple of the block "
                      "size " +
                      std::to_string(given));
    if (given > 0 || rows == 0) return;
    const Ordinal columns = A.num_own_columns();
    const LocalRows<Space> block =
        columns == A.rows.num_cols ? A.rows : own_pattern(exec, A.rows.view(), columns);
    const amg::Nodes nodes = amg::find_nodes(exec, block.view(), 0);
    own = nodes.by_unknown || rows % nodes.block_size != 0 ? 1 : nodes.block_size;
  });
  if (given > 0) return given;
  // By block size the rows of processes that found it, and the processes that it divides a node of.
  constexpr auto sizes = static_cast<std::size_t>(amg::max_unknowns_found) + 1;
  std::vector<std::int64_t> sums(2 * sizes, 0);
  if (rows > 0) sums[static_cast<std::size_t>(own)] = rows;
  for (std::size_t m = 1; m < sizes; ++m)
    sums[sizes + m] = rows % static_cast<Ordinal>(m) != 0 ? 1 : 0;
  A.processes->sum(std::span<std::int64_t>(sums));
  const auto found = std::max_element(sums.begin() + 1, sums.begin() + sizes) - sums.begin();
  return sums[sizes + static_cast<std::size_t>(found)] == 0 ? static_cast<int>(found) : 1;
}

template <class Space>
MatrixFacts agreed_facts(const Space& exec, const Matrix<Space>& A, bool symmetric) {
  const Communicator& processes = *A.processes;
  FactSums own;
  on_all_processes(processes, [&] {
    if (A.rows.num_rows > 0) own = sum_facts(exec, A.rows.view());
  });
  double sums[] = {static_cast<double>(A.rows.num_rows),
                   static_cast<double>(A.rows.num_entries()),
                   own.positive,
                   own.negative,
                   own.decided,
                   own.coupled_zeros,
                   own.coupled_positive,
                   own.coupled_negative,
                   own.couplings,
                   own.positive_couplings};
  double least[] = {own.least, -own.greatest};
  processes.sum(std::span<double>(sums));
  processes.minimum(least);
  MatrixFacts facts;
  const auto count = [](double sum) {
    return static_cast<Ordinal>(std::min<double>(sum, std::numeric_limits<Ordinal>::max()));
  };
  const double n = sums[0];
  facts.rows = count(n);
  facts.entries = sums[1];
  facts.symmetric = symmetric;
  facts.positive_diagonal = sums[2] == n;
  facts.negative_diagonal = sums[3] == n && n > 0;
  facts.decided_rows = count(sums[4]);
  facts.coupled_zeros = count(sums[5]);
  facts.coupled_signs_differ = sums[6] > 0 && sums[7] > 0;
  facts.positive_couplings = sums[8] > 0 ? sums[9] / sums[8] : 0;
  facts.smallest_diagonal = n > 0 ? least[0] : 0;
  facts.largest_diagonal = -least[1];
  return facts;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, agreed_block_size)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, agreed_facts)

}  // namespace tessera::distributed
