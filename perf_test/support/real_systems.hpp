// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The systems of compare_real: a folder of real matrices, and the gallery's hard problems.
#pragma once

#include "app/settings.hpp"
#include "support/record.hpp"
#include "tessera/io/matrix_market.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// A matrix and what is known of it.
struct RealMatrix {
  kernels::Csr<double, HostSpace> A;
  bool symmetric = false;
  bool definite = false;
};

/// Where a matrix comes from: a file, packed by xz, by gzip or not, or the gallery.
struct RealCase {
  std::string name;
  std::filesystem::path file;  ///< empty: of the gallery
  app::GalleryChoice problem;
  bool symmetric = false;  ///< of a file, by its folder's INDEX.tsv
  bool definite = false;

  RealMatrix make(const std::filesystem::path& scratch) const {
    const HostSpace exec;
    if (file.empty()) {
      const auto made = make_problem<double, HostSpace>(exec, app::gallery_parameters(problem));
      exec.fence("tessera::perf");
      return {made.A, made.symmetric, made.positive_definite};
    }
    const bool is_xz = file.extension() == ".xz";
    if (!is_xz && file.extension() != ".gz") {
      return {read_matrix_market<double>(exec, file).A, symmetric, definite};
    }
    // Several processes may unpack at once.
    const std::string unpacked = scratch / ("matrix-" + std::to_string(getpid()) + ".mtx");
    const std::string unpack =
        (is_xz ? "xz -dc " : "gzip -dc ") + shell_word(file) + " > " + shell_word(unpacked);
    if (std::system(unpack.c_str()) != 0) throw std::runtime_error(unpack + " failed");
    RealMatrix matrix{read_matrix_market<double>(exec, unpacked).A, symmetric, definite};
    std::filesystem::remove(unpacked);
    return matrix;
  }
};

/// "jump2d:n=500,contrast=1e6"
inline RealCase gallery_case(const std::string& text) {
  RealCase result;
  result.name = text;
  const auto colon = text.find(':');
  result.problem.name = text.substr(0, colon);
  std::stringstream settings(colon == std::string::npos ? "" : text.substr(colon + 1));
  for (std::string setting; std::getline(settings, setting, ',');) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos) {
      throw std::invalid_argument(text + ": '" + setting + "' is not KEY=VALUE");
    }
    result.problem.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return result;
}

/// Problems that are hard for multigrid in ways of their own, of 20,000 to 130,000 rows.
inline std::vector<std::string> hard_problems() {
  return {"poisson3d:n=50",
          "anisotropic2d:n=300",
          "anisotropic3d:n=40",
          "unstructured2d:n=300,epsilon=1",
          "unstructured2d:n=300",
          "unstructured3d:n=40,epsilon=1",
          "unstructured3d:n=40",
          "jump2d:n=300,contrast=1e6",
          "jump3d:n=40,contrast=1e6",
          "convdiff2d:n=300,peclet=1e4",
          "convdiff3d:n=40,peclet=1e3",
          "elasticity2d:n=150,poisson_ratio=0.45",
          "elasticity3d:n=20",
          "beam:order=3,refine=2",
          "lshape:order=4,refine=5",
          "graph:n=250,shift=1e-4"};
}

/// The square matrices of INDEX.tsv in `folder` with more than `min_rows` rows, no more than
/// `max_entries` entries, with values and with entries off the diagonal, or without where that is
/// asked for; largest first, so that several processes end at about the same time. Its columns are
/// told apart by their titles: name, rows, cols, nnz_expanded, symmetric and SPD; the last two say
/// yes where they begin so.
inline std::vector<RealCase> cases_of_folder(
    const std::filesystem::path& folder, int min_rows, bool with_diagonal_ones = false,
    long long max_entries = std::numeric_limits<long long>::max()) {
  const auto index = folder / "INDEX.tsv";
  std::ifstream in(index);
  if (!in) throw std::runtime_error(index.string() + " cannot be read");
  const auto fields = [](const std::string& line) {
    std::vector<std::string> result;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');)
      result.push_back(field);
    return result;
  };
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> titles = fields(line);
  std::vector<std::pair<long long, RealCase>> found;
  while (std::getline(in, line)) {
    const std::vector<std::string> row = fields(line);
    std::map<std::string, std::string> of;
    for (std::size_t i = 0; i < std::min(row.size(), titles.size()); ++i)
      of[titles[i]] = row[i];
    if (of["rows"] != of["cols"] || std::stoi(of["rows"]) <= min_rows) continue;
    if (of["SPD"].find("pattern") != std::string::npos) continue;
    const long long entries = std::stoll(of["nnz_expanded"]);
    if (entries > max_entries) continue;
    if (entries <= std::stoll(of["rows"]) && !with_diagonal_ones) continue;
    RealCase matrix;
    matrix.name = of["name"];
    matrix.symmetric = of["symmetric"].starts_with("yes");
    matrix.definite = of["SPD"].starts_with("yes");
    matrix.file = folder / (matrix.name + ".mtx");
    if (!std::filesystem::exists(matrix.file)) matrix.file += ".xz";
    if (!std::filesystem::exists(matrix.file)) matrix.file.replace_extension(".gz");
    if (!std::filesystem::exists(matrix.file)) continue;
    found.emplace_back(entries, matrix);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<RealCase> cases;
  for (auto& [num_entries, matrix] : found)
    cases.push_back(std::move(matrix));
  return cases;
}

}  // namespace tessera::perf
