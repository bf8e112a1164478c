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

/// The part of row `i`'s product with x that falls to a lane: entries `lane`, `lane + lanes`, ...
template <class Scalar, class Offset>
KOKKOS_FUNCTION Scalar part_of_row(const Step<Scalar>& step, const Offset* offsets, const Scalar* x,
                                   Ordinal i, int lane, int lanes) {
  const Ordinal* const columns = step.columns;
  const Scalar* const values = step.values;
  const Offset end = offsets[i + 1];
  Scalar sum = 0;
  TESSERA_UNROLL_FOR_LOADS
  for (Offset entry = offsets[i] + lane; entry < end; entry += lanes)
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
    for (int number = 0; number < num_steps; ++number) {
      const Step<Scalar>& step = here[number];
      if (!step.by_one_block) {
        run_rows(crew, step, vectors, worker, crew.num_shares());
      } else if (worker == 0) {
        run_rows(crew, step, vectors, 0, 1);
      }
      if (number + 1 == num_steps) break;
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

  /// The rows that fall to one of `num_workers`. The lanes of a warp go round as often: all of them
  /// are there for the sum.
  template <class Crew>
  KOKKOS_FUNCTION void run_rows(const Crew& crew, const Step<Scalar>& step, Scalar* const* vectors,
                                int worker, int num_workers) const {
    const int lanes = step.lanes;
    const int lane = crew.lane() % lanes;
    const int rows_per_warp = warp / lanes;
    const int row_in_warp = crew.lane() % warp / lanes;
    // Neighbouring warps belong to different workers: few rows are spread over all of them.
    const std::int64_t first_warp = crew.lane() / warp * num_workers + worker;
    const std::int64_t stride =
        static_cast<std::int64_t>(crew.num_lanes() / warp) * num_workers * rows_per_warp;
    const Scalar* const x_in = step.x == no_vector ? nullptr : vectors[step.x];
    for (std::int64_t first = first_warp * rows_per_warp; first < step.num_rows; first += stride) {
      const bool has_row = first + row_in_warp < step.num_rows;
      const auto i = static_cast<Ordinal>(first + row_in_warp);
      Scalar s = 0;
      if (step.kind == StepKind::dense) {
        const double part = has_row ? part_of_dense_row(step, x_in, i, lane, lanes) : 0.0;
        s = static_cast<Scalar>(crew.sum_of_lanes(part, lanes));
      } else if (step.offsets != nullptr) {
        if (has_row) s = part_of_row(step, step.offsets, x_in, i, lane, lanes);
        s = crew.sum_of_lanes(s, lanes);
      } else if (step.wide_offsets != nullptr) {
        if (has_row) s = part_of_row(step, step.wide_offsets, x_in, i, lane, lanes);
        s = crew.sum_of_lanes(s, lanes);
      }
      if (has_row && lane == 0) finish_row(step, vectors, i, s);
    }
  }
};

}  // namespace tessera::kernels::detail

#undef TESSERA_UNROLL_FOR_LOADS
