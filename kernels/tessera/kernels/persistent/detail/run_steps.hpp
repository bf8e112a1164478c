// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The steps of a program by a crew of a device.
#pragma once

#include "tessera/kernels/persistent/step.hpp"

/// So many loads of a loop are in flight at once. Compilers for hosts do not know it.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TESSERA_UNROLL_FOR_LOADS _Pragma("unroll 4")
#else
#define TESSERA_UNROLL_FOR_LOADS
#endif

namespace tessera::kernels::detail {

/// A lane's part of a row, entries `entry`, `entry + lanes`, ... before `end`, and the first of
/// them read already. Matrices do not change, so that this may be asked for before a barrier, and
/// what the lanes wait for behind it is x alone.
template <class Scalar>
struct RowPart {
  std::int64_t entry = 0;
  std::int64_t end = 0;
  Ordinal column = 0;
  Scalar value = 0;
};

template <class Scalar>
KOKKOS_FUNCTION RowPart<Scalar> part_of_row(const Step<Scalar>& step, std::int64_t i, int lane) {
  RowPart<Scalar> part;
  if (i >= step.num_rows) return part;
  if (step.offsets != nullptr) {
    part.entry = step.offsets[i] + lane;
    part.end = step.offsets[i + 1];
  } else if (step.wide_offsets != nullptr) {
    part.entry = step.wide_offsets[i] + lane;
    part.end = step.wide_offsets[i + 1];
  }
  if (part.entry < part.end) {
    part.column = step.columns[part.entry];
    part.value = step.values[part.entry];
  }
  return part;
}

template <class Scalar>
KOKKOS_FUNCTION Scalar sum_of_part(const Step<Scalar>& step, const RowPart<Scalar>& part,
                                   const Scalar* x, int lanes) {
  if (part.entry >= part.end) return 0;
  const Ordinal* const columns = step.columns;
  const Scalar* const values = step.values;
  Scalar sum = part.value * x[part.column];
  TESSERA_UNROLL_FOR_LOADS
  for (std::int64_t entry = part.entry + lanes; entry < part.end; entry += lanes)
    sum += values[entry] * x[columns[entry]];
  return sum;
}

template <class Scalar>
KOKKOS_FUNCTION double part_of_dense_row(const Step<Scalar>& step, const Scalar* x, Ordinal i,
                                         int lane, int lanes) {
  const double* const row = step.dense + static_cast<std::size_t>(i) * step.num_rows;
  double sum = 0;
  TESSERA_UNROLL_FOR_LOADS
  for (Ordinal c = lane; c < step.num_rows; c += lanes)
    sum += row[c] * x[c];
  return sum;
}

/// Work of a crew: see crew.hpp. All of its workers read the same steps and so meet at the same
/// places. Vectors change while it runs: they are read through plain pointers.
template <class Scalar>
struct RunSteps {
  static constexpr int lanes_of_worker = 1024;
  static constexpr int warp = 32;

  const Step<Scalar>* steps;
  int num_steps;
  const std::size_t* begins;  ///< of the vectors in `work`
  int num_vectors;
  Scalar* work;
  const Scalar* b;  ///< vector 0, which no step writes to
  Scalar* x;  ///< vector 1

  static std::size_t scratch_bytes(std::size_t num_steps, std::size_t num_vectors) {
    return num_steps * sizeof(Step<Scalar>) + num_vectors * sizeof(Scalar*);
  }

  template <class Crew>
  KOKKOS_FUNCTION void operator()(Crew& crew) const {
    auto* const here = reinterpret_cast<Step<Scalar>*>(crew.scratch());
    auto* const vectors = reinterpret_cast<Scalar**>(here + num_steps);
    read_steps(crew, here, vectors);
    crew.synchronize_lanes();
    int worker = 0;
    crew.for_each_share([&](int share) { worker = share; });
    RowPart<Scalar> first;
    if (takes_part(here[0], worker)) first = first_part(crew, here[0], worker);
    for (int number = 0; number < num_steps; ++number) {
      const Step<Scalar>& step = here[number];
      if (takes_part(step, worker)) run_rows(crew, step, vectors, worker, first);
      if (number + 1 == num_steps) break;
      if (takes_part(here[number + 1], worker)) first = first_part(crew, here[number + 1], worker);
      if (step.by_one_block && here[number + 1].by_one_block) {
        // The others are at the next barrier, or at the end.
        if (worker == 0) crew.synchronize_lanes();
      } else {
        crew.barrier();
      }
    }
    // Somebody did not come, and what there is means nothing.
    if (crew.has_failed()) {
      crew.for_each(here[num_steps - 1].num_rows,
                    [&](std::int64_t i) { x[i] = Kokkos::Experimental::quiet_NaN_v<Scalar>; });
    }
  }

 private:
  /// To the worker's own memory: after a barrier its caches are empty.
  template <class Crew>
  KOKKOS_FUNCTION void read_steps(const Crew& crew, Step<Scalar>* here, Scalar** vectors) const {
    static_assert(sizeof(Step<Scalar>) % sizeof(std::uint64_t) == 0);
    constexpr int words_per_step = sizeof(Step<Scalar>) / sizeof(std::uint64_t);
    const auto* const from = reinterpret_cast<const std::uint64_t*>(steps);
    auto* const to = reinterpret_cast<std::uint64_t*>(here);
    for (int word = crew.lane(); word < num_steps * words_per_step; word += crew.num_lanes())
      to[word] = from[word];
    for (int v = crew.lane(); v < num_vectors; v += crew.num_lanes()) {
      vectors[v] = v == 0 ? const_cast<Scalar*>(b) : v == 1 ? x : work + begins[v];
    }
  }

  KOKKOS_FUNCTION static bool takes_part(const Step<Scalar>& step, int worker) {
    return !step.by_one_block || worker == 0;
  }

  /// The rows of a step by lanes: which ones are a lane's.
  struct Share {
    std::int64_t first;  ///< of the warp
    std::int64_t stride;
    int row_in_warp;
    int lane;  ///< within its row
  };
  template <class Crew>
  KOKKOS_FUNCTION static Share share_of(const Crew& crew, const Step<Scalar>& step, int worker) {
    const int num_workers = step.by_one_block ? 1 : crew.num_shares();
    const int rows_per_warp = warp / step.lanes;
    // Neighbouring warps belong to different workers: few rows are spread over all of them.
    const std::int64_t first_warp = crew.lane() / warp * num_workers + worker;
    return {first_warp * rows_per_warp,
            static_cast<std::int64_t>(crew.num_lanes() / warp) * num_workers * rows_per_warp,
            crew.lane() % warp / step.lanes, crew.lane() % step.lanes};
  }

  template <class Crew>
  KOKKOS_FUNCTION static RowPart<Scalar> first_part(const Crew& crew, const Step<Scalar>& step,
                                                    int worker) {
    const Share share = share_of(crew, step, worker);
    return part_of_row(step, share.first + share.row_in_warp, share.lane);
  }

  /// The rows that fall to a worker; `part` is the lane's of the first. The lanes of a warp go
  /// round as often: all of them are there for the sum.
  template <class Crew>
  KOKKOS_FUNCTION static void run_rows(const Crew& crew, const Step<Scalar>& step,
                                       Scalar* const* vectors, int worker, RowPart<Scalar> part) {
    const int lanes = step.lanes;
    const Share share = share_of(crew, step, worker);
    const Scalar* const x_in = step.x == no_vector ? nullptr : vectors[step.x];
    for (std::int64_t first = share.first; first < step.num_rows; first += share.stride) {
      const bool has_row = first + share.row_in_warp < step.num_rows;
      const auto i = static_cast<Ordinal>(first + share.row_in_warp);
      RowOperands<Scalar> at;
      if (has_row && share.lane == 0) at = operands_of(step, vectors, i);
      const RowPart<Scalar> next =
          part_of_row(step, first + share.row_in_warp + share.stride, share.lane);
      Scalar s = 0;
      if (step.kind == StepKind::dense) {
        const double sum = has_row ? part_of_dense_row(step, x_in, i, share.lane, lanes) : 0.0;
        s = static_cast<Scalar>(crew.sum_of_lanes(sum, lanes));
      } else if (x_in != nullptr) {
        s = crew.sum_of_lanes(sum_of_part(step, part, x_in, lanes), lanes);
      }
      if (has_row && share.lane == 0) finish_row(step, vectors, i, at, s);
      part = next;
    }
  }
};

}  // namespace tessera::kernels::detail

#undef TESSERA_UNROLL_FOR_LOADS
