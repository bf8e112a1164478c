// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a solver over processes refuses says what there is: the table of docs/guide/distributed.md.
#include "distributed/shared_matrix.hpp"

#include "tessera/amg/coarsening/register_coarsening.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test::refusals_test {

using distributed::Parameters;

struct Refusal {
  void (*ask)(Parameters&);
  const char* answer;
};

/// A coarsening of the program's that makes nothing.
amg::CoarseningKind own_none() {
  using Fine = amg::FineLevel<double, HostSpace, std::int32_t>;
  using Made = std::unique_ptr<amg::Coarsening<double, HostSpace, std::int32_t>>;
  static const amg::CoarseningKind kind = amg::register_coarsening(
      "refused_none", "nothing at all", [](const Fine&) -> Made { return nullptr; });
  return kind;
}

/// By the choice of one level, the others being as `amg.coarsening` says.
template <class Change>
void change_level(Parameters& p, const Change& change) {
  amg::LevelParameters level = amg::uniform_choice(p.solve.amg);
  level.coarsening.type = amg::CoarseningKind::same;
  change(level);
  p.solve.amg.levels = {std::move(level)};
}

const Refusal refusals[] = {
    {[](Parameters& p) { p.solve.solver.single_kernel = SingleKernel::on; },
     "'solver.single_kernel' is off"},
    {[](Parameters& p) { p.solve.solver.tiles = TilePrecision::fixed; }, "'solver.tiles' is off"},
    {[](Parameters& p) { p.solve.solver.tiles = TilePrecision::dynamic; }, "'solver.tiles' is off"},
    {[](Parameters& p) { p.solve.amg.coarsening = own_none(); },
     "'amg.coarsening' is smoothed_aggregation, pairwise, classical or reduction, not "
     "refused_none, which is registered for matrices on one process"},
    {[](Parameters& p) {
       change_level(p, [](amg::LevelParameters& level) { level.coarsening.type = own_none(); });
     },
     "'amg.levels.*.coarsening.type' is same, smoothed_aggregation, plain_aggregation, pairwise, "
     "classical or reduction, not refused_none, which is registered for matrices on one process"},
    {[](Parameters& p) {
       p.reproducible = true;
       p.solve.amg.storage.format = StorageFormat::mbsr;
     },
     "'reproducible' is for compressed rows: 'amg.storage.format' is auto or csr"},
    {[](Parameters& p) {
       p.reproducible = true;
       p.solve.amg.storage.scalar = StorageScalar::half;
     },
     "'reproducible' is for rows in the scalar of the vectors: 'amg.storage.scalar' is same or "
     "double"},
    {[](Parameters& p) {
       p.reproducible = true;
       p.solve.precision = Precision::single;
       p.solve.amg.storage.scalar = StorageScalar::automatic;
     },
     "'reproducible' is for rows in the scalar of the vectors: 'amg.storage.scalar' is same or "
     "float"},
    {[](Parameters& p) {
       p.reproducible = true;
       p.solve.preconditioner = PreconditionerKind::ilu;
     },
     "'reproducible' is not for incomplete factors of each process's own rows"},
};

/// Also where there is one process: the solver is the one for several.
TEST(DistributedRefusals, SayWhatThereIs) {
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.answer);
    Parameters p;
    refusal.ask(p);
    for (const auto& processes : {all_processes(), distributed::alone()})
      EXPECT_EQ(message_of(ErrorKind::configuration, [&] { DistributedSolver(processes, p); }),
                std::string("on several processes ") + refusal.answer);
  }
  Parameters p;
  p.gather_rows = 0;
  expect_error(error_of([&] { DistributedSolver(all_processes(), p); }), ErrorKind::configuration,
               {"gather_rows"});
}

/// Of process 0, whose first row is full.
TEST(DistributedRefusals, NameTheSettingOfAFormatThatCannotHoldALevel) {
  constexpr int n = 8000;
  const auto A = by_rows<double>(n, n, [](auto& to, int i) {
    for (int j = 0; j < n; ++j)
      if (i == 0 || j == 0 || i == j) to.push(j, i == j ? n : -0.5);
  });
  const Share rows(shared_matrix::rows_of(A, odd_share(n, num_processes(), process())));
  Parameters p;
  p.gather_rows = 100;
  p.solve.preconditioner = PreconditionerKind::amg;
  p.solve.amg.storage.format = StorageFormat::ell;
  DistributedSolver solver(all_processes(), p);
  expect_error(error_of([&] { solver.setup(Space(), rows.rows()); }), ErrorKind::configuration,
               {"amg.storage.format = ell cannot hold A of level 0", "the length of row 0"});
}

/// What setup alone can tell: nodes of several unknowns, and smoothers of levels.
TEST(DistributedRefusals, SayWhatThereIsOfTheMatrix) {
  const SharedProblem elasticity({.problem = ProblemKind::elasticity3d, .n = 4});
  const Share nodes(elasticity.host);
  Parameters p;
  p.block_size = 3;
  for (const auto kind : {amg::CoarseningKind::reduction, amg::CoarseningKind::pairwise}) {
    p.block_size = 3;
    p.solve.amg.coarsening = kind;
    DistributedSolver one_unknown(all_processes(), p);
    const auto why =
        message_of(ErrorKind::configuration, [&] { one_unknown.setup(Space(), nodes.rows()); });
    EXPECT_NE(why.find("on several processes amg.coarsening=" + amg::coarsening_name(kind) +
                       " is for one unknown per node, and nodes have 3; take "
                       "amg.coarsening=smoothed_aggregation, or block_size=1 where the unknowns "
                       "are of one kind"),
              std::string::npos)
        << why;
    p.block_size = 0;  // none are looked for
    DistributedSolver(all_processes(), p).setup(Space(), nodes.rows());
  }
  const SharedProblem grid({.problem = ProblemKind::poisson2d, .n = 30});
  const Share rows(grid.host);
  p = {};
  p.gather_rows = 100;
  p.reproducible = true;
  p.solve.amg.smoother.type = SmootherType::ilu;
  DistributedSolver hybrid(all_processes(), p);
  const auto words =
      message_of(ErrorKind::configuration, [&] { hybrid.setup(Space(), rows.rows()); });
  EXPECT_NE(words.find("'reproducible' is not for smoother ilu, which relaxes each process's rows "
                       "by themselves; take jacobi, l1_jacobi, chebyshev or spai0"),
            std::string::npos)
      << words;
}

/// What is not refused is what it is taken for.
TEST(DistributedRefusals, LeaveWhatDiffers) {
  const SharedProblem problem({.problem = ProblemKind::poisson2d, .n = 30});
  const Share rows(problem.host);
  Parameters p;
  p.gather_rows = 100;
  p.solve.equilibration = Equilibration::unit_diagonal;
  p.solve.solver.name = SolverName::gmres;
  p.solve.solver.ahead = RunAhead::on;
  DistributedSolver solver(all_processes(), p);
  solver.setup(Space(), rows.rows());
  const Vectors x = zeros(problem.num_rows());
  EXPECT_TRUE(solver.solve(Space(), waves(problem.first, problem.num_rows()), x).converged());
  const HierarchyInfo info = solver.hierarchy();
  ASSERT_FALSE(info.levels.empty());
  EXPECT_EQ(info.levels.front().precision, "double");  // with `precision` left open
}

}  // namespace tessera::test::refusals_test
