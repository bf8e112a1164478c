// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Prolongators of classical coarsening over processes beside those of one process.
#pragma once

#include "distributed/classical_cases.hpp"
#include "tessera/amg/coarsening/function_part.hpp"
#include "tessera/amg/coarsening/multipass_interpolation.hpp"
#include "tessera/amg/coarsening/node_splitting.hpp"
#include "tessera/amg/coarsening/point_interpolation.hpp"
#include "tessera/amg/coarsening/two_stage_interpolation.hpp"
#include "tessera/distributed/classical_coarsening.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/to_host.hpp"
#include "tessera/kernels/graph/hubs.hpp"

#include <numeric>
#include <random>

namespace tessera::test::classical_cases {

/// Not symmetric, with couplings of both signs, rows without a diagonal, rows that nothing couples
/// to another, and a hub.
inline WholeRows random_rows(unsigned seed, int n) {
  std::mt19937 random(seed);
  const auto below = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  WholeRows made;
  made.rows.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    Row& row = made.rows[static_cast<std::size_t>(i)];
    if (i % 17 != 3)
      for (int e = 0; e < 6; ++e)
        row[below(n)] = 0.01 * (below(100) - 85);
    row.erase(i);
    double sum = 0;
    for (const auto& [column, value] : row)
      sum += std::abs(value);
    if (i % 23 != 5) row[i] = (i % 29 == 7 ? -1 : 1) * (sum + 0.05);
    if (i == n / 2)
      for (int j = 0; j < n - n / 8; ++j)
        if (j != i) row[j] = -0.001;
  }
  return made;
}

/// P by rows, with global numbers of coarse points.
struct Interpolated {
  std::vector<Row> rows;
  std::vector<char> is_coarse;
  std::int64_t num_coarse = 0;
};

/// The splitting and P of one process.
struct OneProcess {
  amg::Splitting<Space> points;
  kernels::Csr<double, Space, std::int64_t> P;
};

inline bool splits_nodes(const amg::ClassicalParameters& p, int block_size) {
  return block_size > 1 && p.systems == amg::SystemSplitting::nodes;
}

/// What points depend on, or nodes by the norms of blocks, with the tolerances that several
/// processes have.
inline kernels::Dependences<Space, std::int64_t> dependences_of(
    const kernels::Csr<double, Space, std::int64_t>& A, const amg::ClassicalParameters& p,
    bool by_sign) {
  return kernels::strong_dependences(Space(), A.view(),
                                     {p.strength_threshold * distributed::above_rounding,
                                      p.max_row_sum * distributed::above_rounding, by_sign,
                                      kernels::longest_ordinary_row(A.num_rows, A.num_entries())});
}

inline OneProcess interpolated(const kernels::Csr<double, Space, std::int64_t>& A,
                               const amg::ClassicalParameters& p, int block_size) {
  const Space exec;
  const bool by_sign = p.strong_couplings == amg::StrongCouplings::by_sign;
  const bool by_nodes = splits_nodes(p, block_size);
  auto part = A;
  if (block_size > 1) {
    const auto functions = amg::functions_of_nodes<Space>(exec, A.num_rows, block_size);
    part = amg::function_pattern(exec, A.view(), functions);
    amg::fill_function_part(exec, A.view(), functions, part);
  }
  auto found = dependences_of(by_nodes ? amg::block_norms(exec, A.view(), block_size) : part, p,
                              by_sign || by_nodes);
  auto first = amg::split_points(exec, found, p.splitting);
  auto last = p.aggressive_levels > 0
                  ? amg::split_coarse_points(exec, found, first, p.splitting, p.aggressive_paths)
                  : first;
  if (by_nodes) {
    first = amg::unknowns_of_nodes(exec, first, block_size);
    last = amg::unknowns_of_nodes(exec, last, block_size);
    found.strong = amg::strong_in_nodes(exec, part.view(), found.strong, block_size, by_sign);
  }
  amg::PhaseTimer<Space> timer(exec, false);
  const auto made_by = [&](auto&& interpolation) {
    const auto P = interpolation.make(exec, part.view(), found.strong, timer);
    timer.stop(exec);
    return OneProcess{last, P};
  };
  if (p.aggressive_levels > 0 &&
      p.aggressive_interpolation == amg::AggressiveInterpolation::multipass)
    return made_by(amg::MultipassInterpolation<double, Space, std::int64_t>(p, last));
  if (p.aggressive_levels > 0)
    return made_by(amg::TwoStageInterpolation<double, Space, std::int64_t>(p, first, last));
  return made_by(amg::OneStageInterpolation<double, Space, std::int64_t>(p, last));
}

/// By the kernels of one process, of the whole matrix.
inline Interpolated by_one_process(const WholeRows& whole, const amg::ClassicalParameters& p,
                                   int block_size = 1) {
  const Space exec;
  const Share share(whole.share({0, static_cast<int>(whole.rows.size())}));
  const auto A = distributed::numbered(exec, distributed::alone(), share.rows()).matrix.rows;
  const auto [split, P] = interpolated(A, p, block_size);
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto offsets = host(P.offsets);
  const auto columns = host(P.columns);
  const auto values = host(P.values);
  const auto number = host(split.coarse_number);
  Interpolated made;
  made.num_coarse = split.num_coarse;
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    Row& row = made.rows.emplace_back();
    for (auto e = offsets(i); e < offsets(i + 1); ++e)
      row[columns(e)] = values(e);
    made.is_coarse.push_back(number(i) >= 0 ? 1 : 0);
  }
  return made;
}

/// The same level with others' columns in descending order: front ends have orders of their own.
inline distributed::LevelRows<Space> with_reversed_ghosts(distributed::LevelRows<Space> fine) {
  auto ghosts = distributed::to_host(Space(), fine.ghosts);
  std::ranges::reverse(ghosts);
  fine.ghosts = distributed::from_host(Space(), ghosts);
  std::vector<Ordinal> number(static_cast<std::size_t>(fine.A.num_cols));
  std::iota(number.begin(), number.end(), 0);
  std::reverse(number.begin() + fine.A.num_rows, number.end());
  fine.A = distributed::renumbered_columns(Space(), fine.A, distributed::from_host(Space(), number),
                                           fine.A.num_cols);
  return fine;
}

/// This process's rows of P have to be those of `expected`, its points coarse or fine as there.
inline void expect_same(const WholeRows& whole, const amg::ClassicalParameters& p, ShareOf share,
                        const Interpolated& expected, bool reverses = false, int block_size = 1) {
  const Space exec;
  const Communicator processes = all_processes();
  const auto n = static_cast<int>(whole.rows.size());
  RowRange range = share(n / block_size, processes->size(), processes->rank());
  range.first *= block_size;
  range.count *= block_size;
  const Share own(whole.share(range));
  const auto A = distributed::numbered(exec, processes, own.rows()).matrix;
  auto fine = distributed::level_rows(A, block_size);
  if (reverses) fine = with_reversed_ghosts(fine);
  distributed::ClassicalCoarsening<Space> coarsening(p);
  Vectors vectors = waves(range.first, range.count);
  std::optional<kernels::Box> box;
  const Ordinal num_coarse = coarsening.choose(exec, *processes, fine, vectors, box);
  EXPECT_EQ(static_cast<Ordinal>(vectors.extent(0)), num_coarse);
  EXPECT_EQ(static_cast<int>(vectors.extent(1)), splits_nodes(p, block_size) ? block_size : 1);
  EXPECT_EQ(processes->sum_of(static_cast<std::int64_t>(num_coarse)), expected.num_coarse);
  const auto host = [](const auto& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  };
  const auto is_coarse = host(coarsening.is_coarse());
  const auto& P = coarsening.make_prolongator(exec, *processes, fine, {});
  const auto offsets = host(P.offsets);
  const auto columns = host(P.columns);
  const auto values = host(P.values);
  for (int i = 0; i < range.count; ++i) {
    const auto row = static_cast<std::size_t>(range.first + i);
    ASSERT_EQ(is_coarse(i), expected.is_coarse[row]) << row;
    Row found;
    for (auto e = offsets(i); e < offsets(i + 1); ++e)
      found[coarsening.columns().global(Space(), columns(e))] = values(e);
    ASSERT_EQ(found.size(), expected.rows[row].size()) << row;
    for (const auto& [column, value] : expected.rows[row]) {
      ASSERT_EQ(found.count(column), 1U) << row;
      ASSERT_NEAR(found[column], value, 1e-13 * std::abs(value)) << row;
    }
  }
  const auto functions = coarsening.functions();
  ASSERT_EQ(functions.has_value(), block_size > 1 && !splits_nodes(p, block_size));
  if (!functions) return;
  const auto of_coarse = host(*functions);
  ASSERT_EQ(static_cast<Ordinal>(of_coarse.extent(0)), num_coarse);
  Ordinal number = 0;
  for (Ordinal i = 0; i < range.count; ++i) {
    if (is_coarse(i) == 0) continue;
    EXPECT_EQ(of_coarse(number++), i % block_size) << i;
  }
}

}  // namespace tessera::test::classical_cases
