// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera beside MueLu, each by its name in Stratimikos and by its defaults, on any number of
/// processes: Galeri's Laplace3D and Elasticity3D by Belos's CG, Recirc2D by its GMRES.
///
/// Both are told nothing, or both the unknowns per node and the near-nullspace, and take turns. A
/// setup is all of `Thyra::linearOpWithSolve`. Times are those of the slowest process: medians over
/// the turns, and least ones, which other work on the machine changes less.
#include "tessera/stratimikos/enable_tessera.hpp"

#include "support/galeri_system.hpp"
#include "support/median.hpp"
#include "support/process_stopwatch.hpp"
#include "support/record.hpp"

#include <BelosTpetraAdapter.hpp>
#include <CLI/CLI.hpp>
#include <Stratimikos_MueLuHelpers.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using Operator = Tpetra::Operator<double>;
using Vectors = Tpetra::MultiVector<double>;
using List = Teuchos::ParameterList;
using System = tessera::perf::GaleriSystem;
using tessera::perf::median_of;
using tessera::perf::ProcessStopwatch;
using Teuchos::RCP;

constexpr const char* preconditioners[] = {"MueLu", "Tessera"};

/// By its defaults, but for what it is told of the matrix.
List preconditioner_list(const std::string& name, const System& system, bool told) {
  List list(name);
  if (name == "MueLu")
    list.set("verbosity", "none");
  else
    list.set("preconditioner", "amg");  // on one process it might be sparse factors
  if (!told) return list;
  list.set(name == "MueLu" ? "number of equations" : "block_size", system.block_size);
  if (!system.vectors.is_null()) list.sublist("user data").set("Nullspace", system.vectors);
  return list;
}

struct Options {
  double tolerance = 1e-8;
  bool told = false;
  bool describes = false;
};

RCP<List> stratimikos_list(const std::string& preconditioner, const System& system,
                           const Options& options) {
  const std::string method = system.name == "Recirc2D" ? "Pseudo Block GMRES" : "Pseudo Block CG";
  const auto list = Teuchos::parameterList("Stratimikos");
  list->set("Linear Solver Type", "Belos");
  auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", method);
  auto& own = belos.sublist("Solver Types").sublist(method);
  own.set("Convergence Tolerance", options.tolerance);
  own.set("Maximum Iterations", 500);
  own.set("Implicit Residual Scaling", "Norm of RHS");
  if (method == "Pseudo Block GMRES") own.set("Explicit Residual Scaling", "Norm of RHS");
  list->set("Preconditioner Type", preconditioner);
  auto& made = list->sublist("Preconditioner Types").sublist(preconditioner);
  made = preconditioner_list(preconditioner, system, options.told);
  if (options.describes && preconditioner == "Tessera")
    made.sublist("VerboseObject").set("Verbosity Level", "low");
  return list;
}

struct Outcome {
  int iterations = 0;
  bool converged = false;
  double residual = 0;
  std::vector<double> setups_ms;
  std::vector<double> solves_ms;
};

void run(const std::string& preconditioner, const System& system, const Options& options,
         bool timed, Outcome& outcome) {
  Stratimikos::DefaultLinearSolverBuilder builder;
  Stratimikos::enableMueLu<double>(builder);
  tessera::stratimikos::enableTessera(builder);
  builder.setParameterList(stratimikos_list(preconditioner, system, options));
  const auto factory = builder.createLinearSolveStrategy("");
  factory->setVerbLevel(Teuchos::VERB_NONE);
  const auto space = Thyra::tpetraVectorSpace<double>(system.A->getRangeMap());
  const auto A = Thyra::constTpetraLinearOp<double>(space, space, RCP<const Operator>(system.A));
  const auto b = Thyra::createConstMultiVector<double>(RCP<const Vectors>(system.b), space);
  Vectors x(system.A->getDomainMap(), 1);
  const auto thyra_x = Thyra::createMultiVector<double>(Teuchos::rcpFromRef(x), space);

  const ProcessStopwatch setup;
  const auto solver = Thyra::linearOpWithSolve<double>(*factory, A);
  const double setup_ms = setup.ms();
  const ProcessStopwatch solve;
  const auto status = Thyra::solve<double>(*solver, Thyra::NOTRANS, *b, thyra_x.ptr());
  const double solve_ms = solve.ms();
  if (timed) {
    outcome.setups_ms.push_back(setup_ms);
    outcome.solves_ms.push_back(solve_ms);
  }
  outcome.converged = status.solveStatus == Thyra::SOLVE_STATUS_CONVERGED;
  outcome.iterations = status.extraParameters->get<int>("Belos/Iteration Count");
  Vectors r(*system.b, Teuchos::Copy);
  system.A->apply(x, r, Teuchos::NO_TRANS, -1, 1);
  outcome.residual = r.getVector(0)->norm2() / system.b->getVector(0)->norm2();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Tessera beside MueLu by name in Stratimikos, by their defaults; start it by mpirun for "
      "several processes"};
  int laplace_n = 40;
  int elasticity_n = 16;
  int recirc_n = 120;
  Options options;
  int repeats = 5;
  std::string json;
  app.add_option("--laplace-n", laplace_n, "grid points per direction (Laplace3D)");
  app.add_option("--elasticity-n", elasticity_n, "elements per direction (Elasticity3D)");
  app.add_option("--recirc-n", recirc_n, "grid points per direction (Recirc2D)");
  app.add_option("--tolerance", options.tolerance, "relative residual");
  app.add_flag("--told", options.told,
               "both are told the unknowns per node and the near-nullspace (Elasticity3D)");
  app.add_flag("--describe", options.describes, "print Tessera's levels after each setup");
  app.add_option("--repeats", repeats, "timed turns of each after a warm-up")
      ->check(CLI::PositiveNumber);
  app.add_option("--json", json, "write a record to this file");
  CLI11_PARSE(app, argc, argv);

  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto processes = Tpetra::getDefaultComm();
  const bool prints = processes->getRank() == 0;
  nlohmann::json record;
  record["processes"] = processes->getSize();
  record["tolerance"] = options.tolerance;
  record["told"] = options.told;
  record["repeats"] = repeats;
  if (prints)
    std::printf("%d processes\n%-14s  %-8s  %4s  %20s  %20s  %9s\n", processes->getSize(),
                "problem", "", "it", "setup, least of it", "solve, least of it", "residual");
  for (const System& system : {tessera::perf::galeri("Laplace3D", laplace_n, 1),
                               tessera::perf::galeri("Elasticity3D", elasticity_n, 1),
                               tessera::perf::galeri("Recirc2D", recirc_n, 1)}) {
    Outcome outcomes[2];
    for (int turn = 0; turn <= repeats; ++turn) {
      for (int which = 0; which < 2; ++which)
        run(preconditioners[which], system, options, turn > 0, outcomes[which]);
    }
    for (int which = 0; which < 2; ++which) {
      const Outcome& outcome = outcomes[which];
      const double setup_ms = median_of(outcome.setups_ms);
      const double solve_ms = median_of(outcome.solves_ms);
      const double min_setup_ms = std::ranges::min(outcome.setups_ms);
      const double min_solve_ms = std::ranges::min(outcome.solves_ms);
      if (prints)
        std::printf("%-14s  %-8s  %4d  %7.1f, %7.1f ms  %7.1f, %7.1f ms  %9.2e  %s\n",
                    system.name.c_str(), preconditioners[which], outcome.iterations, setup_ms,
                    min_setup_ms, solve_ms, min_solve_ms, outcome.residual,
                    outcome.converged ? "converged" : "not converged");
      std::fflush(stdout);
      record["solves"].push_back({{"problem", system.name},
                                  {"rows", system.A->getGlobalNumRows()},
                                  {"preconditioner", preconditioners[which]},
                                  {"iterations", outcome.iterations},
                                  {"converged", outcome.converged},
                                  {"relative_residual", outcome.residual},
                                  {"setup_ms", setup_ms},
                                  {"min_setup_ms", min_setup_ms},
                                  {"solve_ms", solve_ms},
                                  {"min_solve_ms", min_solve_ms}});
    }
  }
  if (prints) tessera::perf::write_record(json, record);
}
