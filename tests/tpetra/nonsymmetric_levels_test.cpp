// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Levels of nonsymmetric matrices that are distributed over processes are those of one process.
#include "support/waves_by_belos.hpp"
#include "tessera/tpetra/gallery_problem.hpp"
#include "tessera/tpetra/operator.hpp"

#include <gtest/gtest.h>
#include <Teuchos_DefaultMpiComm.hpp>

#include <map>

namespace tessera::test::nonsymmetric_levels_test {

using Comm = Teuchos::RCP<const Teuchos::Comm<int>>;

/// Of this process alone.
Comm alone() { return Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF)); }

/// What flows from one point to another without a way back: the pattern is not symmetric, either.
Teuchos::RCP<TpetraMatrix> upstream_entries(const TpetraMatrix& A) {
  const auto result = Teuchos::rcp(new TpetraMatrix(A.getRowMap(), 7));
  for (int k = 0; k < static_cast<int>(A.getLocalNumRows()); ++k) {
    typename TpetraMatrix::local_inds_host_view_type columns;
    typename TpetraMatrix::values_host_view_type values;
    A.getLocalRowView(k, columns, values);
    for (std::size_t e = 0; e < columns.extent(0); ++e) {
      const TpetraOrdinal column = A.getColMap()->getGlobalElement(columns(e));
      if (values(e) != -1)
        result->insertGlobalValues(A.getRowMap()->getGlobalElement(k), 1, &values(e), &column);
    }
  }
  result->fillComplete();
  return result;
}

struct System {
  Teuchos::RCP<TpetraMatrix> A;
  Teuchos::RCP<TpetraVectors> b;
  Teuchos::RCP<tpetra::Operator<>> M;

  System(const Comm& processes, const GalleryParameters& gallery,
         const Teuchos::ParameterList& list, bool one_way = false) {
    const auto problem = tpetra::make_gallery_problem(processes, gallery);
    A = one_way ? upstream_entries(*problem.A) : problem.A;
    b = problem.b;
    M = Teuchos::rcp(new tpetra::Operator<>(A, list));
  }
  int iterations() const {
    const auto x = Teuchos::rcp(new TpetraVectors(A->getRowMap(), 1));
    const BelosOutcome outcome = solve_by_belos("GMRES", A, M, x, b);
    EXPECT_TRUE(outcome.converged);
    EXPECT_LT(outcome.residual, 1.1e-8);
    return outcome.iterations;
  }
};

Teuchos::ParameterList distributed_multigrid() {
  Teuchos::ParameterList list("test");
  list.set("preconditioner", "amg");
  list.set("gather_rows", 100);
  list.set("amg.smoother.type", "jacobi");  // one process would take incomplete factors
  return list;
}

TEST(NonsymmetricLevels, TakeTheIterationsOfOneProcess) {
  struct Case {
    ProblemKind kind;
    int n;
    double peclet;
    std::string aggregation;
  };
  for (const Case& c : {Case{ProblemKind::convdiff2d, 144, 100, "auto"},
                        Case{ProblemKind::convdiff2d, 100, 100, "mis2"},
                        Case{ProblemKind::convdiff2d, 96, 1000, "auto"},
                        Case{ProblemKind::convdiff3d, 24, 100, "auto"},
                        Case{ProblemKind::convdiff3d, 22, 100, "mis2"},
                        Case{ProblemKind::convdiff3d, 24, 1000, "auto"}}) {
    auto list = distributed_multigrid();
    list.set("amg.smoothed_aggregation.aggregation", c.aggregation);
    const GalleryParameters gallery{.problem = c.kind, .n = c.n, .peclet = c.peclet};
    const System distributed(Tpetra::getDefaultComm(), gallery, list);
    const int expected = System(alone(), gallery, list).iterations();
    EXPECT_LE(distributed.iterations(), 1.2 * expected)
        << to_string(c.kind) << " of " << c.n << " by " << c.aggregation << ", Peclet number "
        << c.peclet << ": " << expected << " on one process";
    EXPECT_GE(distributed.M->hierarchy().levels.size(), 3U);
  }
}

/// Where aggregates are the same, so is a cycle over two levels: prolongator, restriction, Galerkin
/// product and damping are. Here they are boxes of two points, which the shares do not cut.
TEST(NonsymmetricLevels, AreThoseOfOneProcess) {
  struct Case {
    double peclet, threshold;
    bool one_way = false;
  };
  // By a threshold of 0.99 entries along the flow are weak, and smoothing leaves them out.
  std::map<double, std::size_t> coarse_entries;
  for (const Case& c :
       {Case{10, 0}, Case{10, 0.99}, Case{100, 0.25}, Case{1000, 0.25}, Case{300, 0.25, true}}) {
    SCOPED_TRACE("Peclet number " + std::to_string(c.peclet) + ", threshold " +
                 std::to_string(c.threshold) + (c.one_way ? ", one way" : ""));
    const GalleryParameters gallery{
        .problem = ProblemKind::convdiff3d, .n = 24, .peclet = c.peclet};
    auto list = distributed_multigrid();
    list.set("amg.smoothed_aggregation.strength_threshold", c.threshold);
    list.set("amg.max_levels", 2);
    const System distributed(Tpetra::getDefaultComm(), gallery, list, c.one_way);
    const System whole(alone(), gallery, list, c.one_way);
    const auto levels = distributed.M->hierarchy().levels;
    const auto expected = whole.M->hierarchy().levels;
    ASSERT_EQ(levels.size(), 2U);
    ASSERT_EQ(expected.size(), 2U);
    EXPECT_NEAR(levels[0].spectral_radius, expected[0].spectral_radius, 1e-8);
    EXPECT_EQ(levels[1].rows, expected[1].rows);
    EXPECT_EQ(levels[1].entries, expected[1].entries);
    const auto r = waves(distributed.A->getRowMap());
    const auto r_whole = waves(whole.A->getRowMap());
    TpetraVectors z = applied(*distributed.M, *r);
    TpetraVectors z_whole = applied(*whole.M, *r_whole);
    const auto all = z_whole.getLocalViewHost(Tpetra::Access::ReadOnly);
    TpetraVectors reference(distributed.A->getRowMap(), 1);
    {
      const auto own = reference.getLocalViewHost(Tpetra::Access::OverwriteAll);
      for (std::size_t i = 0; i < own.extent(0); ++i)
        own(i, 0) = all(distributed.A->getRowMap()->getGlobalElement(static_cast<int>(i)), 0);
    }
    EXPECT_LT(relative_difference(z, reference), 1e-8);
    if (c.peclet == 10) coarse_entries[c.threshold] = expected[1].entries;
  }
  EXPECT_LT(coarse_entries[0.99], coarse_entries[0]);
}

/// The restriction's values are made again with the prolongator's.
TEST(NonsymmetricLevels, TakeNewValues) {
  for (const auto kind : {ProblemKind::convdiff2d, ProblemKind::convdiff3d}) {
    SCOPED_TRACE(to_string(kind));
    auto list = distributed_multigrid();
    list.set("amg.reuse", "symbolic");
    const int n = kind == ProblemKind::convdiff2d ? 50 : 16;
    const System slow(Tpetra::getDefaultComm(), {.problem = kind, .n = n, .peclet = 50}, list);
    const System fast(Tpetra::getDefaultComm(), {.problem = kind, .n = n, .peclet = 150}, list);
    const auto r = waves(slow.A->getRowMap());
    TpetraVectors before(slow.A->getRowMap(), 1);
    TpetraVectors between(slow.A->getRowMap(), 1);
    TpetraVectors after(slow.A->getRowMap(), 1);
    slow.M->apply(*r, before);
    slow.M->update(fast.A);
    slow.M->apply(*r, between);
    EXPECT_GT(relative_difference(between, before), 1e-2);
    slow.M->update(slow.A);
    slow.M->apply(*r, after);
    EXPECT_LT(relative_difference(after, before), 1e-10);
  }
}

}  // namespace tessera::test::nonsymmetric_levels_test
