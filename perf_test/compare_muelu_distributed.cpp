// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's own levels, and its cycle over MueLu's, beside MueLu (smoothed aggregation, its
/// defaults), all under Belos's CG on any number of processes: Galeri's Laplace3D and Elasticity3D
/// with its rigid body modes, and a loop of time steps with what each may reuse.
///
/// All solve for the same right-hand side from x0 = 0 to the same relative residual. Times are
/// those of the slowest process, medians after one warm-up.
#include "tessera/hybrid/operator.hpp"
#include "tessera/tpetra/preconditioner.hpp"

#include "support/galeri_system.hpp"
#include "support/median.hpp"
#include "support/mpi_processes.hpp"
#include "support/process_stopwatch.hpp"
#include "support/record.hpp"
#include "support/run_options.hpp"

#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <CLI/CLI.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Tpetra_Core.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

using Matrix = Tpetra::CrsMatrix<double>;
using Operator = Tpetra::Operator<double>;
using Vectors = Tpetra::MultiVector<double>;
using GlobalOrdinal = Matrix::global_ordinal_type;
using List = Teuchos::ParameterList;
using System = tessera::perf::GaleriSystem;
using tessera::perf::galeri;
using tessera::perf::median_of;
using tessera::perf::ProcessStopwatch;
using Teuchos::RCP;

List user_data(const System& system) {
  List list;
  if (!system.vectors.is_null()) list.sublist("user data").set("Nullspace", system.vectors);
  return list;
}

List muelu_list(const System& system) {
  List list = user_data(system);
  list.set("verbosity", "none");
  list.set("number of equations", system.block_size);
  return list;
}

List own_list(const System& system, const char* precision, const char* scalar) {
  List list = user_data(system);
  list.set("preconditioner", "amg");
  list.set("block_size", system.block_size);
  list.set("precision", precision);
  list.set("amg.storage.scalar", scalar);
  return list;
}

List hybrid_list(const System& system, const char* precision, const char* scalar) {
  List list = user_data(system);
  list.sublist("MueLu").set("number of equations", system.block_size);
  list.set("precision", precision);
  list.set("amg.storage.scalar", scalar);
  return list;
}

struct Contender {
  std::string name;
  std::function<RCP<Operator>(const System&)> make;
};

std::vector<Contender> contenders() {
  std::vector<Contender> all;
  all.push_back({"MueLu", [](const System& system) -> RCP<Operator> {
                   List list = muelu_list(system);
                   return MueLu::CreateTpetraPreconditioner(RCP<Operator>(system.A), list);
                 }});
  const auto add = [&all](const std::string& suffix, const char* precision, const char* scalar) {
    all.push_back({"Tessera" + suffix, [=](const System& system) -> RCP<Operator> {
                     return tessera::tpetra::CreateTesseraPreconditioner(
                         system.A, own_list(system, precision, scalar));
                   }});
    all.push_back({"hybrid" + suffix, [=](const System& system) -> RCP<Operator> {
                     return tessera::hybrid::CreateTesseraPreconditioner(
                         system.A, hybrid_list(system, precision, scalar));
                   }});
  };
  add("", "same", "same");
  add(" (DP-SP)", "float", "same");
  add(" (DP-SP-HP)", "float", "half");
  return all;
}

struct Outcome {
  int iterations = 0;
  double setup_ms = 0;
  double solve_ms = 0;
  double residual = 0;
};

void solve(const System& system, const RCP<Operator>& M, double tolerance, Outcome& outcome) {
  using Problem = Belos::LinearProblem<double, Vectors, Operator>;
  const auto x = Teuchos::rcp(new Vectors(system.A->getDomainMap(), 1));
  const auto parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", tolerance);
  parameters->set("Maximum Iterations", 500);
  parameters->set("Implicit Residual Scaling", "Norm of RHS");
  const ProcessStopwatch watch;
  const auto problem = Teuchos::rcp(new Problem(system.A, x, system.b));
  problem->setLeftPrec(M);
  problem->setProblem();
  Belos::PseudoBlockCGSolMgr<double, Vectors, Operator> solver(problem, parameters);
  solver.solve();
  outcome.solve_ms = watch.ms();
  outcome.iterations = solver.getNumIters();
  Vectors r(*system.b, Teuchos::Copy);
  system.A->apply(*x, r, Teuchos::NO_TRANS, -1, 1);
  outcome.residual = r.getVector(0)->norm2() / system.b->getVector(0)->norm2();
}

Outcome measure(const System& system, const Contender& contender, double tolerance, int repeats) {
  std::vector<double> setups;
  std::vector<double> solves;
  Outcome outcome;
  for (int i = 0; i <= repeats; ++i) {
    const ProcessStopwatch watch;
    const RCP<Operator> M = contender.make(system);
    outcome.setup_ms = watch.ms();
    solve(system, M, tolerance, outcome);
    if (i == 0 && repeats > 0) continue;  // warm-up
    setups.push_back(outcome.setup_ms);
    solves.push_back(outcome.solve_ms);
  }
  outcome.setup_ms = median_of(setups);
  outcome.solve_ms = median_of(solves);
  return outcome;
}

/// What of one time step's preconditioner serves the next.
struct Reuse {
  std::string name;
  std::function<std::function<RCP<Operator>()>(const System&)> start;
};

std::vector<Reuse> reuses() {
  std::vector<Reuse> all;
  for (const char* const kind : {"none", "symbolic", "interpolation", "hierarchy"}) {
    all.push_back({std::string("Tessera, amg.reuse=") + kind, [kind](const System& system) {
                     List list = own_list(system, "same", "same");
                     list.set("amg.reuse", kind);
                     const auto M = tessera::tpetra::CreateTesseraPreconditioner(system.A, list);
                     return [M, &system]() -> RCP<Operator> {
                       tessera::tpetra::ReuseTesseraPreconditioner(system.A, *M);
                       return M;
                     };
                   }});
  }
  for (const char* const kind : {"none", "tP", "RP", "full"}) {
    all.push_back({std::string("hybrid, reuse: type=") + kind, [kind](const System& system) {
                     List list = hybrid_list(system, "same", "same");
                     list.sublist("MueLu").set("reuse: type", kind);
                     const auto M = tessera::hybrid::CreateTesseraPreconditioner(system.A, list);
                     return [M, &system]() -> RCP<Operator> {
                       tessera::hybrid::ReuseTesseraPreconditioner(system.A, *M);
                       return M;
                     };
                   }});
  }
  return all;
}

/// Adds `shift` to the diagonal: a shorter time step, or a larger reaction.
void shift_diagonal(Matrix& A, double shift) {
  A.resumeFill();
  const auto& rows = *A.getRowMap();
  for (const GlobalOrdinal i : rows.getLocalElementList())
    A.sumIntoGlobalValues(i, Teuchos::tuple(i), Teuchos::tuple(shift));
  A.fillComplete();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Tessera and its cycle over MueLu's levels beside MueLu, under Belos's CG; start it by "
      "mpirun for several processes"};
  int n = 60;
  int elastic_n = 20;
  double stretch = 5;
  double tolerance = 1e-8;
  int repeats = 3;
  int steps = 20;
  std::string json;
  app.add_option("--n", n, "grid points per direction (Laplace3D)");
  app.add_option("--elasticity-n", elastic_n, "elements per direction (Elasticity3D)");
  app.add_option("--stretch", stretch, "length of an element along z (Elasticity3D)");
  app.add_option("--tolerance", tolerance, "relative residual");
  app.add_option("--repeats", repeats, "timed runs after a warm-up; 0: one without");
  app.add_option("--steps", steps, "time steps of the loop; 0: none");
  app.add_option("--json", json, "write a record to this file");
  CLI11_PARSE(app, argc, argv);

  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const auto processes = Tpetra::getDefaultComm();
  const bool prints = processes->getRank() == 0;
  nlohmann::json record;
  record["processes"] = processes->getSize();
  const auto row = [&](const std::string& system, const std::string& name, const Outcome& outcome) {
    if (prints)
      std::printf("%-24s  %-28s  %4d  %10.1f ms  %10.1f ms  %9.2e\n", system.c_str(), name.c_str(),
                  outcome.iterations, outcome.setup_ms, outcome.solve_ms, outcome.residual);
    std::fflush(stdout);
    record["solves"].push_back({{"problem", system},
                                {"preconditioner", name},
                                {"iterations", outcome.iterations},
                                {"setup_ms", outcome.setup_ms},
                                {"solve_ms", outcome.solve_ms},
                                {"relative_residual", outcome.residual}});
  };
  if (prints)
    std::printf("%d processes\n%-24s  %-28s  %4s  %13s  %13s  %9s\n", processes->getSize(),
                "problem", "preconditioner", "it", "setup", "solve", "residual");
  for (const System& system : {galeri("Laplace3D", n, 1), galeri("Elasticity3D", elastic_n, 1),
                               galeri("Elasticity3D", elastic_n, stretch)}) {
    for (const Contender& contender : contenders())
      row(system.name, contender.name, measure(system, contender, tolerance, repeats));
  }

  if (prints && steps > 0) std::printf("%d steps, setups and solves of all\n", steps);
  for (const Reuse& reuse : reuses()) {
    if (steps == 0) break;
    const System system = galeri("Laplace3D", n, 1);
    const auto next = reuse.start(system);
    int fewest = 1000000;
    int most = 0;
    double setup_ms = 0;
    double solve_ms = 0;
    for (int step = 0; step < steps; ++step) {
      shift_diagonal(*system.A, 0.02);
      Outcome outcome;
      const ProcessStopwatch watch;
      const RCP<Operator> M = next();
      setup_ms += watch.ms();
      solve(system, M, tolerance, outcome);
      solve_ms += outcome.solve_ms;
      fewest = std::min(fewest, outcome.iterations);
      most = std::max(most, outcome.iterations);
    }
    if (prints)
      std::printf("%-28s  %d to %d iterations  %10.1f ms  %10.1f ms\n", reuse.name.c_str(), fewest,
                  most, setup_ms, solve_ms);
    std::fflush(stdout);
    record["steps"].push_back({{"reuse", reuse.name},
                               {"steps", steps},
                               {"fewest_iterations", fewest},
                               {"most_iterations", most},
                               {"setup_ms", setup_ms},
                               {"solve_ms", solve_ms}});
  }
  if (prints) tessera::perf::write_record(json, record);
}
