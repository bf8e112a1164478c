// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two loops under every vector kernel: that of entry_loops.hpp over the entries of a
/// MultiVector, and one that also sums up column by column in one launch.
///
/// A column is cut into chunks whose number depends on its length alone. Each chunk leaves its
/// partial sums in memory; whichever chunk of a column comes last adds them up in the order of the
/// chunks and calls the operation's `finish`. So the result depends neither on the number of
/// threads nor on their order, and a solver's scalars are computed on the device without another
/// launch.
#pragma once

#include "tessera/kernels/execution/as_argument.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/vector/chunk_map.hpp"
#include "tessera/kernels/vector/detail/entry_loops.hpp"
#include "tessera/kernels/vector/reductions.hpp"

#include <atomic>
#include <string>

namespace tessera::kernels::detail {

/// `N` sums taken at once.
template <int N>
struct Sums {
  double value[N];

  KOKKOS_FUNCTION Sums() {
    for (int m = 0; m < N; ++m) {
      value[m] = 0;
    }
  }
  KOKKOS_FUNCTION Sums& operator+=(const Sums& other) {
    for (int m = 0; m < N; ++m) {
      value[m] += other.value[m];
    }
    return *this;
  }
};

}  // namespace tessera::kernels::detail

template <int N>
struct Kokkos::reduction_identity<tessera::kernels::detail::Sums<N>> {
  KOKKOS_FORCEINLINE_FUNCTION static tessera::kernels::detail::Sums<N> sum() { return {}; }
};

namespace tessera::kernels::detail {

/// What both reductions share: where partial sums lie, and the count of finished chunks.
template <class Op, class Space>
struct ReductionBase {
  static constexpr int num_sums = Op::num_sums;

  Op op;
  ChunkMap map;
  ArrayView<double, Space> partials;
  ArrayView<int, Space> finished;

  KOKKOS_FUNCTION double& partial(int item, int chunk, int m) const {
    return partials((static_cast<std::size_t>(item) * num_sums + m) * map.count + chunk);
  }
  /// Publishes a chunk's sums; true for the last chunk of the item.
  KOKKOS_FUNCTION bool publish(int item, int chunk, const Sums<num_sums>& sums) const {
    for (int m = 0; m < num_sums; ++m) {
      partial(item, chunk, m) = sums.value[m];
    }
    return count_finished(item) == map.count - 1;
  }
  /// Counts a chunk once its sums are written, and has what others wrote before theirs were
  /// counted. On hosts the counter itself is in that order, which ThreadSanitizer knows; on devices
  /// a fence goes before it, and one in each thread that reads behind it.
  KOKKOS_FUNCTION int count_finished(int item) const {
    KOKKOS_IF_ON_HOST(
        (return std::atomic_ref<int>(finished(item)).fetch_add(1, std::memory_order_acq_rel);))
    KOKKOS_IF_ON_DEVICE(
        (Kokkos::memory_fence(); return Kokkos::atomic_fetch_add(&finished(item), 1);))
  }
  KOKKOS_FUNCTION Sums<num_sums> load(int item, int chunk) const {
    Sums<num_sums> sums;
    for (int m = 0; m < num_sums; ++m) {
      sums.value[m] = Kokkos::atomic_load(&partial(item, chunk, m));
    }
    return sums;
  }
  KOKKOS_FUNCTION void conclude(int item, const Sums<num_sums>& total) const {
    finished(item) = 0;
    op.finish(item, total.value);
  }
};

template <class Op, class Space>
struct HostReduction : ReductionBase<Op, Space> {
  using Base = ReductionBase<Op, Space>;
  static constexpr int num_sums = Op::num_sums;

  KOKKOS_FUNCTION void operator()(int work) const {
    const int item = work / this->map.count;
    const int chunk = work % this->map.count;
    if (!this->publish(item, chunk, sum_chunk(item, chunk))) {
      return;
    }
    Sums<num_sums> total;
    for (int other = 0; other < this->map.count; ++other) {
      total += this->load(item, other);
    }
    this->conclude(item, total);
  }
  /// Four sums side by side hide the latency of the additions.
  KOKKOS_FUNCTION Sums<num_sums> sum_chunk(int item, int chunk) const {
    const Op op = this->op;
    const auto coefficients = op.coefficients(item);
    Sums<num_sums> lane[4];
    const Ordinal end = this->map.end(chunk);
    Ordinal i = this->map.begin(chunk);
    for (; i + 3 < end; i += 4) {
      op(i, item, coefficients, lane[0].value);
      op(i + 1, item, coefficients, lane[1].value);
      op(i + 2, item, coefficients, lane[2].value);
      op(i + 3, item, coefficients, lane[3].value);
    }
    for (; i < end; ++i) {
      op(i, item, coefficients, lane[0].value);
    }
    lane[0] += lane[1];
    lane[2] += lane[3];
    lane[0] += lane[2];
    return lane[0];
  }
};

template <class Op, class Space>
struct DeviceReduction : ReductionBase<Op, Space> {
  using Base = ReductionBase<Op, Space>;
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int num_sums = Op::num_sums;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int item = team.league_rank() / this->map.count;
    const int chunk = team.league_rank() % this->map.count;
    Sums<num_sums> sums;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, team.team_size()),
        [&](const int thread, Sums<num_sums>& sum) {
          sum_entries(team.team_size(), item, this->map.begin(chunk) + thread, this->map.end(chunk),
                      sum.value);
        },
        sums);
    int last = 0;
    Kokkos::single(
        Kokkos::PerTeam(team),
        [&](int& value) { value = this->publish(item, chunk, sums) ? 1 : 0; }, last);
    if (last == 0) {
      return;
    }
    Kokkos::memory_fence();
    Sums<num_sums> total;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, team.team_size()),
        [&](const int thread, Sums<num_sums>& sum) {
          sum_chunks(team.team_size(), item, thread, sum);
        },
        total);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { this->conclude(item, total); });
  }

  /// Every `step`-th entry from `i` on, one after the other, whatever is in flight: the sums' order
  /// is the same with and without.
  KOKKOS_FUNCTION void sum_entries(int step, int item, std::int64_t i, Ordinal end,
                                   double* sum) const {
    const auto ahead = [&](int entries) { return entries * step; };  // few
    const auto at = [&](int e) { return static_cast<Ordinal>(i + ahead(e)); };
    if constexpr (LoadsApart<Op>) {
      using Entry = decltype(this->op.load(at(0), item));
      const auto are_whole = [&] { return i + ahead(loads_at_once - 1) < end; };
      Entry entries[loads_at_once];
      const auto load = [&] {
        for (int e = 0; e < loads_at_once; ++e)
          entries[e] = this->op.load(at(e), item);
      };
      bool whole = are_whole();
      if (whole) load();
      // Numbers in memory, too, which are asked for behind the entries and arrive with them.
      const auto coefficients = this->op.coefficients(item);
      while (whole) {
        for (int e = 0; e < loads_at_once; ++e)
          this->op.use(at(e), item, coefficients, entries[e], sum);
        i += ahead(loads_at_once);
        whole = are_whole();
        if (whole) load();
      }
      for (; i < end; i += step)
        this->op(at(0), item, coefficients, sum);
    } else {
      const auto coefficients = this->op.coefficients(item);
      for (; i < end; i += step)
        this->op(at(0), item, coefficients, sum);
    }
  }

  /// Every `step`-th chunk's sums from `chunk` on, `loads_at_once` of them in flight.
  KOKKOS_FUNCTION void sum_chunks(int step, int item, int chunk, Sums<num_sums>& sum) const {
    for (; chunk < this->map.count; chunk += loads_at_once * step) {
      Sums<num_sums> parts[loads_at_once];
      for (int e = 0; e < loads_at_once; ++e) {
        if (chunk + e * step < this->map.count) parts[e] = this->load(item, chunk + e * step);
      }
      for (const Sums<num_sums>& part : parts)
        sum += part;
    }
  }
};

/// Calls `op(i, item, op.coefficients(item), sums)` for every `i < n` and `item < items`, where
/// `sums` holds `Op::num_sums` sums of the item, then `op.finish(item, sums)` once an item.
template <class Space, class Op>
void reduce_entries(const Space& exec, const std::string& label,
                    const ReductionWorkspace<Space>& workspace, Ordinal n, int items,
                    const Op& op) {
  if (items == 0) {
    return;
  }
  const ChunkMap map(n, is_device_space<Space> ? device_max_chunks : reduction_max_chunks);
  const std::size_t needed = static_cast<std::size_t>(items) * Op::num_sums * map.count;
  require(static_cast<std::size_t>(items) <= workspace.finished.extent(0) &&
              needed <= workspace.partials.extent(0),
          [&] {
            return "workspace is made for " + std::to_string(workspace.finished.extent(0)) +
                   " items and " + std::to_string(workspace.partials.extent(0)) +
                   " partial sums, expected at least " + std::to_string(items) + " and " +
                   std::to_string(needed);
          });
  const ReductionBase<Op, Space> base{op, map, workspace.partials, workspace.finished};
  if constexpr (is_device_space<Space>) {
    constexpr int team_size = 256;
    Kokkos::parallel_for(label,
                         as_argument(Kokkos::TeamPolicy<Space>(exec, items * map.count, team_size)),
                         DeviceReduction<Op, Space>{base});
  } else {
    using Policy =
        Kokkos::RangePolicy<Space, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>;
    Kokkos::parallel_for(label, Policy(exec, 0, items * map.count), HostReduction<Op, Space>{base});
  }
}

}  // namespace tessera::kernels::detail
