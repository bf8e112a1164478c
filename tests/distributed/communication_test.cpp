// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What processes send each other, and matrices made of it, against the whole.
#include "distributed/shares.hpp"

#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/inverse_diagonal.hpp"
#include "support/reference_product.hpp"
#include "support/storage_formats.hpp"
#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/distributed/diagonal_block.hpp"
#include "tessera/distributed/from_host.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/spectrum.hpp"
#include "tessera/distributed/transposition.hpp"
#include "tessera/kernels/execution/memory_tracker.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <stdexcept>

namespace tessera::test::communication_test {

using distributed::Partition;

TEST(DistributedCommunication, SumsAndBroadcasts) {
  const auto& p = *all_processes();
  double sums[] = {1, static_cast<double>(p.rank())};
  p.sum(std::span<double>(sums));
  EXPECT_EQ(sums[0], p.size());
  EXPECT_EQ(sums[1], p.size() * (p.size() - 1) / 2);
  EXPECT_EQ(p.minimum_of(p.rank() - 3.0), -3);
  EXPECT_EQ(p.maximum_of(p.rank()), p.size() - 1);
  EXPECT_EQ(p.sum_of(std::int64_t(1) << 40), std::int64_t(p.size()) << 40);
  std::int64_t told = p.rank() == p.size() - 1 ? 4711 : 0;
  p.broadcast(std::as_writable_bytes(std::span(&told, 1)), p.size() - 1);
  EXPECT_EQ(told, 4711);
}

/// The two parts are those that `kept_columns` makes of the same rows, one by one.
TEST(DistributedCommunication, SplitsColumns) {
  const Space exec;
  std::mt19937 random(7);
  for (const int own : {0, 1, 40, 60}) {
    SCOPED_TRACE(std::to_string(own) + " own columns of 60");
    std::uniform_int_distribution<int> length(0, 9);
    std::uniform_int_distribution<int> any_column(0, 59);
    const auto host = by_rows<double>(200, 60, [&](auto& A, Ordinal row) {
      std::set<int> columns;
      for (int left = row % 7 == 0 ? 0 : length(random); left > 0; --left)
        columns.insert(any_column(random));
      std::vector<int> shuffled(columns.begin(), columns.end());
      std::ranges::shuffle(shuffled, random);
      for (const int column : shuffled)
        A.push(column, row + 0.01 * column);
    });
    const auto A = make_csr<std::int64_t>(exec, host);
    const auto numbers = [&](int first, int last) {
      std::vector<Ordinal> made(60, -1);
      std::iota(made.begin() + first, made.begin() + last, 0);
      return distributed::from_host(exec, made);
    };
    const auto expect_same = [&](const auto& part, const auto& expected, bool has_values) {
      EXPECT_EQ(part.num_cols, expected.num_cols);
      EXPECT_TRUE(same_bits(part.offsets, expected.offsets));
      EXPECT_TRUE(same_bits(part.columns, expected.columns));
      EXPECT_TRUE(!has_values || same_bits(part.values, expected.values));
    };
    const auto first = distributed::kept_columns(exec, A.view(), numbers(0, own), own);
    const auto second = distributed::kept_columns(exec, A.view(), numbers(own, 60), 60 - own);
    const auto split = distributed::split_columns(exec, A.view(), own);
    exec.fence();
    expect_same(split.own, first, true);
    expect_same(split.others, second, true);
    expect_same(distributed::own_pattern(exec, A.view(), own), first, false);
  }
  // A process without rows may have no offsets.
  const kernels::CsrView<double, Space, std::int64_t> no_rows{0, 60, 0, {}, {}, {}};
  const auto split = distributed::split_columns(exec, no_rows, 40);
  EXPECT_EQ(split.own.num_entries(), 0U);
  EXPECT_EQ(split.own.offsets.extent(0), 1U);
  EXPECT_EQ(split.others.num_cols, 20);
}

TEST(DistributedCommunication, FindsOwners) {
  const Partition shares(*all_processes(), process() % 2 == 0 ? 3 : 0);
  EXPECT_EQ(shares.size(), 3 * ((num_processes() + 1) / 2));
  EXPECT_EQ(shares.own(), process() % 2 == 0 ? 3 : 0);
  for (std::int64_t row = 0; row < shares.size(); ++row)
    EXPECT_EQ(shares.owner(row), 2 * static_cast<int>(row / 3));
}

/// Each process wants every third number of all.
TEST(DistributedCommunication, BringsWhatIsWanted) {
  const int own = 5 + process();
  const Partition shares(*all_processes(), own);
  std::vector<Partition::Global> ghosts;
  for (std::int64_t number = process() % 3; number < shares.size(); number += 3)
    if (!shares.is_own(number)) ghosts.push_back(number);
  const auto plan = distributed::halo_plan(Space(), all_processes(), shares, ghosts);
  ASSERT_EQ(plan == nullptr, num_processes() == 1);
  const MemoryTracker memory(Space::memory_space::name(), true);
  distributed::Exchange<double, Space> exchange(plan);
  EXPECT_EQ(memory.live_bytes(), 0) << "the lists are the plan's";
  const Space exec;
  for (const int columns : {1, 3}) {
    const auto x = waves(shares.first(), own, columns);
    for (int round = 0; round < 2; ++round) {
      exchange.begin(exec, x);
      const auto come =
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), exchange.end(exec));
      for (std::size_t g = 0; g < ghosts.size(); ++g)
        for (int j = 0; j < columns; ++j)
          EXPECT_EQ(come(g * columns + j), std::sin(1 + 3.7 * static_cast<double>(ghosts[g]) + j));
    }
  }
}

TEST(DistributedCommunication, GathersAndGivesBack) {
  const int own = process() == 1 ? 0 : 4;
  const Partition shares(*all_processes(), own);
  distributed::Exchange<double, Space> exchange(
      distributed::gathering_plan(Space(), all_processes(), shares));
  const int all = process() == 0 ? static_cast<int>(shares.size()) : 0;
  const Vectors gathered = zeros(all, 2);
  const auto x = waves(shares.first(), own, 2);
  exchange.forward(Space(), x, gathered);
  EXPECT_EQ(on_host(gathered), on_host(waves(0, all, 2)));
  const Vectors back = zeros(own, 2);
  exchange.backward(Space(), gathered, back);
  EXPECT_EQ(on_host(back), on_host(x));
}

TEST(DistributedCommunication, ThrowsOnAllWhereOneDoes) {
  const int last = num_processes() - 1;
  const auto error = error_of([&] {
    distributed::on_all_processes(*all_processes(), [&] {
      if (process() == last) throw Error(ErrorKind::bad_input, "this one");
    });
  });
  expect_error(error, ErrorKind::bad_input, {"this one"});
  if (last > 0) expect_error(error, ErrorKind::bad_input, {"process " + std::to_string(last)});
}

/// A's product with x on all rows, by the whole matrix.
std::vector<double> whole_product(const GalleryParameters& gallery, bool transposed) {
  const SharedProblem whole(gallery, 1, 0);
  const auto x = on_host(waves(0, whole.num_rows()));
  std::vector<double> y(x.size(), 0.0);
  for (int i = 0; i < whole.num_rows(); ++i)
    for (auto e = whole.host.offsets[i]; e < whole.host.offsets[i + 1]; ++e) {
      const auto j = static_cast<std::size_t>(whole.host.columns[e]);
      y[transposed ? j : i] += whole.host.values[e] * x[transposed ? i : j];
    }
  return y;
}

TEST(DistributedMatrix, MultipliesAsTheWhole) {
  const Space exec;
  for (const auto kind : {ProblemKind::convdiff2d, ProblemKind::elasticity3d}) {
    const GalleryParameters gallery{.problem = kind, .n = kind == ProblemKind::convdiff2d ? 17 : 4};
    SCOPED_TRACE(to_string(kind));
    const SharedProblem problem(gallery);
    const Share share(problem.host);
    const auto A = distributed::numbered(exec, all_processes(), share.rows()).matrix;
    const auto x = waves(problem.first, problem.num_rows());
    const Vectors y = zeros(problem.num_rows());
    const auto expected = whole_product(gallery, false);
    for (const auto format : storage_formats_to_choose()) {
      SCOPED_TRACE(static_cast<int>(format));
      distributed::make_operator<double>(exec, A, {format, StorageScalar::same})
          ->apply(exec, 1, x, 0, y);
      EXPECT_LT(distance(y, problem.first, expected), 1e-13);
    }
    distributed::Transposition<Space> transposition;
    const auto& At = transposition.make(exec, A);
    distributed::make_operator<double>(exec, At, {})->apply(exec, 1, x, 0, y);
    EXPECT_LT(distance(y, problem.first, whole_product(gallery, true)), 1e-13);
    // New values go the same way.
    const auto twice = distributed::times_power_of_two(exec, A, 1);
    distributed::make_operator<double>(exec, transposition.remake(exec, twice), {})
        ->apply(exec, 0.5, x, 0, y);
    EXPECT_LT(distance(y, problem.first, whole_product(gallery, true)), 1e-13);
  }
}

/// The spectral radius does not depend on the number of processes.
TEST(DistributedMatrix, HasTheSpectralRadiusOfTheWhole) {
  const Space exec;
  for (const auto kind : {ProblemKind::poisson2d, ProblemKind::convdiff2d}) {
    SCOPED_TRACE(to_string(kind));
    const GalleryParameters gallery{.problem = kind, .n = 20};
    const bool is_symmetric = kind == ProblemKind::poisson2d;
    const auto radius = [&](const std::shared_ptr<const distributed::Communicator>& processes) {
      const SharedProblem problem(gallery, processes->size(), processes->rank());
      const Share share(problem.host);
      const auto A = distributed::numbered(exec, processes, share.rows()).matrix;
      EXPECT_EQ(distributed::looks_symmetric(exec, A), is_symmetric);
      const auto radius_of = [&](const distributed::Matrix<Space>& matrix) {
        return distributed::spectral_radius(
            exec, matrix, distributed::inverse_diagonal(exec, matrix), is_symmetric, 8);
      };
      // That of D^-1 A, where a sign of A's cancels.
      auto negative = A;
      negative.rows.values = Array<double, Space>("values", A.rows.values.extent(0));
      Kokkos::deep_copy(exec, negative.rows.values, A.rows.values);
      kernels::scale<double, Space>(exec, -1, as_multivector(negative.rows.values));
      EXPECT_NEAR(radius_of(negative), radius_of(A), 1e-9);
      return radius_of(A);
    };
    EXPECT_NEAR(radius(all_processes()), radius(distributed::alone()), 1e-9);
  }
}

/// From the same start: it is not to depend on which of the two solves.
TEST(DistributedMatrix, HasTheSpectralRadiusOfOtherSolvers) {
  const Space exec;
  const GalleryParameters problems[] = {{.problem = ProblemKind::poisson3d, .n = 9},
                                        {.problem = ProblemKind::elasticity3d, .n = 4},
                                        {.problem = ProblemKind::beam, .order = 3, .refine = 1}};
  for (const auto& gallery : problems) {
    SCOPED_TRACE(to_string(gallery.problem));
    const auto whole = make_problem<double, Space>(exec, gallery).A;
    const auto inverse = to_device(exec, inverse_diagonal_of(to_host(whole)));
    const double expected = amg::spectral_radius_lanczos(
        exec, whole.view(), kernels::analyse_spmv(exec, whole.view()), inverse, 10, 0);
    const SharedProblem problem(gallery, num_processes(), process());
    const Share share(problem.host);
    const auto A = distributed::numbered(exec, all_processes(), share.rows()).matrix;
    const double found =
        distributed::spectral_radius(exec, A, distributed::inverse_diagonal(exec, A), true, 10);
    EXPECT_NEAR(found, expected, 1e-8 * expected);
  }
}

}  // namespace tessera::test::communication_test
