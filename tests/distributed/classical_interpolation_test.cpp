// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Classical coarsening over processes interpolates as one process does.
#include "distributed/classical_prolongators.hpp"

#include <span>

namespace tessera::test::classical_interpolation_test {

using namespace classical_cases;

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
void expect_new_values(const amg::ClassicalParameters& p, int block_size = 1) {
  const Space exec;
  const Communicator processes = all_processes();
  const WholeRows before =
      rows_of({.problem = block_size == 1 ? ProblemKind::unstructured2d : ProblemKind::elasticity2d,
               .n = 30});
  WholeRows after = before;
  for (std::size_t i = 0; i < after.rows.size(); ++i)
    for (auto& [column, value] : after.rows[i])
      value *= 1 + 0.3 * std::sin(static_cast<double>(i + 7 * static_cast<std::size_t>(column)));
  const auto n = static_cast<int>(before.rows.size());
  const auto rows_of_P = [&](const Communicator& who, bool twice) {
    RowRange range = odd_share(n / block_size, who->size(), who->rank());
    range.first *= block_size;
    range.count *= block_size;
    const Share old_rows(before.share(range));
    const Share new_rows(after.share(range));
    distributed::ClassicalCoarsening<Space> coarsening(p);
    auto fine = distributed::level_rows(distributed::numbered(exec, who, old_rows.rows()).matrix,
                                        block_size);
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
            values(e) *
            std::cos(static_cast<double>(coarsening.columns().global(Space(), columns(e))));
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
    expect_new_values({.max_row_sum = 1, .interpolation = known.value, .max_row_entries = 0});
  }
}

TEST(DistributedAggressive, InterpolatesNewValues) {
  expect_new_values({.max_row_sum = 1, .max_row_entries = 0, .aggressive_levels = 1});
}

TEST(DistributedMultipass, InterpolatesNewValues) {
  for (const int unknowns : {1, 2})
    expect_new_values({.max_row_sum = 1,
                       .max_row_entries = 0,
                       .aggressive_levels = 1,
                       .aggressive_interpolation = amg::AggressiveInterpolation::multipass},
                      unknowns);
}

TEST(DistributedFronts, InterpolateNewValues) {
  for (const int levels : {0, 1})
    expect_new_values({.max_row_sum = 1,
                       .splitting = amg::PointSplitting::advancing_front,
                       .max_row_entries = 0,
                       .aggressive_levels = levels});
}

TEST(DistributedClassicalSystems, InterpolateNewValues) {
  for (const auto& way : amg::system_splitting_names) {
    SCOPED_TRACE(way.name);
    expect_new_values({.max_row_sum = 1, .max_row_entries = 0, .systems = way.value}, 2);
  }
}

}  // namespace tessera::test::classical_interpolation_test
