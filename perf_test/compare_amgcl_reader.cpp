// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Reads one Matrix Market file with Tessera and with amgcl, in turn, and reports both. Set
/// OMP_NUM_THREADS for the threads.
#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tessera/io/matrix_market.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#if __has_include(<amgcl/io/mm.hpp>)
#define AMGCL_NO_BOOST  // its parameters from property trees are not used here
#include <amgcl/io/mm.hpp>
#define TESSERA_HAVE_AMGCL 1
#else
#define TESSERA_HAVE_AMGCL 0
#endif

namespace {

using Matrix = tessera::kernels::Csr<double, tessera::HostSpace>;

struct Cost {
  double wall = 0;  // seconds
  double cpu = 0;  // seconds of all threads
};

Cost measure(const std::function<void()>& work) {
  const std::clock_t cpu = std::clock();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

// The run of least wall time: what other programs take from the machine only ever adds.
Cost best(const std::vector<Cost>& costs) {
  return *std::min_element(costs.begin(), costs.end(),
                           [](const Cost& a, const Cost& b) { return a.wall < b.wall; });
}

void report(const char* name, const Cost& cost, double bytes, double entries) {
  std::printf("%-8s %8.3f s %8.1f MB/s %8.1f ns/entry %8.3f cpu-s\n", name, cost.wall,
              bytes / cost.wall * 1e-6, cost.wall / entries * 1e9, cost.cpu);
}

#if TESSERA_HAVE_AMGCL
struct PeerMatrix {
  std::vector<int> ptr;
  std::vector<int> col;
  std::vector<double> val;
};

PeerMatrix read_with_amgcl(const std::string& path) {
  PeerMatrix matrix;
  amgcl::io::mm_reader reader(path);
  reader(matrix.ptr, matrix.col, matrix.val);
  return matrix;
}

bool equal(const Matrix& A, const PeerMatrix& B) {
  return A.offsets.extent(0) == B.ptr.size() && A.num_entries() == B.col.size() &&
         std::equal(B.ptr.begin(), B.ptr.end(), A.offsets.data()) &&
         std::equal(B.col.begin(), B.col.end(), A.columns.data()) &&
         std::equal(B.val.begin(), B.val.end(), A.values.data());
}
#endif

int compare(const std::string& path, int repeats) {
  const tessera::HostSpace exec;
  std::vector<Cost> tessera_costs;
  Matrix A;
#if TESSERA_HAVE_AMGCL
  std::vector<Cost> amgcl_costs;
  PeerMatrix B;
#endif
  for (int i = 0; i < repeats; ++i) {
    tessera_costs.push_back(measure([&] {
      A = {};
      A = tessera::read_matrix_market<double>(exec, path).A;
    }));
#if TESSERA_HAVE_AMGCL
    amgcl_costs.push_back(measure([&] {
      B = {};
      B = read_with_amgcl(path);
    }));
#endif
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  const auto entries = static_cast<double>(A.num_entries());
  const Cost ours = best(tessera_costs);
  std::printf("%s: %d rows, %.0f entries, %d threads, best of %d\n", path.c_str(), A.num_rows,
              entries, exec.concurrency(), repeats);
  report("tessera", ours, bytes, entries);
#if TESSERA_HAVE_AMGCL
  const Cost theirs = best(amgcl_costs);
  report("amgcl", theirs, bytes, entries);
  std::printf("speedup  %8.2f (wall) %8.2f (cpu)\n", theirs.wall / ours.wall,
              theirs.cpu / ours.cpu);
  if (!equal(A, B)) {
    std::printf("the two matrices differ\n");
    return 1;
  }
#endif
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tessera's Matrix Market reader beside amgcl's, the best of runs in turn"};
  std::string path;
  int repeats = 5;
  app.add_option("file", path, "Matrix Market file")->required()->check(CLI::ExistingFile);
  app.add_option("--repeats", repeats, "runs of each")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return compare(path, repeats);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return EXIT_FAILURE;
  }
}
