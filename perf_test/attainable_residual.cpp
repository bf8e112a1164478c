// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How small a relative residual a vector of doubles can leave, for real symmetric matrices: the
/// solution is found in 113 bits and rounded; and the matrix's condition. What a solver ends with
/// beside it is its own.
#include "support/quad_factors.hpp"
#include "support/real_systems.hpp"
#include "support/record.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace tessera::perf {
namespace {

using Matrix = kernels::Csr<double, HostSpace>;

/// What the command's `--rhs random` is by default: splitmix64 (Steele, Lea & Flood, 2014).
std::vector<Quad> random_rhs(int n) {
  std::vector<Quad> b(n);
  for (int i = 0; i < n; ++i) {
    std::uint64_t z = (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    b[i] = static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
  }
  return b;
}

std::vector<Quad> residual(const Matrix& A, std::vector<Quad> b, const std::vector<Quad>& x) {
  for (int i = 0; i < A.num_rows; ++i)
    for (auto e = A.offsets(i); e < A.offsets(i + 1); ++e)
      b[i] -= Quad{A.values(e)} * x[A.columns(e)];
  return b;
}

double norm(const std::vector<Quad>& v) {
  Quad sum = 0;
  for (const Quad value : v)
    sum += value * value;
  return std::sqrt(static_cast<double>(sum));
}

double largest(const std::vector<Quad>& v) {
  double found = 0;
  for (const Quad value : v)
    found = std::max(found, std::abs(static_cast<double>(value)));
  return found;
}

/// The growth of a vector by `apply`, once it has turned to where that is largest: within a few
/// per cent of the largest |eigenvalue|, from below.
template <class Apply>
double largest_growth(std::vector<Quad> v, const Apply& apply) {
  double growth = 0;
  constexpr int steps = 100;
  for (int i = 0; i < steps; ++i) {
    const Quad length = norm(v);
    for (Quad& value : v)
      value /= length;
    v = apply(v);
    growth = norm(v);
  }
  return growth;
}

/// Of one matrix: the solution's residual in 113 bits, and once it is rounded to doubles.
nlohmann::json attainable(const std::string& name, const Matrix& A) {
  const QuadFactors factors(A);
  const auto b = random_rhs(A.num_rows);
  std::vector<Quad> x(A.num_rows, 0);
  constexpr int refinements = 3;
  for (int i = 0; i <= refinements; ++i) {
    const auto correction = factors.solve(residual(A, b, x));
    for (int k = 0; k < A.num_rows; ++k)
      x[k] += correction[k];
  }
  const double exact = norm(residual(A, b, x)) / norm(b);
  std::vector<Quad> rounded(x);
  for (Quad& value : rounded)
    value = static_cast<double>(value);
  const double left = norm(residual(A, b, rounded)) / norm(b);
  const std::vector<Quad> none(A.num_rows, 0);
  const double condition =
      largest_growth(b, [&](const std::vector<Quad>& v) { return residual(A, none, v); }) *
      largest_growth(b, [&](const std::vector<Quad>& v) { return factors.solve(v); });
  std::printf(
      "%-20s %8d rows  %-12s  condition %8.1e  largest |x| %8.1e  residual in 113 bits %8.1e, "
      "rounded %8.2e\n",
      name.c_str(), A.num_rows, factors.definite() ? "definite" : "not definite", condition,
      largest(x), exact, left);
  return {{"name", name},
          {"rows", A.num_rows},
          {"definite", factors.definite()},
          {"condition", condition},
          {"largest_x", largest(x)},
          {"residual_in_113_bits", exact},
          {"residual_of_rounded_solution", left}};
}

}  // namespace
}  // namespace tessera::perf

int main(int argc, char** argv) {
  CLI::App app{
      "The smallest relative residual that doubles can leave of A x = b, for random b as "
      "`tessera solve --rhs random` has it: the solution in 113 bits, rounded"};
  std::string folder, out;
  std::vector<std::string> only;
  int max_rows = 20000;
  app.add_option("--matrices", folder, "folder of matrices with an INDEX.tsv")->required();
  app.add_option("--only", only,
                 "matrices of these names (default: all that the index calls definite)");
  app.add_option("--max-rows", max_rows, "leave out larger ones (default: 20000)");
  app.add_option("--out", out, "JSON file");
  CLI11_PARSE(app, argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  nlohmann::json results = nlohmann::json::array();
  try {
    const auto scratch = std::filesystem::temp_directory_path();
    for (const auto& test : tessera::perf::cases_of_folder(folder, 0)) {
      const bool is_asked = std::find(only.begin(), only.end(), test.name) != only.end();
      if (only.empty() ? !test.definite : !is_asked) continue;
      const auto matrix = test.make(scratch);
      if (matrix.A.num_rows > max_rows) continue;
      results.push_back(tessera::perf::attainable(test.name, matrix.A));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attainable_residual: %s\n", error.what());
    return 1;
  }
  tessera::perf::write_record(out, {{"results", results}});
}
