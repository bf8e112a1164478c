// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// compare_mfem: Tessera and BoomerAMG in one conjugate gradients method, on Poisson's equation and
// elasticity as MFEM discretises them, over the processes that it is started with. A line of a
// table for each.
#include "support/median.hpp"
#include "support/record.hpp"
#include "tessera/mfem/solver.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mfem.hpp>
#include <optional>

namespace {

struct Settings {
  int poisson_n = 48;  ///< elements of first order per side; order p has 1 / p as many
  int beam_n = 16;  ///< the same across a beam that is four times as long
  int repeats = 5;
  double tolerance = 1e-8;
  std::vector<int> orders{1, 2, 3};
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

struct Problem {
  std::unique_ptr<mfem::ParMesh> mesh;
  std::unique_ptr<mfem::H1_FECollection> elements;
  std::unique_ptr<mfem::ParFiniteElementSpace> space;
  std::unique_ptr<mfem::ParBilinearForm> form;  ///< has the entries of A
  mfem::HypreParMatrix A;
  mfem::Vector b;
  mfem::Vector x;
  bool is_elastic = false;
};

void discretise(Problem& problem, mfem::Mesh serial, int order) {
  const int dimension = serial.Dimension();
  problem.mesh = std::make_unique<mfem::ParMesh>(MPI_COMM_WORLD, serial);
  mfem::ParMesh& mesh = *problem.mesh;
  problem.elements = std::make_unique<mfem::H1_FECollection>(order, dimension);
  const int components = problem.is_elastic ? dimension : 1;
  problem.space = std::make_unique<mfem::ParFiniteElementSpace>(&mesh, problem.elements.get(),
                                                                components, mfem::Ordering::byVDIM);
  mfem::Array<int> sides(mesh.bdr_attributes.Max());
  sides = problem.is_elastic ? 0 : 1;
  sides[4] = 1;  // x = 0
  mfem::Array<int> fixed;
  problem.space->GetEssentialTrueDofs(sides, fixed);
  problem.form = std::make_unique<mfem::ParBilinearForm>(problem.space.get());
  mfem::ParBilinearForm& form = *problem.form;
  mfem::ParLinearForm load(problem.space.get());
  mfem::ConstantCoefficient one(1.0);
  mfem::Vector moduli(2);
  moduli(0) = 50;
  moduli(1) = 1;
  mfem::PWConstCoefficient lame(moduli);
  mfem::Vector down(dimension);
  down = 0.0;
  down(dimension - 1) = -1e-2;
  mfem::VectorConstantCoefficient weight(down);
  if (problem.is_elastic) {
    form.AddDomainIntegrator(new mfem::ElasticityIntegrator(lame, lame));
    load.AddDomainIntegrator(new mfem::VectorDomainLFIntegrator(weight));
  } else {
    form.AddDomainIntegrator(new mfem::DiffusionIntegrator(one));
    load.AddDomainIntegrator(new mfem::DomainLFIntegrator(one));
  }
  form.Assemble();
  load.Assemble();
  mfem::ParGridFunction u(problem.space.get());
  u = 0.0;
  form.FormLinearSystem(fixed, u, load, problem.A, problem.x, problem.b);
}

/// A cube of n^3 elements.
void make_poisson(Problem& problem, int n, int order) {
  discretise(problem, mfem::Mesh::MakeCartesian3D(n, n, n, mfem::Element::HEXAHEDRON), order);
}

/// A beam of two materials of 4 n^3 elements.
void make_beam(Problem& problem, int n, int order) {
  problem.is_elastic = true;
  auto serial = mfem::Mesh::MakeCartesian3D(4 * n, n, n, mfem::Element::HEXAHEDRON, 4.0, 1.0, 1.0);
  for (int i = 0; i < serial.GetNE(); ++i) {
    mfem::Vector center;
    serial.GetElementCenter(i, center);
    serial.SetAttribute(i, center(0) < 2 ? 1 : 2);
  }
  serial.SetAttributes();
  discretise(problem, std::move(serial), order);
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

std::unique_ptr<mfem::Solver> make_tessera(Problem& problem) {
  auto made = std::make_unique<tessera::mfem::Solver>();
  if (problem.is_elastic) made->set_rigid_body_modes(*problem.space);
  made->SetOperator(problem.A);
  return made;
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

double seconds_of(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime();
  work();
  seconds = MPI_Wtime() - seconds;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

void compare(const std::string& name, Problem& problem, Record& record,
             const std::vector<std::pair<std::string, Factory>>& factories) {
  const Settings& settings = record.settings;
  const auto unknowns = problem.space->GlobalTrueVSize();
  std::vector<std::vector<double>> setups(factories.size());
  std::vector<std::vector<double>> solves(factories.size());
  std::vector<int> iterations(factories.size());
  std::vector<double> residuals(factories.size());
  // In turn, so that what disturbs the machine disturbs all of them; the first round is not
  // counted.
  for (int round = 0; round <= settings.repeats; ++round) {
    for (std::size_t i = 0; i < factories.size(); ++i) {
      std::unique_ptr<mfem::Solver> M;
      const double setup = seconds_of([&] { M = factories[i].second(problem); });
      const double solve = seconds_of([&] {
        iterations[i] =
            conjugate_gradients(problem.A, *M, problem.b, problem.x, settings.tolerance);
      });
      mfem::Vector r(problem.b);
      problem.A.AddMult(problem.x, r, -1.0);
      residuals[i] = std::sqrt(inner(r, r) / inner(problem.b, problem.b));
      if (round == 0 && settings.repeats > 0) continue;
      setups[i].push_back(setup);
      solves[i].push_back(solve);
    }
  }
  for (std::size_t i = 0; i < factories.size(); ++i) {
    const double setup = tessera::perf::median_of(setups[i]);
    const double solve = tessera::perf::median_of(solves[i]);
    mfem::out << fmt::format("| {} | {} | {} | {} | {} | {:.1e} | {:.2f} | {:.2f} | {:.2f} |\n",
                             name, unknowns, mfem::Mpi::WorldSize(), factories[i].first,
                             iterations[i], residuals[i], setup, solve, setup + solve)
              << std::flush;
    record.results.push_back({{"name", name},
                              {"rows", unknowns},
                              {"preconditioner", factories[i].first},
                              {"iterations", iterations[i]},
                              {"relative_residual", residuals[i]},
                              {"setup_ms", setup * 1e3},
                              {"solve_ms", solve * 1e3}});
  }
  record.write();
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
  mfem::out
      << "| problem | unknowns | processes | preconditioner | iterations | residual | setup s | "
         "solve s | both s |\n| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n";
  Record record{settings};
  for (const int order : settings.orders) {
    Problem poisson;
    make_poisson(poisson, settings.poisson_n / order, order);
    compare(fmt::format("Poisson, order {}", order), poisson, record,
            {{"Tessera", make_tessera},
             {"BoomerAMG, MFEM's options", make_boomeramg(as_it_is)},
             {"BoomerAMG, HMIS, ext+i, 0.5", make_boomeramg(classical)}});
  }
  for (const int order : settings.orders) {
    Problem beam;
    make_beam(beam, settings.beam_n / order, order);
    compare(fmt::format("elasticity, order {}", order), beam, record,
            {{"Tessera", make_tessera},
             {"BoomerAMG, nodal", make_boomeramg(nodal)},
             {"BoomerAMG, rigid body modes", make_boomeramg(modes)}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Tessera and BoomerAMG in one method, on problems that MFEM discretises");
  app.add_option("--poisson-n", settings.poisson_n, "elements of first order per side of the cube");
  app.add_option("--beam-n", settings.beam_n, "elements of first order across the beam");
  app.add_option("--orders", settings.orders, "orders of the elements");
  app.add_option("--repeats", settings.repeats,
                 "runs whose median counts, after one that does not");
  app.add_option("--tolerance", settings.tolerance, "of the relative residual");
  app.add_option("--out", settings.out, "JSON file");
  CLI11_PARSE(app, argc, argv);
  mfem::Mpi::Init(argc, argv);
  mfem::Hypre::Init();
  if (!mfem::Mpi::Root()) mfem::out.Disable();
  run(settings);
  return 0;
}
