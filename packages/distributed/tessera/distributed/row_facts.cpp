// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/row_facts.hpp"

#include "tessera/distributed/coarsening.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/solve/row_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace tessera::distributed {
namespace {

using Global = Partition::Global;

std::uint64_t mixed(std::uint64_t k) {
  k = (k + 1) * 0x9e3779b97f4a7c15U;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9U;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebU;
  return k ^ (k >> 31);
}

/// Of the columns of row i of this process, seen from the row: the same for rows that repeat each
/// other, in whatever order entries stand.
template <class Space>
std::uint64_t pattern_hash(const Matrix<Space>& A, Ordinal i) {
  const Global first = A.row_shares->first();
  const Ordinal own = A.num_own_columns();
  const std::int64_t begin = A.rows.offsets(i);
  const std::int64_t end = A.rows.offsets(i + 1);
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(end - begin));
  for (std::int64_t e = begin; e < end; ++e) {
    const Ordinal j = A.rows.columns(e);
    const Global column = j < own ? first + j : A.ghosts(j - own);
    hash += mixed(static_cast<std::uint64_t>(column - first - i));
  }
  return hash;
}

/// `MatrixFacts::repeated_rows` of the sample of all rows. Collective.
template <class Space>
double repeated_rows(const Matrix<Space>& A) {
  const Communicator& processes = *A.processes;
  const Partition& rows = *A.row_shares;
  std::int64_t last = 0;
  on_all_processes(processes, [&] {
    if (rows.own() > 0) last = static_cast<std::int64_t>(pattern_hash(A, rows.own() - 1));
  });
  std::vector<std::int64_t> last_of(static_cast<std::size_t>(processes.size()));
  processes.all_gather(last, last_of);
  std::int64_t repeated = 0;
  on_all_processes(processes, [&] {
    int before = processes.rank() - 1;
    while (before >= 0 && rows.own(before) == 0)
      --before;
    const tessera::detail::SampledRows sample(rows.size());
    for (std::uint32_t k = sample.first_from(rows.first()); k < sample.count; ++k) {
      const Global row = sample.row(k);
      if (row >= rows.first() + rows.own()) break;
      if (row == 0) continue;
      const auto i = static_cast<Ordinal>(row - rows.first());
      const std::uint64_t row_before =
          i > 0 ? pattern_hash(A, i - 1)
                : static_cast<std::uint64_t>(last_of[static_cast<std::size_t>(before)]);
      repeated += pattern_hash(A, i) == row_before ? 1 : 0;
    }
  });
  const auto sampled = static_cast<double>(tessera::detail::SampledRows(rows.size()).count);
  return sampled > 0 ? static_cast<double>(processes.sum_of(repeated)) / sampled : 0;
}

/// `MatrixFacts::has_hubs`. Collective.
template <class Space>
bool has_hubs(const Matrix<Space>& A) {
  const std::size_t longest = longest_ordinary_row(*A.processes, A.rows);
  bool own = false;
  for (Ordinal i = 0; i < A.rows.num_rows && !own; ++i)
    own = static_cast<std::size_t>(A.rows.offsets(i + 1) - A.rows.offsets(i)) > longest;
  return A.processes->maximum_of(own ? 1 : 0) > 0;
}

/// Whether one vector is another than the constant. Collective.
template <class Space>
bool is_not_constant(const Communicator& processes, const ConstMultiVectorView<double, Space>& v) {
  double greatest = -std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity();
  double is_odd = 0;
  for (std::size_t i = 0; i < v.extent(0); ++i) {
    greatest = std::max(greatest, v(i, 0));
    least = std::min(least, v(i, 0));
    if (std::isnan(v(i, 0))) is_odd = 1;
  }
  double range[] = {greatest, -least, is_odd};
  processes.maximum(range);
  return range[2] > 0 || range[0] > -range[1];
}

}  // namespace

template <class Space>
void add_row_facts(const Space& exec, const Matrix<Space>& A,
                   const NonDeduced<ConstMultiVectorView<double, Space>>& vectors,
                   MatrixFacts& facts) {
  facts.on_host = kernels::is_host_space<Space>;
  facts.has_vectors = vectors.extent(1) > 1;
  if constexpr (kernels::is_host_space<Space>) {
    exec.fence("tessera::distributed::row_facts");
    facts.repeated_rows = repeated_rows(A);
    facts.has_hubs = has_hubs(A);
    if (vectors.extent(1) == 1) facts.has_vectors = is_not_constant<Space>(*A.processes, vectors);
  }
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, add_row_facts)

}  // namespace tessera::distributed
