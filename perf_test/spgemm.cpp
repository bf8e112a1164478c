// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse products of an AMG setup on the default execution space: medians in milliseconds of
/// the whole product and of its values alone; on a host beside a plain sequential Gustavson.
#include "support/product_cases.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace {

using Space = tessera::DeviceSpace;
using tessera::kernels::SpgemmAlgorithm;
using tessera::perf::Matrix;

/// The textbook's form: one accumulator, one pass, growing arrays, a sort of each row.
template <class View>
std::size_t plain_gustavson(const View& A, const View& B) {
  std::vector<int> offsets{0}, columns, last_row(B.num_cols, -1);
  std::vector<double> values, sums(B.num_cols);
  for (int i = 0; i < A.num_rows; ++i) {
    for (int k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const int middle = A.columns(k);
      for (int j = B.offsets(middle); j < B.offsets(middle + 1); ++j) {
        const int column = B.columns(j);
        if (last_row[column] != i) {
          last_row[column] = i;
          sums[column] = 0;
          columns.push_back(column);
        }
        sums[column] += A.values(k) * B.values(j);
      }
    }
    std::sort(columns.begin() + offsets.back(), columns.end());
    for (std::size_t k = values.size(); k < columns.size(); ++k)
      values.push_back(sums[columns[k]]);
    offsets.push_back(static_cast<int>(columns.size()));
  }
  return columns.size();
}

const std::map<std::string, SpgemmAlgorithm> algorithms{
    {"automatic", SpgemmAlgorithm::automatic},
    {"repeat_rows", SpgemmAlgorithm::repeat_rows},
    {"hash", SpgemmAlgorithm::hash},
    {"expand_sort_compress", SpgemmAlgorithm::expand_sort_compress}};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Sparse products of an AMG setup, medians in milliseconds"};
  tessera::GalleryParameters gallery;
  gallery.n = 128;
  std::string problem = "poisson3d";
  std::string out;
  int repeats = 10;
  std::string algorithm_name = "automatic";
  app.add_option("--problem", problem, "gallery problem on a grid");
  app.add_option("--n", gallery.n, "points a side");
  app.add_option("--repeats", repeats, "timed calls")->check(CLI::PositiveNumber);
  app.add_option("--algorithm", algorithm_name, "how rows are accumulated")
      ->check(CLI::IsMember(algorithms));
  app.add_option("--out", out, "JSON file");
  CLI11_PARSE(app, argc, argv);
  gallery.problem = tessera::perf::problem_of_name(problem);
  const auto algorithm = algorithms.at(algorithm_name);

  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Space exec;
  constexpr bool on_host = std::is_same_v<Space, tessera::HostSpace>;
  nlohmann::json rows = nlohmann::json::array();
  std::printf("%s, n = %d, %s\n", problem.c_str(), gallery.n, Space::name());
  std::printf("%-10s %12s %12s %12s %12s\n", "product", "entries", "product ms", "values ms",
              "plain ms");
  for (const auto& product : tessera::perf::product_cases(exec, gallery)) {
    const auto A = product.A.view();
    const auto B = product.B.view();
    const double whole = tessera::perf::median_ms(
        exec, repeats, [&] { tessera::kernels::spgemm(exec, A, B, algorithm); });
    const auto C = tessera::kernels::spgemm(exec, A, B);
    const double numeric = tessera::perf::median_ms(
        exec, repeats, [&] { tessera::kernels::spgemm_numeric(exec, A, B, C); });
    nlohmann::json row{{"product", product.name},
                       {"entries", C.num_entries()},
                       {"product_ms", whole},
                       {"values_ms", numeric}};
    std::printf("%-10s %12zu %12.3f %12.3f", product.name.c_str(), C.num_entries(), whole, numeric);
    if constexpr (on_host) {
      const double plain =
          tessera::perf::median_ms(exec, std::min(repeats, 3), [&] { plain_gustavson(A, B); });
      row["plain_ms"] = plain;
      std::printf(" %12.3f", plain);
    }
    std::printf("\n");
    rows.push_back(row);
  }
  if (!out.empty()) {
    std::ofstream(out) << nlohmann::json{{"problem", problem},
                                         {"n", gallery.n},
                                         {"space", Space::name()},
                                         {"products", rows}}
                              .dump(2)
                       << '\n';
  }
}
