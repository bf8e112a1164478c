// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// compare_mfem: Tessera and BoomerAMG in one conjugate gradients method, on Poisson's equation and
// elasticity as MFEM discretises them, over the processes that it is started with. A line of a
// table for each.
#include "support/median.hpp"
#include "support/mfem_problems.hpp"
#include "support/record.hpp"
#include "tessera/mfem/solver.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using Problem = tessera::perf::MfemProblem;
using tessera::perf::MeshKind;

struct Settings {
  int poisson_n = 48;  ///< elements of first order per side; order p has 1 / p as many
  int beam_n = 16;  ///< the same across a beam that is four times as long
  int repeats = 5;
  double tolerance = 1e-8;
  std::vector<int> orders{1, 2, 3};
  std::vector<MeshKind> meshes{MeshKind::hexahedra};
  std::vector<std::string> tessera;  ///< parameters of further rows, a string for each
  bool only_tessera = false;
  std::string out;
};

double inner(const mfem::Vector& a, const mfem::Vector& b) {
  return mfem::InnerProduct(MPI_COMM_WORLD, a, b);
}

/// Conjugate gradients that stop by the residual's own norm, which is the same for every
/// preconditioner.
int conjugate_gradients(const mfem::Operator& A, const mfem::Operator& M, const mfem::Vector& b,
                        mfem::Vector& x, double tolerance) {
  const int n = b.Size();
  mfem::Vector r(b);
  mfem::Vector z(n);
  mfem::Vector p(n);
  mfem::Vector Ap(n);
  x = 0.0;
  const double target = tolerance * std::sqrt(inner(b, b));
  M.Mult(r, z);
  p = z;
  double rho = inner(r, z);
  int iteration = 0;
  while (std::sqrt(inner(r, r)) > target && iteration < 500) {
    A.Mult(p, Ap);
    const double alpha = rho / inner(p, Ap);
    x.Add(alpha, p);
    r.Add(-alpha, Ap);
    M.Mult(r, z);
    const double next = inner(r, z);
    add(z, next / rho, p, p);
    rho = next;
    ++iteration;
  }
  return iteration;
}

/// What has been measured so far; rewritten after each problem, so that it is there whatever comes.
struct Record {
  const Settings& settings;
  nlohmann::json results = nlohmann::json::array();

  void write() const {
    if (!mfem::Mpi::Root()) return;
    tessera::perf::write_record(settings.out, {{"processes", mfem::Mpi::WorldSize()},
                                               {"repeats", settings.repeats},
                                               {"tolerance", settings.tolerance},
                                               {"results", results}});
  }
};

/// Makes a preconditioner and sets it up.
using Factory = std::function<std::unique_ptr<mfem::Solver>(Problem&)>;

Factory make_tessera(const std::string& parameters) {
  return [parameters](Problem& problem) {
    auto made = std::make_unique<tessera::mfem::Solver>();
    if (problem.is_elastic) made->set_rigid_body_modes(*problem.space);
    made->set_parameters(parameters);
    made->SetOperator(problem.A);
    return made;
  };
}

/// BoomerAMG after `adjust`.
Factory make_boomeramg(const std::function<void(mfem::HypreBoomerAMG&, Problem&)>& adjust) {
  return [adjust](Problem& problem) {
    auto made = std::make_unique<mfem::HypreBoomerAMG>(problem.A);
    made->SetPrintLevel(0);
    adjust(*made, problem);
    made->Setup(problem.b, problem.x);
    return made;
  };
}

/// Of the slowest process.
struct Seconds {
  double passed = 0;
  double of_processor = 0;  ///< in user's code, of all threads
};

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

Seconds seconds_of(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds[] = {MPI_Wtime(), user_seconds()};
  work();
  seconds[0] = MPI_Wtime() - seconds[0];
  seconds[1] = user_seconds() - seconds[1];
  MPI_Allreduce(MPI_IN_PLACE, seconds, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return {seconds[0], seconds[1]};
}

/// What one preconditioner took, run by run.
struct Runs {
  std::vector<Seconds> setups, solves;
  int iterations = 0;
  double residual = 0;
};

void measure(Problem& problem, const Factory& factory, double tolerance, Runs& runs) {
  std::unique_ptr<mfem::Solver> M;
  runs.setups.push_back(seconds_of([&] { M = factory(problem); }));
  runs.solves.push_back(seconds_of([&] {
    runs.iterations = conjugate_gradients(problem.A, *M, problem.b, problem.x, tolerance);
  }));
  mfem::Vector r(problem.b);
  problem.A.AddMult(problem.x, r, -1.0);
  runs.residual = std::sqrt(inner(r, r) / inner(problem.b, problem.b));
}

double median_of(const std::vector<Seconds>& runs, double Seconds::* kind) {
  std::vector<double> numbers;
  for (const Seconds& run : runs)
    numbers.push_back(run.*kind);
  return tessera::perf::median_of(std::move(numbers));
}

void compare(const std::string& name, MeshKind mesh, Problem& problem, Record& record,
             const std::vector<std::pair<std::string, Factory>>& factories) {
  const Settings& settings = record.settings;
  const auto unknowns = problem.space->GlobalTrueVSize();
  const std::string on = tessera::perf::name_of(mesh);
  std::vector<Runs> all(factories.size());
  // In turn, so that what disturbs the machine disturbs all of them; the first round is not
  // counted.
  for (int round = 0; round <= settings.repeats; ++round) {
    for (std::size_t i = 0; i < factories.size(); ++i) {
      if (round == 1) all[i] = {};
      measure(problem, factories[i].second, settings.tolerance, all[i]);
    }
  }
  for (std::size_t i = 0; i < factories.size(); ++i) {
    const Runs& runs = all[i];
    const double setup = median_of(runs.setups, &Seconds::passed);
    const double solve = median_of(runs.solves, &Seconds::passed);
    const double user = median_of(runs.setups, &Seconds::of_processor) +
                        median_of(runs.solves, &Seconds::of_processor);
    mfem::out
        << fmt::format(
               "| {} | {} | {} | {} | {} | {} | {:.1e} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n",
               name, on, unknowns, mfem::Mpi::WorldSize(), factories[i].first, runs.iterations,
               runs.residual, setup, solve, setup + solve, user)
        << std::flush;
    record.results.push_back({{"name", name},
                              {"mesh", on},
                              {"rows", unknowns},
                              {"preconditioner", factories[i].first},
                              {"iterations", runs.iterations},
                              {"relative_residual", runs.residual},
                              {"setup_ms", setup * 1e3},
                              {"solve_ms", solve * 1e3},
                              {"user_ms", user * 1e3}});
  }
  record.write();
}

/// Tessera's defaults, what else is asked of it, and `others`.
std::vector<std::pair<std::string, Factory>> with_tessera(
    const Settings& settings, const std::vector<std::pair<std::string, Factory>>& others) {
  std::vector<std::pair<std::string, Factory>> all{{"Tessera", make_tessera("")}};
  for (const std::string& parameters : settings.tessera)
    all.emplace_back("Tessera, " + parameters, make_tessera(parameters));
  if (!settings.only_tessera) all.insert(all.end(), others.begin(), others.end());
  return all;
}

void run(const Settings& settings) {
  const auto classical = [](mfem::HypreBoomerAMG& amg, Problem&) {
    amg.SetCoarsening(10);  // HMIS
    amg.SetInterpolation(6);  // extended+i
    amg.SetAggressiveCoarsening(0);
    amg.SetStrengthThresh(0.5);
  };
  const auto as_it_is = [](mfem::HypreBoomerAMG&, Problem&) {};
  const auto nodal = [](mfem::HypreBoomerAMG& amg, Problem&) { amg.SetSystemsOptions(3); };
  const auto modes = [](mfem::HypreBoomerAMG& amg, Problem& problem) {
    amg.SetElasticityOptions(problem.space.get());
  };
  mfem::out << "| problem | mesh | unknowns | processes | preconditioner | iterations | residual | "
               "setup s | solve s | both s | user s |\n"
               "| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  Record record{settings};
  const auto each = [&](const char* name, int n, auto make, const auto& boomeramgs) {
    for (const MeshKind mesh : settings.meshes) {
      for (const int order : settings.orders) {
        if (n < order) continue;
        Problem problem;
        make(problem, mesh, n / order, order);
        compare(fmt::format("{}, order {}", name, order), mesh, problem, record,
                with_tessera(settings, boomeramgs));
      }
    }
  };
  using Factories = std::vector<std::pair<std::string, Factory>>;
  each("Poisson", settings.poisson_n, tessera::perf::make_poisson,
       Factories{{"BoomerAMG, MFEM's options", make_boomeramg(as_it_is)},
                 {"BoomerAMG, HMIS, ext+i, 0.5", make_boomeramg(classical)}});
  each("elasticity", settings.beam_n, tessera::perf::make_beam,
       Factories{{"BoomerAMG, nodal", make_boomeramg(nodal)},
                 {"BoomerAMG, rigid body modes", make_boomeramg(modes)}});
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Tessera and BoomerAMG in one method, on problems that MFEM discretises");
  app.add_option("--poisson-n", settings.poisson_n,
                 "elements of first order per side of the cube; 0: none");
  app.add_option("--beam-n", settings.beam_n, "elements of first order across the beam; 0: none");
  app.add_option("--orders", settings.orders, "orders of the elements");
  app.add_option("--mesh", settings.meshes, "of what elements; several are compared in turn")
      ->transform(CLI::CheckedTransformer(tessera::perf::mesh_kinds));
  app.add_option("--tessera", settings.tessera,
                 "parameters of Tessera for a further row, 'amg.coarsening=classical'; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--only-tessera", settings.only_tessera, "without BoomerAMG");
  app.add_option("--repeats", settings.repeats,
                 "runs whose median counts, after one that does not");
  app.add_option("--tolerance", settings.tolerance, "of the relative residual");
  app.add_option("--out", settings.out, "JSON file");
  CLI11_PARSE(app, argc, argv);
  mfem::Mpi::Init(argc, argv);
  mfem::Hypre::Init();
  if (!mfem::Mpi::Root()) mfem::out.Disable();
  try {
    run(settings);
  } catch (const tessera::Error& error) {
    mfem::err << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
