// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Problems by name: the gallery's, and discontinuous elements, which it has not.
#pragma once

#include "support/device.hpp"
#include "support/flows.hpp"
#include "support/named_case.hpp"
#include "support/tetrahedra.hpp"

#include <stdexcept>
#include <string>

namespace tessera::perf {

inline constexpr const char* case_help =
    "problems as NAME:N or NAME:KEY=VALUE,KEY=VALUE; beside the gallery's dg_squares and "
    "dg_tetrahedra, whose keys are n, order and peclet";

/// "dg_squares:n=100,order=2,peclet=1e4", `n` cells a side, or "dg_tetrahedra:...", six times n^3
/// of them, or as `named_case` has it.
inline Problem<double, DeviceSpace> named_problem(const DeviceSpace& exec,
                                                  const std::string& text) {
  if (!text.starts_with("dg_"))
    return make_problem<double, DeviceSpace>(exec, named_case(text).gallery);
  int n = 10, order = 1;
  double peclet = 1e4;
  const auto asked = gallery_case(text).problem;
  for (const auto& [key, value] : asked.settings) {
    if (key == "n") n = std::stoi(value);
    if (key == "order") order = std::stoi(value);
    if (key == "peclet") peclet = std::stod(value);
  }
  const bool squares = asked.name == "dg_squares";
  if (!squares && asked.name != "dg_tetrahedra")
    throw std::invalid_argument(text + ": expected dg_squares or dg_tetrahedra");
  if (n < 1 || order < 1 || order > 3)
    throw std::invalid_argument(text + ": expected n of 1 and more, and order 1 to 3");
  const auto A = squares ? test::discontinuous_squares(n, order, peclet, 1)
                         : test::DiscontinuousTetrahedra(n, order, peclet, 1).matrix();
  Problem<double, DeviceSpace> problem;
  problem.A = test::make_csr(exec, A);
  problem.block_size = 0;  // not known
  problem.symmetric = problem.positive_definite = false;
  problem.description = text;
  return problem;
}

}  // namespace tessera::perf
