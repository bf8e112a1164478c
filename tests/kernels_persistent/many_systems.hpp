// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The systems of the tests of many solves, and the cooperative groups by which devices are to
/// solve them.
#pragma once
#include "kernels_persistent/persistent_solves.hpp"

#include <string>

namespace tessera::test {

/// Solves at the start of every `solves_of_period` that have a system and a tuning of their own, so
/// that the first of all, which are those under compute-sanitizer, reach every kind of group. Those
/// between them have small systems.
inline constexpr int chosen_solves = 28;
inline constexpr int solves_of_period = 280;
inline bool is_chosen(int solve) { return solve % solves_of_period < chosen_solves; }

/// The first are of 3 to 2,088 rows. Those behind them are named by the blocks or the work that
/// they take by default (run_solve.hpp).
inline constexpr int num_small = 12;
enum LargerSystem : int {
  of_small_cluster = num_small,  ///< whose lanes hold entries in registers
  of_cluster,
  of_grid,
  of_long_rows,  ///< one that a block shares, and one that a warp does, beside short ones
  of_multigrid,
  num_systems
};

/// A few iterations do for it.
template <class Scalar>
HostMatrix<Scalar> easy_poisson(std::int32_t nx, std::int32_t ny) {
  auto A = poisson<Scalar>(nx, ny);
  for_each_entry(
      A, [&](std::int32_t i, std::int32_t j, auto& value) { value += Scalar(j == i ? 20 : 0); });
  return A;
}

/// The first of 2,209 unknowns has to do with all, the one in the middle with each seventh.
template <class Scalar>
HostMatrix<Scalar> poisson_with_long_rows() {
  const auto A = easy_poisson<Scalar>(47, 47);
  const std::int32_t n = A.num_rows;
  const auto reaches = [&](std::int32_t from, std::int32_t to) {
    return from == 0 || (from == n / 2 && to % 7 == 0);
  };
  return by_rows<Scalar>(n, n, [&](auto& result, std::int32_t i) {
    auto e = A.offsets[i];
    for (std::int32_t j = 0; j < n; ++j) {
      if (e < A.offsets[i + 1] && A.columns[e] == j) {
        result.push(j, A.values[e++]);
      } else if (reaches(i, j) || reaches(j, i)) {
        result.push(j, Scalar(-1.0 / 64));
      }
    }
  });
}

template <class Scalar>
HostMatrix<Scalar> system_of_many(int number) {
  switch (number) {
    case of_small_cluster:
      return easy_poisson<Scalar>(64, 64);
    case of_cluster:
      return easy_poisson<Scalar>(100, 100);
    case of_grid:
      return easy_poisson<Scalar>(160, 160);
    case of_long_rows:
      return poisson_with_long_rows<Scalar>();
    case of_multigrid:
      return poisson<Scalar>(47, 47);
    default:
      return poisson<Scalar>(3 + 5 * number, 1 + 7 * (number % 6));
  }
}

enum class Blocks {
  any,  ///< whatever is chosen
  one,
  few,  ///< no more than a cluster may have
  many,
  cluster
};

/// Whether a solve has converged; the running test fails where it has not.
inline bool ends_well(const PersistentReport& report, const PersistentLimits& limits) {
  const bool is_well = report.end == PersistentEnd::converged &&
                       report.residual_norm <= limits.tolerance * report.rhs_norm * (1 + 1e-12);
  EXPECT_TRUE(is_well) << "ended as " << static_cast<int>(report.end) << " after "
                       << report.iterations << " iterations";
  return is_well;
}

/// For asking a device about clusters.
struct NoWork {
  template <class Group>
  KOKKOS_FUNCTION void operator()(Group&) const {}
};

/// That a device solves by the blocks that a test is there for. A host has none, and few devices
/// have clusters: without them the test has the property `without_clusters`.
template <class Space>
void expect_blocks([[maybe_unused]] const Space& exec, [[maybe_unused]] Blocks expected,
                   [[maybe_unused]] const kernels::CooperativeShape& shape) {
  if constexpr (!kernels::is_host_space<Space>) {
    if (expected == Blocks::any) return;
    constexpr int max_of_cluster = 16;
    const std::string found = std::to_string(shape.shares) + " blocks";
    if (expected == Blocks::cluster) {
      constexpr int chosen = 12;
      if (kernels::max_cluster_shares<NoWork>(exec, 512, 0) < chosen) {
        ::testing::Test::RecordProperty("without_clusters", found);
        return;
      }
      EXPECT_TRUE(shape.in_cluster) << found;
      EXPECT_GT(shape.shares, 1);
      return;
    }
    EXPECT_FALSE(shape.in_cluster) << found;
    if (expected == Blocks::one) {
      EXPECT_EQ(shape.shares, 1);
    }
    if (expected == Blocks::few) {
      EXPECT_GT(shape.shares, 1);
      EXPECT_LE(shape.shares, max_of_cluster);
    }
    if (expected == Blocks::many) {
      EXPECT_GT(shape.shares, max_of_cluster);
    }
  }
}

}  // namespace tessera::test
