// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sweeps over sets of points over processes are those of one process.
#include "distributed/shares.hpp"
#include "tessera/distributed/counting_communicator.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/points_smoother.hpp"
#include "tessera/smoother/point_sets_smoother.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <array>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tessera::test::point_sets_test {

constexpr int columns = 3;
constexpr double radius = 2.3;

bool is_coarse(std::int64_t row) { return row * 7 % 5 < 2; }

/// A share of the matrix, and which of its rows are coarse points: two of five, here and there.
struct Level {
  std::int64_t first;
  distributed::Matrix<Space> A;
  Array<const Ordinal, Space> coarse_number;

  Level(const std::shared_ptr<const distributed::Communicator>& processes,
        const GalleryParameters& gallery, RowRange (*share)(int, int, int)) {
    const SharedProblem problem(gallery, processes->size(), processes->rank(), share);
    first = problem.first;
    A = distributed::numbered(Space(), processes, Share(problem.host).rows()).matrix;
    std::vector<Ordinal> numbers;
    for (int i = 0; i < problem.num_rows(); ++i)
      numbers.push_back(is_coarse(first + i) ? i : -1);
    coarse_number = on_device(numbers);
  }
  int num_rows() const { return A.rows.num_rows; }
};

/// From the guess zero, from another before the correction, and after it.
using Iterates = std::array<std::vector<double>, 3>;

Iterates relaxed(Smoother<double, Space>& smoother, const Level& level) {
  const Space exec;
  const int n = level.num_rows();
  const Vectors b = waves(level.first, n, columns);
  const auto guess = [&] { return waves(level.first + 7, n, columns); };
  smoother.prepare(exec, columns);
  const Vectors from_zero = guess(), before = guess(), after = guess();
  smoother.apply(exec, b, from_zero);
  smoother.smooth(exec, b, before, before);
  smoother.smooth_after(exec, b, after, after);
  exec.fence();
  return {on_host(from_zero), on_host(before), on_host(after)};
}

/// By the smoother of one process, of all rows.
Iterates relaxed_alone(const SmootherParameters& p, const Level& level) {
  const Space exec;
  const Array<const double, Space> inverse = distributed::inverse_diagonal(exec, level.A);
  const auto smoother = make_points_smoother<double, Space, std::int64_t>(
      exec, p, level.A.rows.view(), inverse, radius, level.coarse_number);
  return relaxed(*smoother, level);
}

std::unique_ptr<Smoother<double, Space>> smoother_of(const SmootherParameters& p,
                                                     const Level& level) {
  const Space exec;
  const auto op = distributed::make_operator<double>(exec, level.A, StorageParameters{});
  const Array<const double, Space> inverse = distributed::inverse_diagonal(exec, level.A);
  const auto numbers = distributed::coarse_numbers_here(exec, level.A, level.coarse_number);
  return distributed::make_points_smoother<double, Space>(
      exec, p, op, level.A, inverse, radius, numbers,
      distributed::halos_of_sets<Space>(exec, level.A, numbers, p.points));
}

Iterates relaxed_together(const SmootherParameters& p, const Level& level) {
  return relaxed(*smoother_of(p, level), level);
}

/// The largest difference over all processes.
double largest_difference(const std::vector<double>& own, std::int64_t first,
                          const std::vector<double>& whole) {
  const std::size_t n = own.size() / columns, all = whole.size() / columns;
  double numbers[] = {0};
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < n; ++i)
      numbers[0] =
          std::max(numbers[0],
                   std::abs(own[j * n + i] - whole[j * all + static_cast<std::size_t>(first) + i]));
  all_processes()->maximum(std::span<double>(numbers));
  return numbers[0];
}

TEST(DistributedPointSets, RelaxAsOnOneProcess) {
  const GalleryParameters gallery{.problem = ProblemKind::convdiff2d, .n = 17, .peclet = 50};
  const Level whole(distributed::alone(), gallery, odd_share);
  for (const auto share : {odd_share, share_of_pairs, growing_share}) {
    const Level level(all_processes(), gallery, share);
    for (const auto type : {SmootherType::jacobi, SmootherType::l1_jacobi}) {
      for (const auto points : {RelaxationPoints::f, RelaxationPoints::fc, RelaxationPoints::cf}) {
        for (const int sweeps : {1, 2}) {
          SCOPED_TRACE(std::string(smoother_name(type)) + ' ' +
                       std::to_string(static_cast<int>(points)) + ' ' + std::to_string(sweeps));
          const SmootherParameters p{.type = type, .sweeps = sweeps, .points = points};
          const Iterates alone = relaxed_alone(p, whole), together = relaxed_together(p, level);
          for (std::size_t k = 0; k < alone.size(); ++k)
            EXPECT_LT(largest_difference(together[k], level.first, alone[k]), 1e-13) << k;
        }
      }
    }
  }
}

/// What a sweep over own rows of a set has others send: the unknowns that these have entries in.
distributed::Traffic traffic_for(const HostShare& rows, const Level& level, bool coarse) {
  const std::int64_t first = level.first;
  std::set<std::int64_t> others;
  for (int i = 0; i < rows.num_rows(); ++i) {
    if (is_coarse(first + i) != coarse) continue;
    for (auto e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e)
      if (rows.columns[e] < first || rows.columns[e] >= first + rows.num_rows())
        others.insert(rows.columns[e]);
  }
  std::set<int> senders;
  for (const auto column : others)
    senders.insert(level.A.column_shares->owner(column));
  return {static_cast<std::int64_t>(senders.size()),
          static_cast<std::int64_t>(others.size() * columns * sizeof(double)), 0};
}

/// The same of all processes.
distributed::Traffic of_all(const distributed::Traffic& own) {
  return {all_processes()->sum_of(own.messages), all_processes()->sum_of(own.bytes),
          own.reductions};
}

/// A sweep over a set sends what its rows read, to whom has such rows.
TEST(DistributedPointSets, SendWhatTheirRowsRead) {
  const Space exec;
  const GalleryParameters gallery{.problem = ProblemKind::poisson2d, .n = 17};
  for (const auto share : {odd_share, share_of_pairs, growing_share}) {
    const auto processes =
        std::make_shared<const distributed::CountingCommunicator>(all_processes());
    const SharedProblem problem(gallery, num_processes(), process(), share);
    const Level level(processes, gallery, share);
    const auto fine = of_all(traffic_for(problem.host, level, false));
    auto both = of_all(traffic_for(problem.host, level, true));
    both += fine;
    for (const auto points : {RelaxationPoints::f, RelaxationPoints::fc}) {
      const auto smoother = smoother_of({.type = SmootherType::jacobi, .points = points}, level);
      const Vectors b = waves(level.first, level.num_rows(), columns);
      const Vectors x = zeros(level.num_rows(), columns);
      smoother->prepare(exec, columns);
      const auto before = processes->counted();
      smoother->smooth(exec, b, x, x);
      auto sent = processes->counted();
      sent -= before;
      EXPECT_EQ(of_all(sent), points == RelaxationPoints::f ? fine : both);
    }
    // Of a row's couplings to others most are in one direction: both sweeps send less than the
    // unknowns of others twice.
    const auto whole = all_processes()->sum_of(
        static_cast<std::int64_t>(level.A.ghosts.extent(0) * columns * sizeof(double)));
    EXPECT_TRUE(whole == 0 || both.bytes < 2 * whole);
    EXPECT_TRUE(whole > 0 || num_processes() == 1 || share != odd_share);
  }
}

}  // namespace tessera::test::point_sets_test
