// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Sweeps over sets of points over processes are those of one process.
#include "distributed/shares.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/points_smoother.hpp"
#include "tessera/smoother/point_sets_smoother.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace tessera::test::point_sets_test {

constexpr int columns = 3;
constexpr double radius = 2.3;

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
      numbers.push_back((first + i) * 7 % 5 < 2 ? i : -1);
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

Iterates relaxed_together(const SmootherParameters& p, const Level& level) {
  const Space exec;
  const auto op = distributed::make_operator<double>(exec, level.A, StorageParameters{});
  const Array<const double, Space> inverse = distributed::inverse_diagonal(exec, level.A);
  const auto smoother = distributed::make_points_smoother<double, Space>(
      exec, p, op, level.A, inverse, radius,
      distributed::coarse_numbers_here(exec, level.A, level.coarse_number));
  return relaxed(*smoother, level);
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

}  // namespace tessera::test::point_sets_test
