// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Constants of connected components, projected out by several processes.
#include "distributed/shared_matrix.hpp"
#include "solve/singular_systems.hpp"
#include "support/launches.hpp"
#include "tessera/distributed/connected_pieces.hpp"
#include "tessera/distributed/local_numbers.hpp"
#include "tessera/kernels/execution/host_copy.hpp"

#include <numeric>

namespace tessera::test::distributed_components_test {

using distributed::Parameters;
using singular_systems::Parts;
using singular_systems::side_by_side;
using namespace shared_matrix;

Parameters by_components(PreconditionerKind preconditioner = PreconditionerKind::jacobi) {
  Parameters p;
  p.gather_rows = 60;
  p.solve.preconditioner = preconditioner;
  p.solve.solver.name = SolverName::fgmres;
  p.solve.solver.nullspace = NullspaceKind::components;
  p.solve.solver.gmres.restart = 100;
  p.solve.amg.smoother.type = SmootherType::jacobi;
  return p;
}

/// One after the other, so that most of them are within a process.
Parts one_behind_another(const std::vector<HostMatrix<double>>& parts) {
  Parts all;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Ordinal first = all.A.num_rows;
    for (Ordinal i = 0; i < parts[p].num_rows; ++i) {
      for (auto e = parts[p].offsets[i]; e < parts[p].offsets[i + 1]; ++e)
        all.A.push(first + parts[p].columns[e], parts[p].values[e]);
      all.A.end_row();
      all.part.push_back(static_cast<int>(p));
    }
    all.A.num_rows = all.A.num_cols = first + parts[p].num_rows;
  }
  return all;
}

HostMatrix<double> tied_grid(Ordinal n) {
  auto A = floating_grid(n, n);
  for_each_entry(A, [](std::int32_t i, std::int32_t j, double& value) {
    if (i == j) value += 0.5;
  });
  return A;
}

Vector in_range(const HostMatrix<double>& A, unsigned seed = 3) {
  return singular_systems::product(A, random_vector<double>(A.num_rows, seed));
}

SharedSolve solved_by(const Communicator& processes, const HostMatrix<double>& A,
                      const Parameters& p, const Vector& b, ShareOfRow share = odd_share) {
  const Shared shared(A, processes, share);
  DistributedSolver solver(processes, p);
  solver.setup(Space(), Share(shared.rows()).rows());
  return solved(solver, shared, b);
}

/// The largest sum of x over a part relative to the root of its size times x's length.
double part_in_constants(const SharedSolve& made, const Parts& parts) {
  const auto x = on_host(made.x);
  std::vector<double> sums(
      2 * (1 + static_cast<std::size_t>(*std::ranges::max_element(parts.part))), 0.0);
  for (Ordinal i = 0; i < made.range.count; ++i) {
    const auto p = static_cast<std::size_t>(parts.part[made.range.first + i]);
    sums[2 * p] += x[i];
    sums[2 * p + 1] += std::abs(x[i]);
  }
  all_processes()->sum(std::span<double>(sums));
  double largest = 0;
  for (std::size_t p = 0; p < sums.size(); p += 2)
    if (sums[p + 1] > 0) largest = std::max(largest, std::abs(sums[p]) / sums[p + 1]);
  return largest;
}

/// Labels of all rows by each process, which are those of its own rows and zeros.
std::vector<std::int64_t> labels_by_all(const HostMatrix<double>& A, ShareOfRow share) {
  const Shared shared(A, all_processes(), share);
  const auto made = distributed::numbered(Space(), shared.processes, Share(shared.rows()).rows());
  const auto pieces = distributed::connected_pieces(Space(), made.matrix);
  const auto label = kernels::copy_to_host(Space(), pieces.component);
  std::vector<std::int64_t> all(A.num_rows, 0);
  for (Ordinal i = 0; i < shared.range.count; ++i)
    all[static_cast<std::size_t>(shared.range.first + i)] = label(i);
  shared.processes->sum(std::span<std::int64_t>(all));
  return all;
}

/// A path whose next row lies `step` further on, around the end: it crosses borders again and
/// again.
HostMatrix<double> winding_path(Ordinal n, Ordinal step, Ordinal cut) {
  std::vector<std::vector<std::pair<Ordinal, double>>> rows(n);
  for (Ordinal at = 0; at + 1 < n; ++at) {
    if (at == cut) continue;
    const auto i = static_cast<Ordinal>(static_cast<std::int64_t>(at) * step % n);
    const Ordinal j = (i + step) % n;
    rows[i].emplace_back(j, -1.0);
    rows[j].emplace_back(i, -1.0);
  }
  for (Ordinal i = 0; i < n; ++i)
    rows[i].emplace_back(i, static_cast<double>(rows[i].size()));
  return from_rows(n, rows);
}

TEST(DistributedComponents, AreLabelledByTheirLeastRow) {
  constexpr Ordinal n = 101;
  for (const Ordinal step : {1, 7, 45}) {
    for (const Ordinal cut : {-1, 30}) {
      const auto A = winding_path(n, step, cut);
      std::vector<std::int64_t> expected(n, 0);
      std::int64_t least = n;
      for (Ordinal at = cut + 1; at < n && cut >= 0; ++at)
        least = std::min<std::int64_t>(least, static_cast<std::int64_t>(at) * step % n);
      for (Ordinal at = cut + 1; at < n && cut >= 0; ++at)
        expected[static_cast<std::size_t>(static_cast<std::int64_t>(at) * step % n)] = least;
      for (const auto share : {odd_share, share_of_pairs, growing_share})
        EXPECT_EQ(labels_by_all(A, share), expected) << step << " " << cut;
    }
  }
}

TEST(DistributedComponents, EntriesOfZeroConnectNothing) {
  auto A = winding_path(20, 1, -1);
  for_each_entry(A, [](std::int32_t i, std::int32_t j, double& value) {
    if (i != j) value = 0;
  });
  std::vector<std::int64_t> expected(20);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(labels_by_all(A, odd_share), expected);
}

TEST(DistributedComponents, SolveAsOneProcess) {
  const std::vector<HostMatrix<double>> islands{floating_grid(20, 20), floating_grid(9, 13),
                                                floating_grid(5, 1)};
  for (const Parts& parts : {side_by_side(islands), one_behind_another(islands)}) {
    const auto& A = parts.A;
    Vector b = in_range(A);
    const Vector outside = random_vector<double>(A.num_rows, 4);
    b.insert(b.end(), outside.begin(), outside.end());
    Solver<double, Space> one(by_components().solve);
    one.setup(Space(), make_csr(Space(), A));
    const SolveResult expected =
        one.solve(Space(), rows_of(b, A.num_rows, {0, A.num_rows}), zeros(A.num_rows, 2));
    for (const auto share : {odd_share, share_of_pairs, growing_share}) {
      const SharedSolve made = solved_by(all_processes(), A, by_components(), b, share);
      EXPECT_EQ(to_string(made.result.columns[0].status), "converged");
      EXPECT_EQ(to_string(made.result.columns[1].status), "least_squares");
      EXPECT_NEAR(made.result.columns[1].outside_range, expected.columns[1].outside_range, 1e-6);
      EXPECT_EQ(made.result.iterations, expected.iterations);
      EXPECT_LE(part_in_constants(made, parts), 1e-10);
    }
  }
}

TEST(DistributedComponents, SolveByMultigridAsOneProcess) {
  const std::vector<HostMatrix<double>> islands{floating_grid(24, 24), floating_grid(30, 15),
                                                floating_grid(4, 1)};
  for (const bool is_partly_regular : {false, true}) {
    auto list = islands;
    if (is_partly_regular) list.push_back(tied_grid(22));
    const Parts parts = side_by_side(list);
    const Vector b = random_vector<double>(parts.A.num_rows, 4);
    const Parameters p = by_components(PreconditionerKind::amg);
    const SharedSolve alone = solved_by(distributed::alone(), parts.A, p, b);
    const SharedSolve together = solved_by(all_processes(), parts.A, p, b);
    EXPECT_EQ(to_string(together.result.status), "least_squares");
    EXPECT_EQ(together.result.iterations, alone.result.iterations);
    EXPECT_LE(together.result.iterations, 30);
    EXPECT_NEAR(together.result.outside_range, alone.result.outside_range, 1e-6);
  }
}

TEST(DistributedComponents, AreFoundWhereNothingIsAsked) {
  const std::vector<HostMatrix<double>> islands{floating_grid(20, 20), floating_grid(30, 15)};
  HostMatrix<double> zero_row;
  zero_row.num_rows = zero_row.num_cols = 1;
  zero_row.push(0, 0);
  zero_row.end_row();
  const auto picked = [](const HostMatrix<double>& A) {
    Parameters p;
    p.gather_rows = 60;
    const SharedSolve made = solved_by(all_processes(), A, p, in_range(A));
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    return made.parameters.solve.solver.nullspace;
  };
  EXPECT_EQ(picked(floating_grid(30, 30)), NullspaceKind::constant);
  EXPECT_EQ(picked(side_by_side(islands).A), NullspaceKind::components);
  EXPECT_EQ(picked(side_by_side({tied_grid(20), zero_row}).A), NullspaceKind::components);
  EXPECT_EQ(picked(tied_grid(20)), NullspaceKind::none);
}

TEST(DistributedComponents, MayBeThousands) {
  std::vector<HostMatrix<double>> pairs(3000, floating_grid(2, 1));
  for (std::size_t p = 0; p < pairs.size(); p += 3)
    pairs[p] = floating_grid(3, 2);
  for (const Parts& parts : {side_by_side(pairs), one_behind_another(pairs)}) {
    const Vector b = random_vector<double>(parts.A.num_rows, 4);
    const SharedSolve made = solved_by(all_processes(), parts.A, by_components(), b);
    EXPECT_EQ(to_string(made.result.status), "least_squares");
    EXPECT_LE(part_in_constants(made, parts), 1e-10);
  }
}

TEST(DistributedComponents, HaveTheBitsOfOneProcess) {
  const std::vector<HostMatrix<double>> islands{floating_grid(20, 20), tied_grid(12),
                                                floating_grid(1500, 1)};
  for (const Parts& parts : {side_by_side(islands), one_behind_another(islands)}) {
    Vector b = in_range(parts.A);
    const Vector outside = random_vector<double>(parts.A.num_rows, 4);
    b.insert(b.end(), outside.begin(), outside.end());
    Parameters p = by_components();
    p.reproducible = true;
    p.solve.solver.max_iterations = 25;
    const SharedSolve alone = solved_by(distributed::alone(), parts.A, p, b);
    for (const auto share : {odd_share, share_of_pairs})
      EXPECT_EQ(num_different(solved_by(all_processes(), parts.A, p, b, share), alone), 0);
  }
}

TEST(DistributedComponents, FollowNewValues) {
  const auto parts = side_by_side({floating_grid(20, 20), floating_grid(9, 13)});
  auto A = parts.A;
  const Shared shared(A);
  DistributedSolver solver(all_processes(), by_components());
  solver.setup(Space(), Share(shared.rows()).rows());
  for (double& value : A.values)
    value *= 3;
  solver.update_values(Space(), on_device(shared.rows().values));
  EXPECT_TRUE(solved(solver, shared, in_range(A)).result.converged());
  for_each_entry(A, [](std::int32_t i, std::int32_t j, double& value) { value += i == j ? 1 : 0; });
  expect_error(error_of([&] { solver.update_values(Space(), on_device(shared.rows().values)); }),
               ErrorKind::configuration, {"solver.nullspace=components"});
}

/// A grid, and a path of 40 rows behind its 400, of which no coupling at a place in `cuts` is left:
/// the one from the path's row of that number to the next.
Parts grid_and_path(const std::vector<Ordinal>& cuts) {
  Parts parts = one_behind_another({floating_grid(20, 20), floating_grid(40, 1)});
  const auto first = static_cast<Ordinal>(400);
  std::vector<double> lost(parts.part.size(), 0.0);
  for_each_entry(parts.A, [&](std::int32_t i, std::int32_t j, double& value) {
    if (std::abs(i - j) != 1) return;
    if (std::ranges::find(cuts, std::min(i, j) - first) == cuts.end()) return;
    lost[static_cast<std::size_t>(i)] += value;
    value = 0;
  });
  for_each_entry(parts.A, [&](std::int32_t i, std::int32_t j, double& value) {
    if (i == j) value += lost[static_cast<std::size_t>(i)];
  });
  for (std::size_t i = 400; i < parts.part.size(); ++i)
    for (const Ordinal cut : cuts)
      if (static_cast<Ordinal>(i) > first + cut) ++parts.part[i];
  return parts;
}

/// A solver that takes the values of one matrix after the other, how often it has looked for
/// components, and what its solves make of right-hand sides in the range.
class Updates {
 public:
  Updates(const Parameters& p, const HostMatrix<double>& A) : m_solver(all_processes(), p) {
    const Shared shared(A);
    m_solver.setup(Space(), Share(shared.rows()).rows());
  }

  /// Of the update.
  int searches(const HostMatrix<double>& A) {
    const Shared shared(A);
    const LaunchesOf searches("distributed::components::start");
    m_solver.update_values(Space(), on_device(shared.rows().values));
    return searches.count();
  }
  SharedSolve solve(const HostMatrix<double>& A, const Vector& b) {
    return solved(m_solver, Shared(A), b);
  }
  void expect_solved(const Parts& parts) {
    const SharedSolve made = solve(parts.A, in_range(parts.A));
    EXPECT_TRUE(made.result.converged()) << to_string(made.result.status);
    EXPECT_LE(part_in_constants(made, parts), 1e-10);
  }
  NullspaceKind nullspace() const { return m_solver.parameters().solve.solver.nullspace; }

 private:
  DistributedSolver m_solver;
};

/// Values that leave the same entries zero leave the components.
TEST(DistributedComponents, AreNotLookedForAgain) {
  const Parts parts = grid_and_path({});
  for (const auto kind : {NullspaceKind::components, NullspaceKind::automatic}) {
    Parameters p = by_components();
    p.solve.solver.nullspace = kind;
    const LaunchesOf searches("distributed::components::start");
    Updates updates(p, parts.A);
    EXPECT_EQ(searches.count(), 1);
  }
  for (const auto kind : {NullspaceKind::components, NullspaceKind::automatic}) {
    Parameters p = by_components();
    p.solve.solver.nullspace = kind;
    Updates updates(p, parts.A);
    auto A = parts.A;
    for (double& value : A.values)
      value *= 3;
    EXPECT_EQ(updates.searches(A), 0);
    updates.expect_solved({A, parts.part});
    EXPECT_EQ(updates.nullspace(), NullspaceKind::components);
  }
}

/// Which of them are singular goes by values, whose zeros are as before.
TEST(DistributedComponents, AreSingularByTheirNewValues) {
  const Parts parts = grid_and_path({});
  Updates updates(by_components(), parts.A);
  Parts tied = parts;
  for_each_entry(tied.A, [](std::int32_t i, std::int32_t j, double& value) {
    if (i == j && i >= 400) value += 0.5;
  });
  EXPECT_EQ(updates.searches(tied.A), 0);
  const Vector b = random_vector<double>(tied.A.num_rows, 4);
  // The path is regular: its part of x is that of a solve by itself, whatever its mean.
  Solver<double, Space> one(by_components().solve);
  one.setup(Space(), make_csr(Space(), tied.A));
  const Vectors expected = zeros(tied.A.num_rows);
  const SolveResult by_one =
      one.solve(Space(), rows_of(b, tied.A.num_rows, {0, tied.A.num_rows}), expected);
  const SharedSolve made = updates.solve(tied.A, b);
  EXPECT_EQ(to_string(made.result.status), "least_squares");
  EXPECT_NEAR(made.result.outside_range, by_one.outside_range, 1e-6);
  EXPECT_LE(distance(made.x, made.range.first, on_host(expected)), 1e-5);
  EXPECT_EQ(updates.searches(parts.A), 0);
  updates.expect_solved(parts);
}

/// Values that become zero divide a component, wherever its rows are, and joins come back.
TEST(DistributedComponents, AreLookedForWhereOtherEntriesAreZero) {
  for (const std::vector<Ordinal>& cuts :
       {std::vector<Ordinal>{3}, std::vector<Ordinal>{20}, std::vector<Ordinal>{11, 38}}) {
    for (const auto kind : {NullspaceKind::components, NullspaceKind::automatic}) {
      Parameters p = by_components();
      p.solve.solver.nullspace = kind;
      const Parts whole = grid_and_path({}), divided = grid_and_path(cuts);
      Updates updates(p, whole.A);
      EXPECT_EQ(updates.searches(divided.A), 1);
      updates.expect_solved(divided);
      EXPECT_EQ(updates.searches(divided.A), 0);
      updates.expect_solved(divided);
      // As many entries are zero then, but others.
      std::vector<Ordinal> moved = cuts;
      for (Ordinal& cut : moved)
        ++cut;
      const Parts others = grid_and_path(moved);
      if (cuts.back() < 38) {
        EXPECT_EQ(updates.searches(others.A), 1);
        updates.expect_solved(others);
      }
      EXPECT_EQ(updates.searches(whole.A), 1);
      updates.expect_solved(whole);
    }
  }
}

TEST(DistributedComponents, AreAnErrorWhereThereAreNone) {
  auto skew = floating_grid(12, 12);
  for_each_entry(skew, [](std::int32_t i, std::int32_t j, double& value) {
    value *= 1 + 0.1 * (i % 3);
    if (j > i) value *= 1.5;
  });
  for (const auto& A : {tied_grid(12), skew}) {
    const Shared shared(A);
    DistributedSolver solver(all_processes(), by_components());
    expect_error(error_of([&] { solver.setup(Space(), Share(shared.rows()).rows()); }),
                 ErrorKind::configuration, {"solver.nullspace=components"});
  }
}

TEST(DistributedComponents, TakeOneRow) {
  HostMatrix<double> zero;
  zero.num_rows = zero.num_cols = 1;
  zero.push(0, 0);
  zero.end_row();
  const SharedSolve made = solved_by(all_processes(), zero, by_components(), {2}, growing_share);
  EXPECT_EQ(to_string(made.result.status), "least_squares");
}

}  // namespace tessera::test::distributed_components_test
