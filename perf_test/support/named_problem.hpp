// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Problems by name: the gallery's, and flows that it has not.
#pragma once

#include "support/device.hpp"
#include "support/discontinuous_tetrahedra.hpp"
#include "support/flows.hpp"
#include "support/named_case.hpp"

#include <stdexcept>
#include <string>

namespace tessera::perf {

inline constexpr const char* case_help =
    "problems as NAME:N or NAME:KEY=VALUE,KEY=VALUE; beside the gallery's dg_squares and "
    "dg_tetrahedra, whose keys are n, order and peclet, and vortex_upwind and vortex_central, "
    "whose keys are n and peclet";

/// "dg_squares:n=100,order=2,peclet=1e4", `n` cells a side, "dg_tetrahedra:...", six times n^3 of
/// them, "vortex_upwind:n=100,peclet=1e4" or "vortex_central:...", n^2 points, or as `named_case`
/// has it.
inline Problem<double, DeviceSpace> named_problem(const DeviceSpace& exec,
                                                  const std::string& text) {
  if (!text.starts_with("dg_") && !text.starts_with("vortex_"))
    return make_problem<double, DeviceSpace>(exec, named_case(text).gallery);
  int n = 10, order = 1;
  double peclet = 1e4;
  const auto asked = gallery_case(text).problem;
  for (const auto& [key, value] : asked.settings) {
    if (key == "n") n = std::stoi(value);
    if (key == "order") order = std::stoi(value);
    if (key == "peclet") peclet = std::stod(value);
  }
  if (n < 1 || order < 1 || order > 3)
    throw std::invalid_argument(text + ": expected n of 1 and more, and order 1 to 3");
  const auto A = [&] {
    if (asked.name == "dg_squares") return test::discontinuous_squares(n, order, peclet, 1);
    if (asked.name == "dg_tetrahedra")
      return test::DiscontinuousTetrahedra(n, order, peclet, 1).matrix();
    if (asked.name == "vortex_upwind") return test::vortex(n, peclet, test::Differences::upwind);
    if (asked.name == "vortex_central") return test::vortex(n, peclet, test::Differences::central);
    throw std::invalid_argument(
        text + ": expected dg_squares, dg_tetrahedra, vortex_upwind or vortex_central");
  }();
  Problem<double, DeviceSpace> problem;
  problem.A = test::make_csr(exec, A);
  problem.block_size = 0;  // not known
  problem.symmetric = problem.positive_definite = false;
  problem.description = text;
  return problem;
}

}  // namespace tessera::perf
