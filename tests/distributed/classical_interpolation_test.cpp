// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening over processes interpolates as one process does.
#include "distributed/classical_cases.hpp"
#include "tessera/amg/coarsening/point_interpolation.hpp"
#include "tessera/distributed/classical_coarsening.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/kernels/graph/hubs.hpp"

#include <random>
#include <span>

namespace tessera::test::classical_interpolation_test {

using namespace classical_cases;

/// Not symmetric, with couplings of both signs, rows without a diagonal, rows that nothing couples
/// to another, and a hub.
WholeRows random_rows(unsigned seed, int n) {
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

/// By the kernels of one process, of the whole matrix.
Interpolated by_one_process(const WholeRows& whole, const amg::ClassicalParameters& p) {
  const Space exec;
  const Share share(whole.share({0, static_cast<int>(whole.rows.size())}));
  const auto A = distributed::numbered(exec, distributed::alone(), share.rows()).matrix.rows;
  auto found =
      kernels::strong_dependences(exec, A.view(),
                                  {p.strength_threshold * distributed::above_rounding,
                                   p.max_row_sum * distributed::above_rounding,
                                   p.strong_couplings == amg::StrongCouplings::by_sign,
                                   kernels::longest_ordinary_row(A.num_rows, A.num_entries())});
  const auto split = amg::split_points(exec, found, p.splitting);
  amg::OneStageInterpolation<double, Space, std::int64_t> interpolation(p, split);
  amg::PhaseTimer<Space> timer(exec, false);
  const auto P = interpolation.make(exec, A.view(), found.strong, timer);
  timer.stop(exec);
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
distributed::LevelRows<Space> with_reversed_ghosts(distributed::LevelRows<Space> fine) {
  std::ranges::reverse(fine.ghosts);
  std::vector<Ordinal> number(static_cast<std::size_t>(fine.A.num_cols));
  std::iota(number.begin(), number.end(), 0);
  std::reverse(number.begin() + fine.A.num_rows, number.end());
  fine.A = distributed::renumbered_columns(Space(), fine.A, number, fine.A.num_cols);
  return fine;
}

/// This process's rows of P have to be those of `expected`, its points coarse or fine as there.
void expect_same(const WholeRows& whole, const amg::ClassicalParameters& p, ShareOf share,
                 const Interpolated& expected, bool reverses = false) {
  const Space exec;
  const Communicator processes = all_processes();
  const auto n = static_cast<int>(whole.rows.size());
  const RowRange range = share(n, processes->size(), processes->rank());
  const Share own(whole.share(range));
  const auto A = distributed::numbered(exec, processes, own.rows()).matrix;
  auto fine = distributed::level_rows(A, 1);
  if (reverses) fine = with_reversed_ghosts(fine);
  distributed::ClassicalCoarsening<Space> coarsening(p);
  Vectors vectors = waves(range.first, range.count);
  std::optional<kernels::Box> box;
  const Ordinal num_coarse = coarsening.choose(exec, *processes, fine, vectors, box);
  EXPECT_EQ(static_cast<Ordinal>(vectors.extent(0)), num_coarse);
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
      found[coarsening.columns().global(columns(e))] = values(e);
    ASSERT_EQ(found.size(), expected.rows[row].size()) << row;
    for (const auto& [column, value] : expected.rows[row]) {
      ASSERT_EQ(found.count(column), 1U) << row;
      ASSERT_NEAR(found[column], value, 1e-13 * std::abs(value)) << row;
    }
  }
}

TEST(DistributedClassical, InterpolatesAsOneProcess) {
  for (const GalleryParameters& gallery : gallery_problems()) {
    SCOPED_TRACE(to_string(gallery.problem));
    const WholeRows whole = rows_of(gallery);
    const amg::ClassicalParameters p;
    const Interpolated expected = by_one_process(whole, p);
    EXPECT_GT(expected.num_coarse, 1);
    for (const ShareOf share : all_shares)
      expect_same(whole, p, share, expected);
    expect_same(whole, p, odd_share, expected, true);
  }
}

TEST(DistributedClassical, InterpolatesAnyRowsAsOneProcess) {
  using enum amg::Interpolation;
  unsigned seed = 0;
  for (const auto interpolation : {extended_i, extended_e, direct, classical_modified}) {
    for (const int entries : {0, 2}) {
      for (const auto strong :
           {amg::StrongCouplings::by_sign, amg::StrongCouplings::by_magnitude}) {
        SCOPED_TRACE(++seed);
        const WholeRows whole = random_rows(seed, 1600);
        const amg::ClassicalParameters p{.strong_couplings = strong,
                                         .max_row_sum = 0.99,
                                         .interpolation = interpolation,
                                         .truncation_factor = entries == 0 ? 0.1 : 0,
                                         .max_row_entries = entries};
        const Interpolated expected = by_one_process(whole, p);
        EXPECT_GT(expected.num_coarse, 1);
        for (const ShareOf share : all_shares)
          expect_same(whole, p, share, expected);
      }
    }
  }
}

/// Values that are no multiple of the old ones: P is made again of them.
void expect_new_values(amg::Interpolation interpolation) {
  const Space exec;
  const Communicator processes = all_processes();
  const WholeRows before = rows_of({.problem = ProblemKind::unstructured2d, .n = 30});
  WholeRows after = before;
  for (std::size_t i = 0; i < after.rows.size(); ++i)
    for (auto& [column, value] : after.rows[i])
      value *= 1 + 0.3 * std::sin(static_cast<double>(i + 7 * static_cast<std::size_t>(column)));
  const amg::ClassicalParameters p{
      .max_row_sum = 1, .interpolation = interpolation, .max_row_entries = 0};
  const auto n = static_cast<int>(before.rows.size());
  const auto rows_of_P = [&](const Communicator& who, bool twice) {
    const RowRange range = odd_share(n, who->size(), who->rank());
    const Share old_rows(before.share(range));
    const Share new_rows(after.share(range));
    distributed::ClassicalCoarsening<Space> coarsening(p);
    auto fine =
        distributed::level_rows(distributed::numbered(exec, who, old_rows.rows()).matrix, 1);
    Vectors vectors = waves(range.first, range.count);
    std::optional<kernels::Box> box;
    coarsening.choose(exec, *who, fine, vectors, box);
    coarsening.make_prolongator(exec, *who, fine, {});
    fine.A = distributed::numbered(exec, who, new_rows.rows()).matrix.rows;
    if (twice) coarsening.remake_transfers(exec, *who, fine, {});
    std::vector<double> sums(static_cast<std::size_t>(n), 0.0);
    const auto offsets =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coarsening.prolongator().offsets);
    const auto values =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coarsening.prolongator().values);
    const auto columns =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coarsening.prolongator().columns);
    for (int i = 0; i < range.count; ++i)
      for (auto e = offsets(i); e < offsets(i + 1); ++e)
        sums[static_cast<std::size_t>(range.first + i)] +=
            values(e) * std::cos(static_cast<double>(coarsening.columns().global(columns(e))));
    who->sum(std::span<double>(sums));
    return sums;
  };
  const auto expected = rows_of_P(distributed::alone(), true);
  const auto found = rows_of_P(processes, true);
  const auto old = rows_of_P(processes, false);
  double moved = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 1e-12) << i;
    moved = std::max(moved, std::abs(old[i] - expected[i]));
  }
  EXPECT_GT(moved, 0.01);
}

TEST(DistributedClassical, InterpolatesNewValues) {
  for (const auto& known : amg::interpolation_names) {
    SCOPED_TRACE(known.name);
    expect_new_values(known.value);
  }
}

}  // namespace tessera::test::classical_interpolation_test
