// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// New values in levels that are distributed over processes: what each kind of reuse keeps, and
/// what comes of it.
#include "contract/tools_recorder.hpp"
#include "tpetra/operator_cases.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::test::reuse_test {

/// A' = scale A + shift diag(A): what was a strong coupling stays one.
void change(TpetraMatrix& A, double scale, double shift) {
  const auto& rows = *A.getRowMap();
  const auto local = A.getLocalMatrixHost();
  for (int i = 0; i < local.numRows(); ++i) {
    for (auto e = local.graph.row_map(i); e < local.graph.row_map(i + 1); ++e) {
      const auto j = A.getColMap()->getGlobalElement(local.graph.entries(e));
      local.values(e) *= scale * (j == rows.getGlobalElement(i) ? 1 + shift : 1);
    }
  }
}

Teuchos::ParameterList list_for(const TpetraSystem& system, const std::string& reuse) {
  auto list = with_multigrid(200);
  list.set("amg.reuse", reuse);
  list.set("amg.smoother.type", "jacobi");
  if (system.problem.block_size > 1) {
    list.set("block_size", system.problem.block_size);
    list.sublist("user data")
        .set("Nullspace", distribute(system.problem.near_nullspace, system.map));
  }
  return list;
}

/// How far M's product is from that of an operator that is set up again with the same matrix.
double distance_to_fresh(const TpetraSystem& system, const tpetra::Operator<>& M,
                         Teuchos::ParameterList list) {
  list.set("amg.reuse", "none");
  const auto fresh = CreateTesseraPreconditioner(system.A, list);
  const auto b = waves(system.map, 2);
  TpetraVectors z = applied(M, *b);
  TpetraVectors expected = applied(*fresh, *b);
  return relative_difference(z, expected);
}

double distance_to_fresh(const TpetraSystem& system, const tpetra::Operator<>& M) {
  return distance_to_fresh(system, M, list_for(system, "none"));
}

const auto problems = {std::pair(ProblemKind::poisson3d, 14), std::pair(ProblemKind::poisson2d, 45),
                       std::pair(ProblemKind::anisotropic2d, 40),
                       std::pair(ProblemKind::elasticity3d, 6),
                       std::pair(ProblemKind::convdiff2d, 40)};

/// Everything again but aggregates and patterns: what a setup from scratch makes, to round-off.
TEST(DistributedReuse, SymbolicIsWhatASetupMakes) {
  for (const auto& [kind, n] : problems) {
    SCOPED_TRACE(to_string(kind));
    const TpetraSystem system(kind, n);
    const auto M = CreateTesseraPreconditioner(system.A, list_for(system, "symbolic"));
    EXPECT_LT(distance_to_fresh(system, *M), 1e-13);
    change(*system.A, 3, 0);
    ReuseTesseraPreconditioner(system.A, *M);
    EXPECT_LT(distance_to_fresh(system, *M), 1e-10);
    // Another object of the same pattern.
    const auto before = system.A->getLocalMatrixHost().values(0);
    const auto other = distribute(system.problem.A, system.map, 5);
    ReuseTesseraPreconditioner(other, *M);
    ASSERT_NE(before, other->getLocalMatrixHost().values(0));
    TpetraSystem changed(system);
    changed.A = other;
    EXPECT_LT(distance_to_fresh(changed, *M), 1e-10);
  }
}

/// The same of values that are no multiples of those before, where these change no aggregate: with
/// every coupling strong, and on the finest level, whose couplings are far from the threshold.
TEST(DistributedReuse, SymbolicFollowsTheProlongators) {
  for (const auto& [kind, n] : problems) {
    for (const bool all_strong : {true, false}) {
      SCOPED_TRACE(to_string(kind));
      SCOPED_TRACE(all_strong);
      const TpetraSystem system(kind, n);
      auto list = list_for(system, "symbolic");
      if (all_strong) {
        list.set("amg.smoothed_aggregation.strength_threshold", 0.0);
      } else {
        list.set("amg.max_levels", 2);
      }
      const auto M = CreateTesseraPreconditioner(system.A, list);
      change(*system.A, 0.7, 0.01);
      ReuseTesseraPreconditioner(system.A, *M);
      EXPECT_LT(distance_to_fresh(system, *M, list), 1e-10);
    }
  }
}

/// Prolongators of before, operators and smoothers of now: a good preconditioner of now.
TEST(DistributedReuse, InterpolationFollowsTheOperators) {
  for (const auto& [kind, n] : problems) {
    SCOPED_TRACE(to_string(kind));
    const TpetraSystem system(kind, n);
    const auto M = CreateTesseraPreconditioner(system.A, list_for(system, "interpolation"));
    // A multiple has the same prolongators: nothing is missed.
    change(*system.A, 3, 0);
    ReuseTesseraPreconditioner(system.A, *M);
    EXPECT_LT(distance_to_fresh(system, *M), 1e-10);
    change(*system.A, 1, 0.1);
    ReuseTesseraPreconditioner(system.A, *M);
    const std::string method = kind == ProblemKind::convdiff2d ? "GMRES" : "CG";
    const auto iterations = [&](const Teuchos::RCP<const TpetraOperator>& prec) {
      const auto outcome = waves_by_belos(method, system.A, prec);
      return outcome.iterations;
    };
    const int fresh = iterations(CreateTesseraPreconditioner(system.A, list_for(system, "none")));
    EXPECT_LE(iterations(M), 1.2 * fresh + 1);
  }
}

/// The preconditioner of before, to the bit.
TEST(DistributedReuse, HierarchyKeepsTheWhole) {
  const TpetraSystem system(ProblemKind::poisson3d, 14);
  const auto M = CreateTesseraPreconditioner(system.A, list_for(system, "hierarchy"));
  const auto b = waves(system.map);
  TpetraVectors before(system.map, 1);
  TpetraVectors after(system.map, 1);
  M->apply(*b, before);
  ReuseTesseraPreconditioner(distribute(system.problem.A, system.map, 2), *M);
  M->apply(*b, after);
  EXPECT_EQ(relative_difference(after, before), 0);
}

/// Kernels of a label that starts so.
long launches(const ToolsRecorder& recorder, const std::string& start) {
  return std::count_if(recorder.kernels.begin(), recorder.kernels.end(),
                       [&](const ToolsEvent& event) { return event.label.rfind(start, 0) == 0; });
}

struct Work {
  long all;
  long aggregations;
  long patterns;  ///< that processes have sent each other
  long squares;  ///< rows with those of others, for a graph of strength and to smooth P
  long products;
};

Work work_of(const std::string& reuse, bool is_update) {
  const TpetraSystem system(ProblemKind::poisson3d, 16);
  const auto list = list_for(system, reuse);
  auto M = CreateTesseraPreconditioner(system.A, list);
  change(*system.A, 2, 0);
  const ToolsRecorder recorder;
  if (is_update) {
    ReuseTesseraPreconditioner(system.A, *M);
  } else {
    M = CreateTesseraPreconditioner(system.A, list);
  }
  return {launches(recorder, "tessera::"), launches(recorder, "tessera::distributed::aggregates"),
          launches(recorder, "tessera::distributed::RowExchange::columns"),
          launches(recorder, "tessera::distributed::squared"),
          launches(recorder, "tessera::spgemm")};
}

TEST(DistributedReuse, DoesTheLessTheMoreIsKept) {
  if (num_processes() == 1) GTEST_SKIP() << "levels are distributed over several processes";
  const Work setup = work_of("symbolic", false);
  EXPECT_GE(setup.aggregations, 1);
  EXPECT_GE(setup.patterns, 3 * setup.aggregations);
  const Work none = work_of("none", true);
  EXPECT_EQ(none.aggregations, setup.aggregations);
  EXPECT_EQ(none.patterns, setup.patterns);
  const Work symbolic = work_of("symbolic", true);
  EXPECT_EQ(symbolic.aggregations, 0);
  EXPECT_EQ(symbolic.patterns, 0);
  EXPECT_GE(symbolic.squares, 1);
  EXPECT_EQ(2 * symbolic.squares, setup.squares);
  const Work interpolation = work_of("interpolation", true);
  EXPECT_EQ(interpolation.aggregations, 0);
  EXPECT_EQ(interpolation.patterns, 0);
  EXPECT_EQ(interpolation.squares, 0);
  const Work hierarchy = work_of("hierarchy", true);
  EXPECT_EQ(hierarchy.all, 0);
  EXPECT_LT(symbolic.all, none.all);
  EXPECT_LT(interpolation.all, symbolic.all);
}

/// What is kept is of a pattern; distributed levels of which nothing is kept take any. What is
/// refused changes nothing: the operator is still of the matrix of before, on all processes.
TEST(DistributedReuse, RefusesAnotherPattern) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  for (const std::string reuse : {"none", "symbolic", "interpolation", "hierarchy", "blocks"}) {
    auto list = list_for(system, reuse == "blocks" ? "symbolic" : reuse);
    if (reuse == "blocks") list.set("distributed", "block_jacobi");
    const auto M = CreateTesseraPreconditioner(system.A, list);
    const auto dense_row = [&] {
      // One entry more, on the last process.
      auto A = Teuchos::rcp(new TpetraMatrix(system.map, 6));
      const auto& whole = system.problem.A;
      for (std::size_t k = 0; k < system.map->getLocalNumElements(); ++k) {
        const auto i = system.map->getGlobalElement(static_cast<int>(k));
        for (int e = whole.offsets(i); e < whole.offsets(i + 1); ++e)
          A->insertGlobalValues(i, Teuchos::tuple<TpetraOrdinal>(whole.columns(e)),
                                Teuchos::tuple(whole.values(e)));
        if (i == 899)
          A->insertGlobalValues(i, Teuchos::tuple<TpetraOrdinal>(890), Teuchos::tuple(1e-3));
      }
      A->fillComplete();
      return A;
    }();
    const auto error = error_of([&] { ReuseTesseraPreconditioner(dense_row, *M); });
    if (reuse == "none" && num_processes() > 1) {
      EXPECT_FALSE(error.has_value());
    } else {
      expect_error(error, ErrorKind::precondition, {"the pattern of A changed"});
      EXPECT_LT(distance_to_fresh(system, *M, list), 1e-13) << reuse;
      ReuseTesseraPreconditioner(system.A, *M);
      EXPECT_LT(distance_to_fresh(system, *M, list), 1e-10) << reuse;
    }
  }
}

/// Values that no preconditioner can be made of are an error on all processes, and the operator
/// takes good ones afterwards.
TEST(DistributedReuse, RecoversFromBadValues) {
  if (num_processes() == 1) GTEST_SKIP() << "levels are distributed over several processes";
  const TpetraSystem system(ProblemKind::poisson2d, 40);
  for (const std::string reuse : {"symbolic", "interpolation"}) {
    const auto M = CreateTesseraPreconditioner(system.A, list_for(system, reuse));
    const auto bad = distribute(system.problem.A, system.map);
    if (process() == num_processes() - 1)
      bad->getLocalMatrixHost().values(0) = std::numeric_limits<double>::quiet_NaN();
    expect_error(error_of([&] { ReuseTesseraPreconditioner(bad, *M); }), ErrorKind::bad_input,
                 {"NaN"});
    ReuseTesseraPreconditioner(system.A, *M);
    EXPECT_LT(distance_to_fresh(system, *M), 1e-10);
  }
}

/// A process without rows, and one with a single row, whose neighbours are all others'.
TEST(DistributedReuse, TakesEmptyAndTinyShares) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  const int last = num_processes() - 1;
  const int own = num_processes() == 1 ? 900
                  : process() == 0     ? (last > 1 ? 0 : 899)
                  : process() == last  ? 1
                  : process() == 1     ? 899
                                       : 0;
  const Teuchos::RCP<const TpetraMap> map = Teuchos::rcp(new TpetraMap(
      Tpetra::global_size_t(900), static_cast<std::size_t>(own), 0, Tpetra::getDefaultComm()));
  const auto A = distribute(system.problem.A, map);
  auto list = with_multigrid(100);
  list.set("amg.reuse", "symbolic");
  const auto M = CreateTesseraPreconditioner(A, list);
  scale_in_place(*A, 2);
  ReuseTesseraPreconditioner(A, *M);
  const auto outcome = waves_by_belos("CG", A, M);
  SolveParameters parameters;
  parameters.preconditioner = PreconditionerKind::amg;
  EXPECT_LE(outcome.iterations, 1.2 * own_solve(system, parameters).iterations + 1);
}

}  // namespace tessera::test::reuse_test
