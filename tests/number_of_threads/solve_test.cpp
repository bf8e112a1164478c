// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A whole solve has the same bits on any number of a host's threads: each matrix of the hierarchy,
/// each residual, and x.
#include "tessera/solve.hpp"
#include "tessera/amg/multigrid.hpp"
#include "tessera/gallery/problem.hpp"

#include "amg/classical_parameters.hpp"
#include "support/device.hpp"
#include "support/instances.hpp"
#include "support/level_matrix.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"

namespace tessera::test::solve_test {

using Space = HostSpace;

/// A problem of the gallery, made on one instance.
struct System {
  std::string name;
  kernels::Csr<double, Space> A;
  MultiVector<double, Space> b;
  MultiVector<double, Space> near_nullspace;
  int block_size = 1;
};

System gallery_system(const std::string& name, ProblemKind kind, int n) {
  const Space exec;
  const auto p = make_problem<double, Space>(exec, {.problem = kind, .n = n});
  return {name, p.A, p.b, p.near_nullspace, p.block_size};
}

/// Diagonally dominant, with one unknown that is coupled to all others, weakly but for the next:
/// load-balanced products.
System arrow_system(std::int32_t n) {
  const Space exec;
  Random random(4);
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows(n);
  for (std::int32_t i = 1; i < n; ++i) {
    const double head = i == 1 ? -1 : random.uniform(-1e-3, 0);
    rows[i].push_back({0, head});
    if (i > 1) rows[i].push_back({i - 1, -1});
    rows[i].push_back({i, 2.1});
    if (i + 1 < n) rows[i].push_back({i + 1, -1});
    rows[0].push_back({i, head});
  }
  rows[0].insert(rows[0].begin(), {0, 1 + 1e-3 * n});
  const auto b = random_vector<double>(n, 9);
  return {"arrow", make_csr(exec, from_rows(n, rows)), to_multivector(exec, b, n), {}};
}

std::vector<System> systems() {
  return {gallery_system("poisson3d", ProblemKind::poisson3d, 16),
          gallery_system("graph", ProblemKind::graph, 50),
          gallery_system("elasticity2d", ProblemKind::elasticity2d, 36), arrow_system(6000)};
}

template <class Scalar>
struct Outcome {
  std::vector<std::string> notes;
  SolveStatus status;
  std::vector<double> history;
  std::vector<Scalar> x;

  bool operator==(const Outcome&) const = default;
};

void PrintTo(const Outcome<double>& outcome, std::ostream* out) {
  *out << to_string(outcome.status) << " after " << outcome.history.size() - 1 << " iterations, "
       << outcome.history.back();
}

Outcome<double> solved(const Space& exec, const System& system, const SolveParameters& parameters) {
  auto solver = set_up(exec, system.A, parameters, system.near_nullspace, system.block_size);
  const std::size_t n = system.A.num_rows;
  const auto x = zeros<double>(exec, n);
  const auto result = solver.solve(exec, system.b, x);
  return {solver.hierarchy().notes, result.status, result.residual_history, to_host(x)};
}

void expect_same_on_all_threads(const System& system, const SolveParameters& parameters) {
  std::vector<Outcome<double>> outcomes;
  for (const Space& exec : instances<Space>())
    outcomes.push_back(solved(exec, system, parameters));
  EXPECT_GT(outcomes[0].history.size(), 1u);
  expect_same_bits(outcomes, system.name.c_str());
}

TEST(SolveOnThreads, WithWhatIsPicked) {
  for (const System& system : systems())
    expect_same_on_all_threads(system, {});
}

TEST(SolveOnThreads, WithEveryMethod) {
  for (const System& system : systems()) {
    for (const auto& name : solver_names) {
      SCOPED_TRACE(name.name);
      SolveParameters parameters;
      parameters.solver.name = name.value;
      parameters.solver.max_iterations = 60;
      for (const auto kind : {PreconditionerKind::amg, PreconditionerKind::jacobi}) {
        parameters.preconditioner = kind;
        expect_same_on_all_threads(system, parameters);
      }
    }
  }
}

TEST(SolveOnThreads, WithEverySpectralRadiusAndSmoother) {
  for (const System& system : systems()) {
    for (const auto& radius : amg::spectral_radius_names) {
      for (const auto& smoother : smoother_type_names) {
        SCOPED_TRACE(std::string(radius.name) + ", " + std::string(smoother.name));
        SolveParameters parameters;
        parameters.preconditioner = PreconditionerKind::amg;
        parameters.amg.spectral_radius = radius.value;
        parameters.amg.smoother.type = smoother.value;
        expect_same_on_all_threads(system, parameters);
      }
    }
  }
}

TEST(SolveOnThreads, WithEveryCoarsening) {
  for (const System& system : systems()) {
    if (system.block_size > 1) continue;  // which not every coarsening takes
    for (const auto& coarsening : amg::coarsening_names) {
      SCOPED_TRACE(coarsening.name);
      SolveParameters parameters;
      parameters.preconditioner = PreconditionerKind::amg;
      parameters.amg.coarsening = coarsening.value;
      expect_same_on_all_threads(system, parameters);
    }
  }
}

/// Multigrid by coarse and fine points: every interpolation, fronts, nodes, and points relaxed
/// apart.
struct PointsVariant {
  std::string name;
  amg::Parameters parameters;
};

std::vector<PointsVariant> variants_of_points() {
  std::vector<PointsVariant> variants;
  const auto add = [&](std::string name, const auto& choose) {
    variants.push_back({std::move(name), {}});
    amg::Parameters& p = variants.back().parameters;
    p.coarsening = amg::CoarseningKind::classical;
    p.coarse_size = 50;
    choose(p);
  };
  for (amg::ClassicalParameters how : all_ways()) {
    const std::string number = std::to_string(variants.size());
    add("classical, variant " + number, [&](auto& p) { p.classical = how; });
    if (how.interpolation != amg::Interpolation::extended_i) continue;
    how.splitting = amg::PointSplitting::advancing_front;
    add("the same by fronts, variant " + number, [&](auto& p) { p.classical = how; });
  }
  add("nodes", [](auto& p) { p.classical.systems = amg::SystemSplitting::nodes; });
  for (const SmootherType type : {SmootherType::l1_jacobi, SmootherType::gauss_seidel}) {
    add("points apart", [&](auto& p) {
      p.smoother.type = type;
      p.smoother.points = RelaxationPoints::fc;
    });
  }
  add("reduction", [](auto& p) { p.coarsening = amg::CoarseningKind::reduction; });
  return variants;
}

/// Whether it takes the system's nodes.
bool takes(const PointsVariant& variant, const System& system) {
  return system.block_size == 1 || !amg::takes_one_unknown(variant.parameters.coarsening);
}

TEST(SolveOnThreads, WithEveryVariantOfPoints) {
  for (const System& system : systems()) {
    for (const auto& variant : variants_of_points()) {
      if (!takes(variant, system)) continue;
      SCOPED_TRACE(variant.name);
      SolveParameters parameters;
      parameters.preconditioner = PreconditionerKind::amg;
      parameters.amg = variant.parameters;
      parameters.solver.max_iterations = 30;
      expect_same_on_all_threads(system, parameters);
    }
  }
}

/// All arrays of a level's matrix.
void append(std::vector<double>& all, const kernels::Csr<double, Space>& A) {
  const HostMatrix<double> host = to_host(A);
  all.insert(all.end(), host.offsets.begin(), host.offsets.end());
  all.insert(all.end(), host.columns.begin(), host.columns.end());
  all.insert(all.end(), host.values.begin(), host.values.end());
}

/// Returns the number of levels.
std::size_t expect_hierarchies_alike(const System& system, const amg::Parameters& parameters) {
  std::vector<std::vector<double>> hierarchies;
  std::size_t num_levels = 0;
  for (const Space& exec : instances<Space>()) {
    amg::Multigrid<double, Space> multigrid(parameters);
    multigrid.setup(exec, system.A, system.near_nullspace, system.block_size);
    std::vector<double> all;
    for (const auto& level : multigrid.levels()) {
      for (const auto& stored : {level.A, level.P, level.R})
        if (stored != nullptr) append(all, csr_of<std::int32_t>(stored));
      all.push_back(level.spectral_radius);
    }
    num_levels = multigrid.levels().size();
    hierarchies.push_back(std::move(all));
  }
  EXPECT_TRUE(hierarchies.front() == hierarchies.back()) << system.name;
  return num_levels;
}

TEST(SolveOnThreads, HierarchiesAreAlike) {
  for (const System& system : systems()) {
    for (const double threshold : {0.0, 0.1}) {
      amg::Parameters parameters;
      parameters.smoothed_aggregation.strength_threshold = threshold;
      const std::size_t num_levels = expect_hierarchies_alike(system, parameters);
      if (threshold > 0) {
        EXPECT_GT(num_levels, 1u) << system.name;
      }
    }
  }
}

TEST(SolveOnThreads, HierarchiesOfPointsAreAlike) {
  for (const System& system : systems()) {
    for (const auto& variant : variants_of_points()) {
      if (!takes(variant, system)) continue;
      SCOPED_TRACE(variant.name);
      EXPECT_GT(expect_hierarchies_alike(system, variant.parameters), 1u);
    }
  }
}

}  // namespace tessera::test::solve_test
