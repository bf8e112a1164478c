// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Systems: problems of the gallery and random matrices, small ones mostly.
#include "fuzz/solves/case.hpp"

#include "support/device.hpp"

#include "tessera/gallery/problem.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::fuzz {

using Matrix = test::HostMatrix<double>;

int Draw::size_up_to(int most) {
  return std::clamp(static_cast<int>(std::exp(uniform(0, std::log(most + 1.0)))), 1, most);
}

double Draw::decades(double most) { return std::pow(10.0, uniform(-most, most)); }

namespace {

/// A size for the problem that gives up to a few thousand rows.
void draw_size(Draw& draw, GalleryParameters& gallery) {
  const std::string_view name = to_string(gallery.problem);
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  const int most = has("elasticity3d") ? 9 : has("3d") ? 15 : has("elasticity2d") ? 35 : 60;
  gallery.n = draw.size_up_to(most);
  gallery.order = draw.size_up_to(has("beam") ? 5 : 8);
  gallery.refine = draw.below(std::max(1, 4 - gallery.order));
  if (has("graph")) gallery.degree = std::min(gallery.degree, 4e5 / (gallery.n * gallery.n));
}

void take_gallery_problem(Draw& draw, Case& drawn) {
  GalleryParameters gallery;
  parameters::ParameterTree tree(gallery);
  const auto problems = problem_names();
  gallery.problem = problems[draw.below(static_cast<std::int32_t>(problems.size()))].value;
  for (const parameters::Parameter& p : tree.parameters()) {
    if (p.key != "problem" && draw.chance(0.5)) tree.set_text(p.key, draw_value(draw, p), "");
  }
  draw_size(draw, gallery);
  const Kokkos::DefaultExecutionSpace exec;
  const auto problem = make_problem<double, Kokkos::DefaultExecutionSpace>(exec, gallery);
  drawn.A = test::to_host(problem.A);
  drawn.b = test::to_host(problem.b);
  drawn.description = to_string(gallery.problem);
  if (draw.chance(0.3)) {
    drawn.near_nullspace = test::to_host(problem.near_nullspace);
    drawn.num_near_nullspace = static_cast<int>(problem.near_nullspace.extent(1));
    drawn.description += " with its near-nullspace";
  }
  if (draw.chance(0.3)) drawn.block_size = problem.block_size;
}

void take_random_matrix(Draw& draw, Case& drawn) {
  const int n = draw.size_up_to(600) - draw.between(0, 1);
  const double density = std::min(1.0, draw.size_up_to(20) / std::max(1.0, 1.0 * n));
  if (draw.chance(0.4)) {
    drawn.A = test::random_spd_matrix<double>(n, density / 2, draw.next());
    drawn.description = "random dominant matrix";
    return;
  }
  const bool has_gaps = draw.chance(0.3);
  drawn.A = test::random_matrix<double>({.num_rows = n,
                                         .num_cols = n,
                                         .density = density,
                                         .empty_row_fraction = has_gaps ? 0.1 : 0,
                                         .dense_row = draw.chance(0.2) ? draw.below(n + 1) : -1,
                                         .unsorted = draw.chance(0.2),
                                         .seed = draw.next()});
  drawn.description = "random matrix";
}

/// The first rows and columns of all.
void cut(Draw& draw, Case& drawn) {
  const int rows = draw.chance(0.7) ? draw.between(0, 3) : draw.below(drawn.A.num_rows + 1);
  if (rows >= drawn.A.num_rows) return;
  const auto cut_columns = [&](const std::vector<double>& v) {
    std::vector<double> result;
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (static_cast<int>(i % drawn.A.num_rows) < rows) result.push_back(v[i]);
    }
    return result;
  };
  drawn.b = cut_columns(drawn.b);
  drawn.near_nullspace = cut_columns(drawn.near_nullspace);
  if (rows == 0) drawn.num_near_nullspace = 0;
  drawn.block_size = 0;
  drawn.A = test::by_rows<double>(rows, rows, [&](Matrix& A, std::int32_t i) {
    for (auto e = drawn.A.offsets[i]; e < drawn.A.offsets[i + 1]; ++e) {
      if (drawn.A.columns[e] < rows) A.push(drawn.A.columns[e], drawn.A.values[e]);
    }
  });
  drawn.description += ", cut";
}

}  // namespace

void draw_system(Draw& draw, Case& drawn) {
  drawn.in_float = draw.chance(0.25);
  if (draw.chance(0.8)) {
    take_gallery_problem(draw, drawn);
  } else {
    take_random_matrix(draw, drawn);
  }
  if (draw.chance(0.08)) cut(draw, drawn);
  draw_changes(draw, drawn);
}

Case draw_case(std::uint64_t seed, std::uint64_t run) {
  Case drawn;
  Draw of_system(seed, run, 0), of_settings(seed, run, 1);
  draw_system(of_system, drawn);
  draw_settings(of_settings, drawn);
  return drawn;
}

}  // namespace tessera::fuzz
