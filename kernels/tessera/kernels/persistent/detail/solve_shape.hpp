// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The shape of a cooperative group for a solve within one launch.
#pragma once

#include "tessera/kernels/persistent/detail/solve_work.hpp"
#include "tessera/kernels/persistent/selection_rules.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera::kernels::detail {

/// The work of a cooperative group that solves by `Method`.
template <class Method>
struct SolveWork {
  /// By 1024, of 64 registers each, many would be spilled; by 512, if lanes held entries as well.
  static constexpr int max_lanes = Method::held_limit > 0 ? 256 : 512;
  Method method;

  template <class Group>
  KOKKOS_FUNCTION void operator()(Group& group) const {
    SolveCycles<Method, Group> cycles(method, group);
    cycles.run(Kokkos::Experimental::epsilon_v<typename Method::scalar_type>);
  }
};

/// Its address stands for the kernel of `Method`.
template <class Method>
inline constexpr char kernel_of_method = 0;

/// What a preconditioner asks for of shared memory beside vectors.
struct SharedBytes {
  std::size_t of_each = 0;
  std::size_t of_all = 0;  ///< divided among the workers
  std::size_t alone = 0;  ///< of a worker that is the only one, at the least
  std::size_t alone_at_best = 0;

  bool any() const { return of_each + of_all + alone + alone_at_best > 0; }
};

/// Bytes of shared memory for `rows` rows of `entries` entries.
template <class Scalar>
std::size_t share_bytes(std::size_t rows, std::size_t entries, int vectors) {
  constexpr std::size_t gaps = 16 * Scratch::alignment + sizeof(LongRows);
  return rows * vectors * sizeof(Scalar) + (rows + 1) * sizeof(std::int32_t) +
         entries * (sizeof(Scalar) + sizeof(Ordinal)) + gaps;
}

/// Lanes that share a row: each has four entries or more of a row of average length.
inline int lanes_of_row(std::size_t entries_per_row) {
  int lanes = 1;
  while (lanes < 32 && 8 * static_cast<std::size_t>(lanes) < entries_per_row)
    lanes *= 2;
  return lanes;
}

/// Lanes of a block that is to have `items` of them, `least` at the least.
template <class Work>
int lanes_of_block(std::size_t items, std::size_t least) {
  return static_cast<int>(
      std::clamp<std::size_t>((std::max(items, least) + 31) / 32 * 32, 64, Work::max_lanes));
}

/// How many of the `wanted` workers a cooperative group gets of a device that is sure to run
/// `at_once` of them at the same time. One alone has nobody to wait for.
/// @throws Error of kind `device` where several are wanted and it is sure of none.
inline std::size_t workers_at_once(std::size_t wanted, int at_once) {
  if (wanted > 1 && at_once < 1)
    throw Error(ErrorKind::device,
                "the device has no cooperative launches, which a grid barrier needs");
  return std::clamp<std::size_t>(wanted, 1, std::max(1, at_once));
}

/// Bytes of shared memory for one of `shares` shares, which differ a little.
template <class Method, class Space, class Offset>
std::size_t bytes_of_share(const CsrView<typename Method::scalar_type, Space, Offset>& A,
                           const SharedBytes& of_M, std::size_t shares) {
  const std::size_t each =
      share_bytes<typename Method::scalar_type>(static_cast<std::size_t>(A.num_rows) / shares + 32,
                                                A.num_entries / shares + 512, Method::own_vectors) +
      of_M.of_each + of_M.of_all / shares;
  return each + each / 8;
}

/// Bytes of the largest window of columns that one of `shares` shares has.
template <class Method, class Space, class Offset>
std::size_t bytes_of_window(const CsrView<typename Method::scalar_type, Space, Offset>& A,
                            std::size_t shares) {
  using Scalar = typename Method::scalar_type;
  if constexpr (!Method::may_have_window) return 0;
  return A.num_entries / shares / ColumnWindow<Scalar>::reads_of_column * sizeof(Scalar);
}

/// The blocks of one cluster, if they are asked for or if the system is small and M the work of
/// single rows or blocks of rows. False where there are none, or where shared memory does not hold
/// the system.
template <class Method, class Space, class Offset>
bool choose_cluster(const Space& exec,
                    const CsrView<typename Method::scalar_type, Space, Offset>& A,
                    const SharedBytes& of_M, const PersistentTuning& tuning, std::size_t items,
                    std::size_t min_lanes, PersistentShape& shape) {
  using Work = SolveWork<Method>;
  const std::size_t shares = tuning.shares > 0 ? tuning.shares : rules::blocks_of_cluster.value;
  const std::size_t most = max_group_scratch(exec);
  const std::size_t bytes = bytes_of_share<Method>(A, of_M, shares);
  const bool is_small =
      tuning.shares == 0 && !of_M.any() && items <= rules::items_of_cluster && bytes <= most;
  if (tuning.cluster < 0 || !(tuning.cluster > 0 || is_small)) return false;
  CooperativeShape group;
  group.lanes = tuning.lanes > 0 ? tuning.lanes : lanes_of_block<Work>(items / shares, min_lanes);
  group.scratch_bytes = std::min(bytes + bytes_of_window<Method>(A, shares), most);
  const int blocks = max_cluster_shares<Work>(exec, group.lanes, group.scratch_bytes);
  if (blocks < static_cast<int>(shares)) return false;
  group.shares = static_cast<int>(shares);
  group.in_cluster = true;
  shape.group = group;
  return true;
}

/// One block where all that an iteration touches fits into its shared memory. Else a cluster where
/// the system is small, or about as many rows as lanes in each block, up to one block a processor.
template <class Method, class Space, class Offset>
PersistentShape choose_shape(const Space& exec,
                             const CsrView<typename Method::scalar_type, Space, Offset>& A,
                             const SharedBytes& of_M, const PersistentTuning& tuning) {
  using Scalar = typename Method::scalar_type;
  using Work = SolveWork<Method>;
  const auto n = static_cast<std::size_t>(A.num_rows);
  if constexpr (is_host_space<Space>) {
    // By n alone, so that sums are the same on any number of threads.
    constexpr std::size_t rows_per_share = 512;
    const std::size_t shares = std::clamp<std::size_t>(n / rows_per_share, 1, 256);
    return {{.shares = tuning.shares > 0 ? tuning.shares : static_cast<int>(shares)}, 1};
  } else {
    PersistentShape shape;
    shape.lanes_per_row =
        tuning.lanes_per_row > 0 ? tuning.lanes_per_row : lanes_of_row(A.num_entries / n);
    const std::size_t items = n * shape.lanes_per_row;
    // The steps of a program that one block runs want all the lanes that it may have.
    const std::size_t min_lanes = of_M.of_each > 0 ? Work::max_lanes : 0;
    const std::size_t most = max_group_scratch(exec);
    const std::size_t alone =
        share_bytes<Scalar>(n, A.num_entries, Method::own_vectors + Method::gathered_vectors) +
        of_M.alone;
    if (tuning.shares == 1 ||
        (tuning.shares == 0 && alone <= most && items <= rules::items_of_one_block)) {
      shape.group.shares = 1;
      shape.group.lanes = tuning.lanes > 0 ? tuning.lanes : lanes_of_block<Work>(items, min_lanes);
      shape.group.scratch_bytes = std::min(alone + of_M.alone_at_best - of_M.alone, most);
    } else if (!choose_cluster<Method>(exec, A, of_M, tuning, items, min_lanes, shape)) {
      const std::size_t least = most > 0 ? of_M.of_all / most : 0;
      const std::size_t wanted =
          tuning.shares > 0 ? tuning.shares : std::max(least, items / rules::items_per_block);
      const auto shares = workers_at_once(wanted, max_resident_shares<Work>(exec, 32, most));
      shape.group.lanes =
          tuning.lanes > 0 ? tuning.lanes : lanes_of_block<Work>(items / shares, min_lanes);
      shape.group.scratch_bytes = std::min(
          bytes_of_share<Method>(A, of_M, shares) + bytes_of_window<Method>(A, shares), most);
      const int at_once =
          max_resident_shares<Work>(exec, shape.group.lanes, shape.group.scratch_bytes);
      shape.group.shares = static_cast<int>(workers_at_once(shares, at_once));
    }
    if (!tuning.stage) shape.group.scratch_bytes = 0;
    return shape;
  }
}

/// The shape of a cluster in which fewer lanes share a row than its entries would keep busy, so few
/// that all of them hold entries; `shape` where that is not for the matrix, or it is so already.
template <class Method, class Space, class Offset>
PersistentShape with_lanes_that_hold(const Space& exec,
                                     const CsrView<typename Method::scalar_type, Space, Offset>& A,
                                     const SharedBytes& of_M, PersistentTuning& tuning,
                                     const PersistentShape& shape) {
  const auto n = static_cast<std::size_t>(A.num_rows);
  std::size_t lanes = shape.lanes_per_row;
  const bool is_for_it = shape.group.in_cluster && tuning.lanes_per_row == 0 &&
                         tuning.register_entries >= 0 && n <= rules::items_of_holding_cluster &&
                         n * lanes > rules::items_of_holding_cluster &&
                         A.num_entries <= n * rules::entries_of_clustered_row;
  if (!is_for_it) return shape;
  while (n * lanes > rules::items_of_holding_cluster)
    lanes /= 2;
  tuning.lanes_per_row = static_cast<int>(lanes);
  return choose_shape<Method>(exec, A, of_M, tuning);
}

/// The shape, and whether lanes hold entries in registers: if that is asked for, or if blocks have
/// so few lanes as those that do, or in a small cluster. If not, whether they may read windows.
template <class Method, class Space, class Offset>
PersistentShape choose_shape_and_registers(
    const Space& exec, const CsrView<typename Method::scalar_type, Space, Offset>& A,
    const SharedBytes& of_M, PersistentTuning tuning) {
  PersistentShape shape = choose_shape<Method>(exec, A, of_M, tuning);
  if constexpr (!is_host_space<Space> && Method::may_hold_entries) {
    using Holding = typename Method::Holding;
    constexpr int lanes_limit = SolveWork<Holding>::max_lanes;
    shape = with_lanes_that_hold<Method>(exec, A, of_M, tuning, shape);
    const std::size_t items = static_cast<std::size_t>(A.num_rows) * shape.lanes_per_row;
    const int asked = tuning.register_entries;
    const bool is_small_cluster =
        shape.group.in_cluster && items <= rules::items_of_holding_cluster;
    const bool holds = asked >= 0 && tuning.lanes <= lanes_limit &&
                       (asked > 0 || shape.group.lanes <= lanes_limit || is_small_cluster);
    const bool has_window =
        shape.group.in_cluster &&
        (tuning.window > 1 || (tuning.window == 1 && items <= rules::items_of_windowed_cluster));
    if (holds) {
      shape = choose_shape<Holding>(exec, A, of_M, tuning);
      shape.register_entries = asked > 0 ? asked : max_held_entries;
    } else if (has_window) {
      shape = choose_shape<typename Method::Windowed>(exec, A, of_M, tuning);
      shape.has_window = true;
    }
  }
  return shape;
}

}  // namespace tessera::kernels::detail
