// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/full_blocks.hpp"

#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/inverse_blocks.hpp"
#include "tessera/kernels/graph/reached_blocks.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/solve/fact_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tessera::distributed {
namespace detail {

using Global = Partition::Global;
using kernels::max_block_rows;
using kernels::ReachedBlocks;
using kernels::SampledBlocks;

/// One process's rows by their numbers among all.
template <class Space>
struct NumberedRows {
  kernels::CsrView<double, Space, std::int64_t> A;
  GlobalNumbers<Space> ghosts;
  Global first, end;  ///< its rows
  Ordinal own_columns;

  explicit NumberedRows(const Matrix<Space>& matrix)
      : A(matrix.rows.view()),
        ghosts(matrix.ghosts),
        first(matrix.row_shares->first()),
        end(first + matrix.row_shares->own()),
        own_columns(matrix.num_own_columns()) {}

  KOKKOS_FUNCTION Global column(std::int64_t entry) const {
    const Ordinal j = A.columns(entry);
    return j < own_columns ? first + j : ghosts(j - own_columns);
  }
  KOKKOS_FUNCTION ReachedBlocks reached_from(Global row, int block_rows) const {
    ReachedBlocks reached(row / block_rows);
    const auto i = static_cast<Ordinal>(row - first);
    for (std::int64_t e = A.offsets(i); e < A.offsets(i + 1); ++e)
      reached.add(column(e) / block_rows);
    return reached;
  }
  /// Whether the rows of the block that are this process's fit each other, and in `reached` what
  /// each of them reaches. Of none the answer is yes.
  KOKKOS_FUNCTION bool fit(Global number, int block_rows, ReachedBlocks& reached) const {
    const Global begin = number * block_rows < first ? first : number * block_rows;
    const Global behind = (number + 1) * block_rows > end ? end : (number + 1) * block_rows;
    for (Global row = begin; row < behind; ++row) {
      const ReachedBlocks other = reached_from(row, block_rows);
      if (!other.fills(block_rows)) return false;
      if (row > begin && !other.reaches_as(reached)) return false;
      reached = other;
    }
    return true;
  }
  KOKKOS_FUNCTION bool fit(Global number, int block_rows) const {
    ReachedBlocks reached(number);
    return fit(number, block_rows, reached);
  }
};

/// Bit m is set where blocks of m rows fit at each of the samples, as far as their rows are here.
template <class Space>
std::uint64_t fitting_of_own(const Space& exec, const NumberedRows<Space>& rows, Global n) {
  std::uint64_t misfits = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::full_blocks::sample",
      Kokkos::RangePolicy<Space>(exec, 0, SampledBlocks::most * (max_block_rows - 1)),
      KOKKOS_LAMBDA(const int i, std::uint64_t& bad) {
        const int m = 2 + i / SampledBlocks::most;
        const SampledBlocks sample(n, m);
        const Global number = sample.number(i % SampledBlocks::most);
        if (n % m != 0 || (number < sample.blocks && !rows.fit(number, m)))
          bad |= std::uint64_t(1) << m;
      },
      // Not BAnd, which Kokkos 5.0 begins with zero.
      Kokkos::BOr<std::uint64_t>(misfits));
  exec.fence("tessera::distributed::full_blocks");
  return ~misfits;
}

/// By the number of rows of a block, whether no process has found a sample that does not fit.
/// Collective.
template <class Space>
std::vector<bool> fitting_samples(const Space& exec, const Matrix<Space>& A) {
  std::vector<std::int64_t> misfits(max_block_rows + 1, 0);
  on_all_processes(*A.processes, [&] {
    const std::uint64_t fitting =
        fitting_of_own(exec, NumberedRows<Space>(A), A.row_shares->size());
    for (std::size_t m = 0; m < misfits.size(); ++m)
      misfits[m] = (fitting >> m & 1) == 0 ? 1 : 0;
  });
  A.processes->sum(std::span<std::int64_t>(misfits));
  std::vector<bool> fit;
  for (const std::int64_t found : misfits)
    fit.push_back(found == 0);
  return fit;
}

/// The blocks whose rows several processes have, ascending.
std::vector<Global> divided_blocks(const Partition& rows, int block_rows) {
  std::vector<Global> divided;
  for (int p = 1; p < rows.processes(); ++p) {
    const Global number = rows.first(p) / block_rows;
    if (rows.first(p) % block_rows != 0 && (divided.empty() || divided.back() != number))
      divided.push_back(number);
  }
  return divided;
}

/// How many blocks do not fit of those that this process has as a whole.
template <class Space>
std::int64_t misfits_of_own(const Space& exec, const NumberedRows<Space>& rows, int block_rows) {
  const Global begin = (rows.first + block_rows - 1) / block_rows;
  const Global behind = rows.end / block_rows;
  std::int64_t sum = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::full_blocks::check",
      Kokkos::RangePolicy<Space>(exec, 0, std::max<Global>(0, behind - begin)),
      KOKKOS_LAMBDA(const Ordinal k, std::int64_t& bad) {
        bad += rows.fit(begin + k, block_rows) ? 0 : 1;
      },
      sum);
  exec.fence("tessera::distributed::full_blocks");
  return sum;
}

/// What processes exchange of a block that they share: whether it fits, the least and the
/// greatest hash that its rows reach, and these with a minus. The least of each is that of all.
struct SharedBlock {
  static constexpr int length = 5;
  /// Where nothing is said.
  static constexpr double none = std::numeric_limits<double>::max();
  std::span<const double, length> numbers;

  bool fits() const {
    return numbers[0] > 0 && numbers[1] == -numbers[2] && numbers[3] == -numbers[4];
  }
};

/// That of this process's rows of some blocks.
template <class Space>
kernels::Report<double, Space> shared_of_own(const Space& exec, const NumberedRows<Space>& rows,
                                             const Array<Global, Space>& blocks, int block_rows) {
  const char* const label = "tessera::distributed::full_blocks::shared";
  const auto count = static_cast<Ordinal>(blocks.extent(0));
  const auto report = kernels::allocate_report<double>(
      exec, label, static_cast<std::size_t>(count) * SharedBlock::length);
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space>(exec, 0, count), KOKKOS_LAMBDA(const Ordinal k) {
        ReachedBlocks reached(blocks(k));
        const int at = k * SharedBlock::length;
        report(at) = rows.fit(blocks(k), block_rows, reached) ? 1 : 0;
        report(at + 1) = reached.least;
        report(at + 2) = -static_cast<double>(reached.least);
        report(at + 3) = reached.greatest;
        report(at + 4) = -static_cast<double>(reached.greatest);
      });
  exec.fence(label);
  return report;
}

/// Which of the blocks that several processes share do not fit. Collective.
template <class Space>
std::vector<Global> divided_misfits(const Space& exec, const Matrix<Space>& A, int block_rows) {
  const std::vector<Global> divided = divided_blocks(*A.row_shares, block_rows);
  if (divided.empty()) return {};
  std::vector<double> numbers(divided.size() * SharedBlock::length, SharedBlock::none);
  on_all_processes(*A.processes, [&] {
    const NumberedRows<Space> rows(A);
    if (rows.first == rows.end) return;
    const auto begin = std::ranges::lower_bound(divided, rows.first / block_rows);
    const auto end = std::ranges::upper_bound(divided, (rows.end - 1) / block_rows);
    const std::vector<Global> blocks(begin, end);
    const auto report = shared_of_own(exec, rows, from_host(exec, blocks), block_rows);
    const auto at = static_cast<std::size_t>(begin - divided.begin()) * SharedBlock::length;
    for (std::size_t k = 0; k < report.extent(0); ++k)
      numbers[at + k] = report(k);
  });
  A.processes->minimum(numbers);
  std::vector<Global> misfits;
  for (std::size_t k = 0; k < divided.size(); ++k) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(k * SharedBlock::length);
    const SharedBlock block{
        std::span<const double, SharedBlock::length>(begin, SharedBlock::length)};
    if (!block.fits()) misfits.push_back(divided[k]);
  }
  return misfits;
}

template <class Space>
BlockCouplings couplings_of_own(const Space& exec, const NumberedRows<Space>& rows,
                                int block_rows) {
  return kernels::ordered_sum<BlockCouplings>(
      exec, "tessera::distributed::same_unknown", rows.A.num_rows,
      KOKKOS_LAMBDA(const Ordinal k, BlockCouplings& sum) {
        const Global i = rows.first + k;
        double diagonal = 0;
        BlockCouplings row;
        for (std::int64_t e = rows.A.offsets(k); e < rows.A.offsets(k + 1); ++e) {
          const Global j = rows.column(e);
          const double size = Kokkos::fabs(rows.A.values(e));
          if (i == j) diagonal += size;
          if (i / block_rows != j / block_rows) row.add(i % block_rows == j % block_rows, size);
        }
        sum.add_over(diagonal, row);
      });
}

}  // namespace detail

template <class Space>
int find_full_blocks(const Space& exec, const Matrix<Space>& A) {
  const Communicator& processes = *A.processes;
  const Partition::Global n = A.row_shares->size();
  if (n == 0) return 1;
  const std::vector<bool> fitting = detail::fitting_samples(exec, A);
  for (int m = kernels::max_block_rows; m > 1; --m) {
    if (!fitting[static_cast<std::size_t>(m)]) continue;
    const auto divided = detail::divided_misfits(exec, A, m);
    const kernels::SampledBlocks sample(n, m);
    if (std::ranges::any_of(divided, [&](auto number) { return sample.has(number); })) continue;
    std::int64_t misfits = 0;
    on_all_processes(processes, [&] {
      misfits = detail::misfits_of_own(exec, detail::NumberedRows<Space>(A), m);
    });
    misfits = processes.sum_of(misfits) + static_cast<std::int64_t>(divided.size());
    if (misfits <= kernels::max_misfits(sample.blocks)) return m;
  }
  return 1;
}

template <class Space>
double share_of_same_unknown(const Space& exec, const Matrix<Space>& A, int block_rows) {
  BlockCouplings own;
  on_all_processes(*A.processes, [&] {
    own = detail::couplings_of_own(exec, detail::NumberedRows<Space>(A), block_rows);
  });
  double sums[] = {own.same, own.all};
  A.processes->sum(std::span<double>(sums));
  return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, find_full_blocks)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, share_of_same_unknown)

}  // namespace tessera::distributed
