// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The steps of a program as part of a cooperative group's work.
///
/// A step of few entries is run by one worker while the others wait for the next barrier, all
/// others by contiguous rows. What a worker needs of the matrices lies in its shared memory as far
/// as there is room, and so do vectors that no other worker reads: what a lane waits for in a step
/// is a chain of loads, from a row's offset over columns to x, each of which is 0.2 us from the L2
/// cache of an H200 and a tenth of that from shared memory.
#pragma once

#include "tessera/kernels/execution/share_range.hpp"
#include "tessera/kernels/persistent/detail/row_shares.hpp"
#include "tessera/kernels/persistent/step.hpp"

/// So many loads of a loop are in flight at once. Compilers for hosts do not know it.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TESSERA_UNROLL_FOR_LOADS _Pragma("unroll 4")
#else
#define TESSERA_UNROLL_FOR_LOADS
#endif

namespace tessera::kernels::detail {

/// A vector of a program.
struct VectorPlace {
  std::int64_t length = 0;
  std::int64_t is_of_one_block = 0;  ///< not 0 where only steps of one block name it
};

/// A program by plain pointers, all of them a device's where it runs there.
template <class Scalar>
struct PlainProgram {
  const Step<Scalar>* steps = nullptr;
  int num_steps = 0;
  Scalar* const* vectors = nullptr;  ///< numbers 0 and 1: what it reads and what it makes
  const VectorPlace* places = nullptr;
  int num_vectors = 0;
  /// After each step but the last, for each share: for whom it waits. Null where all wait for all.
  const ShareRange* waits = nullptr;
};

/// The rows of a step's matrix that a worker has in its shared memory.
template <class Scalar>
struct StagedRows {
  const std::int32_t* offsets = nullptr;  ///< from the first entry on; null where not staged
  const Ordinal* columns = nullptr;
  const Scalar* values = nullptr;
  const double* dense = nullptr;  ///< null where not staged
  std::int64_t first = 0;  ///< entry of the matrix
  std::int64_t entries = 0;
};

template <class Scalar>
class StepRunner {
 public:
  struct Range {
    Ordinal begin;
    Ordinal end;
  };

  StepRunner() = default;

  /// By all lanes of a worker, with `synchronize_lanes` to come.
  template <class Group>
  KOKKOS_FUNCTION StepRunner(const Group& group, const PlainProgram<Scalar>& program, int share,
                             Scratch& scratch)
      : m_steps(program.steps),
        m_num_steps(program.num_steps),
        m_vectors(program.vectors),
        m_waits(program.waits) {
    if constexpr (Group::one_share_per_worker) copy(group, program, share, scratch);
  }

  KOKKOS_FUNCTION int num_steps() const { return m_num_steps; }
  KOKKOS_FUNCTION const Step<Scalar>& step(int number) const { return m_steps[number]; }
  KOKKOS_FUNCTION Scalar* const* vectors() const { return m_vectors; }

  /// The rows of a step that are a share's.
  template <class Group>
  KOKKOS_FUNCTION static Range rows_of(const Group& group, const Step<Scalar>& step, int share) {
    if (step.by_one_block) return {0, share == 0 ? step.num_rows : 0};
    return {first_row_of_share(step.num_rows, share, group.num_shares()),
            first_row_of_share(step.num_rows, share + 1, group.num_shares())};
  }

  /// For whom a share waits after a step that all share, or before one.
  template <class Group>
  KOKKOS_FUNCTION ShareRange waits_after(const Group& group, int number, int share) const {
    if (m_waits == nullptr) return ShareRange::barrier();
    return m_has_own_waits ? m_waits[number] : m_waits[number * group.num_shares() + share];
  }

  /// Runs a share's rows of a step, by all lanes of the worker; `f(i, y)` for each by one of them.
  template <class Group, class Function>
  KOKKOS_FUNCTION void run_rows(const Group& group, int number, int share,
                                const Function& f) const {
    const Step<Scalar>& step = m_steps[number];
    const Range range = rows_of(group, step, share);
    const int lanes = Group::one_share_per_worker ? step.lanes : 1;
    const int groups = group.num_lanes() / lanes;
    const int lane = group.lane() % lanes;
    const Scalar* const x = step.x == no_vector ? nullptr : m_vectors[step.x];
    // As many turns for all lanes, for they add up together.
    for (Ordinal base = range.begin; base < range.end; base += groups) {
      const Ordinal i = base + group.lane() / lanes;
      const bool has_row = i < range.end;
      RowOperands<Scalar> at;
      if (has_row && lane == 0) at = operands_of(step, m_vectors, i);
      Scalar s = 0;
      if (step.kind == StepKind::dense) {
        const double part = has_row ? part_of_dense(step, range, i, x, lane, lanes) : 0.0;
        s = static_cast<Scalar>(group.sum_of_lanes(part, lanes));
      } else if (x != nullptr && step.kind != StepKind::add) {
        s = group.sum_of_lanes(has_row ? part_of_sparse(step, range, i, x, lane, lanes) : Scalar(0),
                               lanes);
      }
      if (has_row && lane == 0) f(i, finish_row(step, m_vectors, i, at, s));
    }
  }

 private:
  KOKKOS_FUNCTION static std::int64_t offset_of(const Step<Scalar>& step, Ordinal row) {
    return step.offsets != nullptr ? static_cast<std::int64_t>(step.offsets[row])
                                   : step.wide_offsets[row];
  }

  KOKKOS_FUNCTION Scalar part_of_sparse(const Step<Scalar>& step, const Range& range, Ordinal i,
                                        const Scalar* x, int lane, int lanes) const {
    if (m_staged != nullptr) {
      const StagedRows<Scalar>& rows = m_staged[step.matrix];
      if (rows.offsets != nullptr) {
        return dot(rows.columns, rows.values, rows.offsets[i - range.begin] + lane,
                   rows.offsets[i - range.begin + 1], lanes, x);
      }
    }
    return dot(step.columns, step.values, offset_of(step, i) + lane, offset_of(step, i + 1), lanes,
               x);
  }
  template <class Index>
  KOKKOS_FUNCTION static Scalar dot(const Ordinal* columns, const Scalar* values, Index begin,
                                    Index end, int stride, const Scalar* x) {
    Scalar sum = 0;
    TESSERA_UNROLL_FOR_LOADS
    for (Index e = begin; e < end; e += stride)
      sum += values[e] * x[columns[e]];
    return sum;
  }

  KOKKOS_FUNCTION double part_of_dense(const Step<Scalar>& step, const Range& range, Ordinal i,
                                       const Scalar* x, int lane, int lanes) const {
    const double* row = step.dense + static_cast<std::size_t>(i) * step.num_rows;
    if (m_staged != nullptr && m_staged[step.matrix].dense != nullptr) {
      row = m_staged[step.matrix].dense + static_cast<std::size_t>(i - range.begin) * step.num_rows;
    }
    double sum = 0;
    TESSERA_UNROLL_FOR_LOADS
    for (Ordinal c = lane; c < step.num_rows; c += lanes)
      sum += row[c] * static_cast<double>(x[c]);
    return sum;
  }

  /// The steps and what there is room for to the worker's shared memory.
  template <class Group>
  KOKKOS_FUNCTION void copy(const Group& group, const PlainProgram<Scalar>& program, int share,
                            Scratch& scratch) {
    static_assert(sizeof(Step<Scalar>) % sizeof(std::uint64_t) == 0);
    constexpr int words = sizeof(Step<Scalar>) / sizeof(std::uint64_t);
    auto* const steps = scratch.take<Step<Scalar>>(m_num_steps);
    auto* const vectors = scratch.take<Scalar*>(program.num_vectors);
    auto* const staged = scratch.take<StagedRows<Scalar>>(m_num_steps);
    if (steps == nullptr || vectors == nullptr || staged == nullptr) return;
    const auto* const from = reinterpret_cast<const std::uint64_t*>(program.steps);
    auto* const to = reinterpret_cast<std::uint64_t*>(steps);
    for (int w = group.lane(); w < m_num_steps * words; w += group.num_lanes())
      to[w] = from[w];
    for (int v = group.lane(); v < program.num_vectors; v += group.num_lanes())
      vectors[v] = program.vectors[v];
    if (program.waits != nullptr) copy_waits(group, share, scratch);
    group.synchronize_lanes();
    for (int number = group.lane(); number < m_num_steps; number += group.num_lanes())
      staged[number] = measured(group, steps[number], share);
    group.synchronize_lanes();
    // Every lane comes to the same places in the scratch; one of them notes each.
    place_vectors(group, program, share, vectors, scratch);
    for (const bool of_one_block : {true, false}) {
      for (int number = 0; number < m_num_steps; ++number) {
        const Step<Scalar>& step = steps[number];
        if (step.matrix == number && step.by_one_block == of_one_block)
          stage(group, step, rows_of(group, step, share), staged[number], scratch);
      }
    }
    m_steps = steps;
    m_vectors = vectors;
    m_staged = staged;
  }

  template <class Group>
  KOKKOS_FUNCTION void copy_waits(const Group& group, int share, Scratch& scratch) {
    auto* const own = scratch.take<ShareRange>(m_num_steps);
    if (own == nullptr) return;
    for (int number = group.lane(); number + 1 < m_num_steps; number += group.num_lanes())
      own[number] = m_waits[number * group.num_shares() + share];
    m_waits = own;
    m_has_own_waits = true;
  }

  /// How much a share's rows of a step's matrix are.
  template <class Group>
  KOKKOS_FUNCTION static StagedRows<Scalar> measured(const Group& group, const Step<Scalar>& step,
                                                     int share) {
    StagedRows<Scalar> rows;
    const Range range = rows_of(group, step, share);
    if (range.begin < range.end && step.has_matrix()) {
      rows.first = offset_of(step, range.begin);
      rows.entries = offset_of(step, range.end) - rows.first;
    }
    return rows;
  }

  template <class Group>
  KOKKOS_FUNCTION static void place_vectors(const Group& group, const PlainProgram<Scalar>& program,
                                            int share, Scalar** vectors, Scratch& scratch) {
    const bool is_alone = group.num_shares() == 1;
    if (!is_alone && share != 0) return;
    for (int v = 0; v < program.num_vectors; ++v) {
      const VectorPlace place = program.places[v];
      if (!is_alone && place.is_of_one_block == 0) continue;
      Scalar* const here = scratch.take<Scalar>(place.length);
      if (here != nullptr && group.lane() == 0) vectors[v] = here;
    }
  }

  template <class Group>
  KOKKOS_FUNCTION static void stage(const Group& group, const Step<Scalar>& step,
                                    const Range& range, StagedRows<Scalar>& noted,
                                    Scratch& scratch) {
    if (range.begin >= range.end) return;
    const auto rows = static_cast<std::size_t>(range.end - range.begin);
    if (step.kind == StepKind::dense) {
      const std::size_t count = rows * step.num_rows;
      auto* const dense = scratch.take<double>(count);
      if (dense == nullptr) return;
      const double* const from = step.dense + static_cast<std::size_t>(range.begin) * step.num_rows;
      for (std::size_t e = group.lane(); e < count; e += group.num_lanes())
        dense[e] = from[e];
      if (group.lane() == 0) noted.dense = dense;
      return;
    }
    const auto count = static_cast<std::size_t>(noted.entries);
    const std::int64_t first = noted.first;
    const std::size_t bytes = Scratch::bytes_of<std::int32_t>(rows + 1) +
                              Scratch::bytes_of<Ordinal>(count) + Scratch::bytes_of<Scalar>(count);
    if (!step.has_matrix() || bytes > scratch.left()) return;
    auto* const offsets = scratch.take<std::int32_t>(rows + 1);
    auto* const columns = scratch.take<Ordinal>(count);
    auto* const values = scratch.take<Scalar>(count);
    for (std::size_t l = group.lane(); l <= rows; l += group.num_lanes())
      offsets[l] =
          static_cast<std::int32_t>(offset_of(step, range.begin + static_cast<Ordinal>(l)) - first);
    for (std::size_t e = group.lane(); e < count; e += group.num_lanes()) {
      columns[e] = step.columns[first + e];
      values[e] = step.values[first + e];
    }
    if (group.lane() == 0) {
      noted.columns = columns;
      noted.values = values;
      noted.offsets = offsets;
    }
  }

  const Step<Scalar>* m_steps = nullptr;
  int m_num_steps = 0;
  Scalar* const* m_vectors = nullptr;
  const StagedRows<Scalar>* m_staged = nullptr;  ///< of each step that is first with its matrix
  const ShareRange* m_waits = nullptr;
  bool m_has_own_waits = false;  ///< of this share alone
};

}  // namespace tessera::kernels::detail

#undef TESSERA_UNROLL_FOR_LOADS
