// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
//
// write_mfem: the systems of compare_mfem as files that the command tessera reads, for machines
// without MFEM. A matrix for each mesh and order, and of elasticity the rigid body modes.
#include "support/mfem_problems.hpp"
#include "tessera/mfem/rigid_body_modes.hpp"
#include "tessera/operator/error.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Problem = tessera::perf::MfemProblem;
using tessera::perf::MeshKind;

struct Settings {
  std::filesystem::path folder = ".";
  int poisson_n = 12;  ///< elements of first order per side; order p has 1 / p as many
  int beam_n = 6;  ///< the same across a beam that is four times as long
  int digits = 13;  ///< of an entry
  std::vector<int> orders{1, 2, 3};
  std::vector<MeshKind> meshes{MeshKind::hexahedra, MeshKind::moved_hexahedra,
                               MeshKind::tetrahedra};
};

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  tessera::require(file.good(), [&] { return path.string() + ": cannot be written"; });
}

/// The lower half, with the zeros that are stored in it.
std::string matrix_text(const Problem& problem, int digits) {
  mfem::SparseMatrix A;
  problem.A.GetDiag(A);
  std::string entries;
  std::size_t count = 0;
  for (int i = 0; i < A.Height(); ++i) {
    for (int k = A.GetI()[i]; k < A.GetI()[i + 1]; ++k) {
      const int j = A.GetJ()[k];
      if (j > i) continue;
      entries += fmt::format("{} {} {:.{}g}\n", i + 1, j + 1, A.GetData()[k], digits);
      ++count;
    }
  }
  return fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{} {} {}\n", A.Height(),
                     A.Width(), count) +
         entries;
}

std::string modes_text(Problem& problem, int digits) {
  const auto modes = tessera::mfem::rigid_body_modes(*problem.space);
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n",
                                 modes[0].Size(), modes.size());
  for (const mfem::Vector& mode : modes)
    for (const double value : mode)
      text += fmt::format("{:.{}g}\n", value, digits);
  return text;
}

void run(const Settings& settings) {
  const auto each = [&](const char* what, int n, auto make) {
    for (const MeshKind mesh : settings.meshes) {
      for (const int order : settings.orders) {
        if (n < order) continue;
        Problem problem;
        make(problem, mesh, n / order, order);
        const std::string name =
            fmt::format("mfem_{}_{}_order{}", what, tessera::perf::name_of(mesh), order);
        write(settings.folder / (name + ".mtx"), matrix_text(problem, settings.digits));
        if (problem.is_elastic)
          write(settings.folder / (name + ".modes.mtx"), modes_text(problem, settings.digits));
        fmt::print("{}: {} rows\n", name, problem.space->GlobalTrueVSize());
      }
    }
  };
  each("poisson", settings.poisson_n, tessera::perf::make_poisson);
  each("beam", settings.beam_n, tessera::perf::make_beam);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Writes systems that MFEM discretises, for the command tessera");
  app.add_option("--folder", settings.folder, "where to; it must be there");
  app.add_option("--poisson-n", settings.poisson_n,
                 "elements of first order per side of the cube; 0: none");
  app.add_option("--beam-n", settings.beam_n, "elements of first order across the beam; 0: none");
  app.add_option("--orders", settings.orders, "orders of the elements");
  app.add_option("--digits", settings.digits, "of an entry");
  app.add_option("--mesh", settings.meshes, "of what elements")
      ->transform(CLI::CheckedTransformer(tessera::perf::mesh_kinds));
  CLI11_PARSE(app, argc, argv);
  mfem::Mpi::Init(argc, argv);
  mfem::Hypre::Init();
  try {
    tessera::require(mfem::Mpi::WorldSize() == 1, [] { return "one process writes the files"; });
    run(settings);
  } catch (const tessera::Error& error) {
    fmt::print(stderr, "write_mfem: {}\n", error.what());
    return 1;
  }
  return 0;
}
