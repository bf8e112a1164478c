// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera by name in Stratimikos, on one process and on several.
#include "tessera/stratimikos/enable_tessera.hpp"
#include "tessera/stratimikos/preconditioner_factory.hpp"

#include "support/error_of.hpp"
#include "support/tpetra_system.hpp"
#include "tessera/tpetra/preconditioner.hpp"

#if __has_include("tessera/hybrid/operator.hpp")
#include "tessera/hybrid/operator.hpp"
#endif

#include <Teuchos_XMLParameterListHelpers.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_PreconditionerFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

namespace tessera::test::stratimikos_test {

using stratimikos::enableTessera;
using stratimikos::PreconditionerFactory;

Teuchos::RCP<const Thyra::LinearOpBase<double>> thyra(const Teuchos::RCP<TpetraMatrix>& A) {
  const Teuchos::RCP<const TpetraOperator> as_operator = A;
  return Thyra::constTpetraLinearOp<double>(Thyra::tpetraVectorSpace<double>(A->getRangeMap()),
                                            Thyra::tpetraVectorSpace<double>(A->getDomainMap()),
                                            as_operator);
}

Teuchos::RCP<Teuchos::ParameterList> stratimikos_list(const std::string& method,
                                                      const Teuchos::ParameterList& tessera) {
  const auto list = Teuchos::parameterList("Stratimikos");
  list->set("Linear Solver Type", "Belos");
  auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", method);
  auto& own = belos.sublist("Solver Types").sublist(method);
  own.set("Convergence Tolerance", 1e-8);
  own.set("Maximum Iterations", 300);
  list->set("Preconditioner Type", "Tessera");
  list->sublist("Preconditioner Types").sublist("Tessera") = tessera;
  return list;
}

Teuchos::ParameterList with_multigrid(const std::string& reuse = "none") {
  Teuchos::ParameterList list("Tessera");
  list.set("preconditioner", "amg");
  list.sublist("amg").set("reuse", reuse);
  return list;
}

/// As a strategy of Stratimikos's solves for waves.
int iterations_of(const Teuchos::RCP<Teuchos::ParameterList>& list,
                  const Teuchos::RCP<TpetraMatrix>& A, std::size_t columns = 1) {
  Stratimikos::DefaultLinearSolverBuilder builder;
  enableTessera(builder);
  builder.setParameterList(list);
  const auto factory = builder.createLinearSolveStrategy("");
  const auto solver = Thyra::linearOpWithSolve<double>(*factory, thyra(A));
  const auto b = waves(A->getRowMap(), columns);
  TpetraVectors x(A->getRowMap(), columns);
  const auto space = Thyra::tpetraVectorSpace<double>(x.getMap());
  const auto thyra_b =
      Thyra::createConstMultiVector<double>(Teuchos::RCP<const TpetraVectors>(b), space);
  const auto thyra_x = Thyra::createMultiVector<double>(Teuchos::rcpFromRef(x), space);
  const auto status = Thyra::solve<double>(*solver, Thyra::NOTRANS, *thyra_b, thyra_x.ptr());
  EXPECT_EQ(status.solveStatus, Thyra::SOLVE_STATUS_CONVERGED);
  EXPECT_LT(relative_residual(*A, x, *b), 1.1e-8);
  return status.extraParameters->get<int>("Belos/Iteration Count");
}

TEST(Stratimikos, SolvesWithTesseraByName) {
  const TpetraSystem system(ProblemKind::poisson3d, 20);
  auto tessera = with_multigrid();
  tessera.set("gather_rows", 500);
  for (const auto& [method, most] :
       {std::pair("Pseudo Block CG", 11), std::pair("Block GMRES", 11), std::pair("BiCGStab", 7)}) {
    SCOPED_TRACE(method);
    EXPECT_LE(iterations_of(stratimikos_list(method, tessera), system.A, 2), most);
  }
}

/// Rows of a box of `nx` nodes per line, cut across the lines: each process has a piece of all.
Teuchos::RCP<const TpetraMap> cut_lines(int num_rows, int nx, int block_size) {
  std::vector<TpetraOrdinal> own;
  for (int row = 0; row < num_rows; ++row)
    if (row / block_size % nx * num_processes() / nx == process()) own.push_back(row);
  return Teuchos::rcp(new TpetraMap(Tpetra::global_size_t(num_rows),
                                    Teuchos::arrayViewFromVector(own), 0,
                                    Tpetra::getDefaultComm()));
}

/// As Galeri shares its grids out. On three processes lines of elasticity3d have 5 nodes, on which
/// unknowns per node were not found: twice the iterations. A flow's incomplete factors are each
/// process's own.
TEST(Stratimikos, TakesAsManyIterationsOnAnyNumberOfProcesses) {
  struct Case {
    ProblemKind kind;
    int n;
    const char* method;
    int apart;
  };
  for (const Case& c : {Case{ProblemKind::poisson3d, 24, "Pseudo Block CG", 0},
                        {ProblemKind::elasticity3d, 15, "Pseudo Block CG", 0},
                        {ProblemKind::convdiff2d, 60, "Pseudo Block GMRES", 2}}) {
    const TpetraSystem system(c.kind, c.n);
    SCOPED_TRACE(c.n);
    for (const int gather_rows : {2000, 20000}) {
      SCOPED_TRACE(gather_rows);
      auto tessera = with_multigrid();
      tessera.set("gather_rows", gather_rows);
      const auto list = stratimikos_list(c.method, tessera);
      const int alone = iterations_of(list, system.alone().A);
      const auto map = cut_lines(system.problem.A.num_rows, c.n, system.problem.block_size);
      const int together = iterations_of(list, distribute(system.problem.A, map));
      EXPECT_LE(std::abs(together - alone), c.apart)
          << alone << " alone, " << together << " together";
    }
  }
}

/// By Tpetra's numbers, which are in the order of the grid.
TEST(Stratimikos, HasTheFinestLevelsAggregatesOfOneProcess) {
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::poisson3d, 20), std::pair(ProblemKind::elasticity3d, 12)}) {
    const TpetraSystem system(kind, n);
    SCOPED_TRACE(n);
    auto list = with_multigrid();
    list.set("gather_rows", 300);
    list.set("block_size", system.problem.block_size);
    list.sublist("amg").sublist("smoothed_aggregation").set("aggregation", "mis2");
    const auto rows_of_second = [&](const Teuchos::RCP<TpetraMatrix>& A) {
      const auto levels = tpetra::CreateTesseraPreconditioner(A, list)->hierarchy().levels;
      EXPECT_GE(levels.size(), 2U);
      return levels.size() < 2 ? 0 : levels[1].rows;
    };
    const auto map = cut_lines(system.problem.A.num_rows, n, system.problem.block_size);
    EXPECT_EQ(rows_of_second(distribute(system.problem.A, map)), rows_of_second(system.alone().A));
  }
}

/// Boxes of the grid, from the finest level to the coarsest, over processes and where the first one
/// gets all rows at once.
TEST(Stratimikos, HasAllLevelsOfOneProcessOfAGrid) {
  for (const auto& [kind, n] :
       {std::pair(ProblemKind::poisson3d, 24), std::pair(ProblemKind::elasticity3d, 15),
        std::pair(ProblemKind::poisson2d, 70)}) {
    const TpetraSystem system(kind, n);
    SCOPED_TRACE(n);
    for (const int gather_rows : {100, 20000}) {
      SCOPED_TRACE(gather_rows);
      auto list = with_multigrid();
      list.set("gather_rows", gather_rows);
      list.set("block_size", system.problem.block_size);
      list.sublist("amg").set("coarse_size", 50);
      // Of the finest three: below, rounding may decide what is strong.
      const auto levels_of = [&](const Teuchos::RCP<TpetraMatrix>& A) {
        std::vector<std::pair<std::int64_t, std::int64_t>> found;
        for (const auto& level : tpetra::CreateTesseraPreconditioner(A, list)->hierarchy().levels)
          if (found.size() < 3) found.emplace_back(level.rows, level.entries);
        return found;
      };
      const auto map = cut_lines(system.problem.A.num_rows, n, system.problem.block_size);
      const auto alone = levels_of(system.alone().A);
      const auto together = levels_of(distribute(system.problem.A, map));
      EXPECT_EQ(alone.size(), 3U);
      // Others do not know the levels of the process that has all rows.
      if (gather_rows == 100 || process() == 0) {
        EXPECT_EQ(together, alone);
      }
    }
  }
}

TEST(Stratimikos, TakesProcessesWithoutRows) {
  const TpetraSystem system(ProblemKind::poisson2d, 30);
  for (const auto& map : {map_on_last(900), map_with_gaps(900)}) {
    const auto A = distribute(system.problem.A, map);
    EXPECT_LE(iterations_of(stratimikos_list("Pseudo Block CG", with_multigrid()), A), 11);
  }
}

TEST(Stratimikos, RefusesWhatTesseraDoesNotKnow) {
  const auto error_with = [](const Teuchos::ParameterList& list) {
    Stratimikos::DefaultLinearSolverBuilder builder;
    enableTessera(builder);
    builder.setParameterList(stratimikos_list("Pseudo Block CG", list));
    return error_of([&] { builder.createLinearSolveStrategy(""); });
  };
  auto wrong = with_multigrid();
  wrong.sublist("amg").set("cycel", "v");
  expect_error(error_with(wrong), ErrorKind::configuration,
               {"Tessera", "'amg.cycel'", "did you mean 'amg.cycle'?"});
  auto old = with_multigrid();
  old.sublist("amg").sublist("smoother").set("degree", 2);
  expect_error(error_with(old), ErrorKind::configuration,
               {"Tessera", "amg.smoother.degree is now amg.smoother.chebyshev.degree"});
  Stratimikos::DefaultLinearSolverBuilder builder;
  enableTessera(builder);
  expect_error(error_of([&] { enableTessera(builder); }), ErrorKind::precondition,
               {"'Tessera' already"});
  EXPECT_NO_THROW(enableTessera(builder, "another name"));
}

TEST(Stratimikos, PrintsEveryParameterWithItsMeaning) {
  Stratimikos::DefaultLinearSolverBuilder builder;
  enableTessera(builder);
  const auto& valid =
      builder.getValidParameters()->sublist("Preconditioner Types").sublist("Tessera");
  EXPECT_EQ(valid.sublist("amg").get<std::string>("cycle"), "v");
  EXPECT_EQ(valid.get<std::string>("setup"), "tessera");
  EXPECT_TRUE(valid.isSublist("MueLu"));
  std::ostringstream text;
  valid.print(text, Teuchos::ParameterList::PrintOptions().showDoc(true).showTypes(true));
  for (const char* part :
       {"the cycle's shape", "\"w\": from each level twice", "Nullspace",
        "relative residual norm at which the solve has converged", "VerboseObject"})
    EXPECT_NE(text.str().find(part), std::string::npos) << part;
  // The whole of it is a list that the factory takes.
  PreconditionerFactory factory;
  EXPECT_NO_THROW(factory.setParameterList(Teuchos::rcp(new Teuchos::ParameterList(valid))));
}

/// That Thyra's operator does to a vector what `expected` does.
void expect_same_operator(const Teuchos::RCP<const Thyra::LinearOpBase<double>>& M,
                          const TpetraOperator& expected) {
  const auto map = expected.getDomainMap();
  const Teuchos::RCP<const TpetraVectors> b = waves(map);
  TpetraVectors z(map, 1);
  TpetraVectors same(map, 1);
  const auto space = Thyra::tpetraVectorSpace<double>(map);
  const auto thyra_z = Thyra::createMultiVector<double>(Teuchos::rcpFromRef(z), space);
  Thyra::apply<double>(*M, Thyra::NOTRANS, *Thyra::createConstMultiVector<double>(b, space),
                       thyra_z.ptr());
  expected.apply(*b, same);
  EXPECT_LT(relative_difference(z, same), 1e-14);
}

TEST(Stratimikos, TakesNewValuesInTheOldHierarchy) {
  const TpetraSystem system(ProblemKind::poisson2d, 60);
  for (const std::string reuse : {"none", "symbolic"}) {
    SCOPED_TRACE(reuse);
    PreconditionerFactory factory;
    factory.setParameterList(Teuchos::rcp(new Teuchos::ParameterList(with_multigrid(reuse))));
    const auto M = factory.createPrec();
    const auto A = distribute(system.problem.A, system.map);
    Thyra::initializePrec<double>(factory, thyra(A), M.ptr());
    const auto first = M->getUnspecifiedPrecOp();
    ASSERT_FALSE(first.is_null());
    A->resumeFill();
    A->scale(2);
    A->fillComplete();
    Thyra::initializePrec<double>(factory, thyra(A), M.ptr());
    EXPECT_EQ(M->getUnspecifiedPrecOp() == first, reuse != "none") << reuse;

    expect_same_operator(M->getUnspecifiedPrecOp(),
                         *tpetra::CreateTesseraPreconditioner(A, with_multigrid()));

    // Other parameters: nothing to keep.
    auto others = with_multigrid(reuse);
    others.sublist("amg").set("cycle", "w");
    factory.setParameterList(Teuchos::rcp(new Teuchos::ParameterList(others)));
    Thyra::initializePrec<double>(factory, thyra(A), M.ptr());
    EXPECT_NE(M->getUnspecifiedPrecOp(), first) << reuse;
    factory.uninitializePrec(M.get(), nullptr, nullptr);
    EXPECT_TRUE(M->getUnspecifiedPrecOp().is_null());
  }
}

#if __has_include("tessera/hybrid/operator.hpp")
Teuchos::ParameterList with_muelu(const std::string& reuse = "none") {
  Teuchos::ParameterList list("Tessera");
  list.set("setup", "muelu");
  list.sublist("MueLu").set("coarse: max size", 60);
  list.sublist("MueLu").set("reuse: type", reuse);
  list.sublist("amg").sublist("smoother").set("type", "chebyshev");
  return list;
}

/// "setup" = "muelu" is the hybrid operator, with all of Stratimikos around it.
TEST(Stratimikos, SelectsMueLusLevels) {
  const TpetraSystem system(ProblemKind::poisson3d, 14);
  for (const std::string reuse : {"none", "tP"}) {
    SCOPED_TRACE(reuse);
    PreconditionerFactory factory;
    factory.setParameterList(Teuchos::rcp(new Teuchos::ParameterList(with_muelu(reuse))));
    const auto M = factory.createPrec();
    const auto A = distribute(system.problem.A, system.map);
    Thyra::initializePrec<double>(factory, thyra(A), M.ptr());
    const auto first = M->getUnspecifiedPrecOp();
    A->resumeFill();
    A->scale(2);
    A->fillComplete();
    Thyra::initializePrec<double>(factory, thyra(A), M.ptr());
    EXPECT_EQ(M->getUnspecifiedPrecOp() == first, reuse != "none") << reuse;

    auto list = with_muelu();
    list.remove("setup");
    expect_same_operator(M->getUnspecifiedPrecOp(), *hybrid::CreateTesseraPreconditioner(A, list));
  }
  EXPECT_LE(iterations_of(stratimikos_list("Pseudo Block CG", with_muelu()), system.A), 8);
}

TEST(Stratimikos, RefusesWhatMueLusLevelsDoNotHave) {
  const TpetraSystem system(ProblemKind::poisson2d, 10);
  const auto refused = [&](const Teuchos::ParameterList& list) {
    PreconditionerFactory factory;
    return error_of([&] {
      factory.setParameterList(Teuchos::rcp(new Teuchos::ParameterList(list)));
      Thyra::initializePrec<double>(factory, thyra(system.A), factory.createPrec().ptr());
    });
  };
  auto wrong = with_muelu();
  wrong.set("setup", "mulu");
  expect_error(refused(wrong), ErrorKind::configuration, {"setup", "mulu", "muelu"});
  wrong = with_muelu();
  wrong.set("setup", 2);
  expect_error(refused(wrong), ErrorKind::configuration, {"setup"});
  wrong = with_muelu();
  wrong.sublist("amg").sublist("smoothed_aggregation").set("aggregation", "mis2");
  expect_error(refused(wrong), ErrorKind::configuration,
               {"unknown parameter 'amg.smoothed_aggregation'"});
  wrong = with_muelu();
  wrong.sublist("MueLu").set("coarse: maximal size", 60);
  expect_error(refused(wrong), ErrorKind::configuration, {"MueLu", "coarse: maximal size"});
  wrong = with_multigrid();
  wrong.sublist("MueLu").set("coarse: max size", 60);
  expect_error(refused(wrong), ErrorKind::configuration, {"sublist 'MueLu'", "'tessera'"});
}
#endif

TEST(Stratimikos, IsForMatricesOfTpetra) {
  const TpetraSystem system(ProblemKind::poisson2d, 20);
  const PreconditionerFactory factory;
  const auto matrix = Thyra::defaultLinearOpSource<double>(thyra(system.A));
  EXPECT_TRUE(factory.isCompatible(*matrix));
  const auto M = factory.createPrec();
  factory.initializePrec(matrix, M.get(), Thyra::SUPPORT_SOLVE_UNSPECIFIED);
  const auto no_matrix = Thyra::defaultLinearOpSource<double>(M->getUnspecifiedPrecOp());
  EXPECT_FALSE(factory.isCompatible(*no_matrix));
  const auto other = factory.createPrec();
  expect_error(error_of([&] {
                 factory.initializePrec(no_matrix, other.get(), Thyra::SUPPORT_SOLVE_UNSPECIFIED);
               }),
               ErrorKind::precondition, {"must wrap a Tpetra::CrsMatrix"});
  Teuchos::RCP<const PreconditionerFactory::Source> forward;
  factory.uninitializePrec(M.get(), &forward, nullptr);
  EXPECT_EQ(forward, matrix);
}

}  // namespace tessera::test::stratimikos_test
