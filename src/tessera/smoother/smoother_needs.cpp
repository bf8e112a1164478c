// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/smoother_needs.hpp"

#include "tessera/smoother/register_smoother.hpp"

#include <cstddef>
#include <vector>

namespace tessera {

// Without a `default`, so that the compiler warns of a kind that is missing here.
SmootherNeeds smoother_needs(const SmootherParameters& p) {
  switch (p.type) {
    case SmootherType::automatic:
      return {.spectral_radius = true};
    case SmootherType::jacobi:
      return {.spectral_radius = p.jacobi.omega_over_radius};
    case SmootherType::l1_jacobi:
    case SmootherType::spai0:
      return {.entries = true};
    case SmootherType::chebyshev:
      return {.spectral_radius = true};
    case SmootherType::ilu:
      return {.entries = true, .obstacle_to_distribution = "it factors a whole matrix"};
    case SmootherType::block_jacobi:
      return {.entries = true,
              .obstacle_to_distribution = "it looks for the blocks of a whole matrix"};
    case SmootherType::gauss_seidel:
      return {.entries = true, .obstacle_to_distribution = "it colours the rows of a whole matrix"};
    case SmootherType::two_stage_gauss_seidel:
      return {.entries = true,
              .obstacle_to_distribution = "it cuts a whole matrix at its diagonal"};
    case SmootherType::fsai:
      return {.entries = true, .obstacle_to_distribution = "it inverts parts of a whole matrix"};
  }
  const RegisteredSmoother* const known = smoother_registry().find(p.type);
  if (known == nullptr) return {};
  SmootherNeeds needs = known->needs;
  needs.obstacle_to_distribution = known->obstacle_to_distribution;
  return needs;
}

std::string_view smoother_name(SmootherType type) { return smoother_registry().name(type); }

std::string distributed_smoother_names() {
  std::vector<std::string_view> names;
  for (const auto& known : all_smoother_names()) {
    SmootherParameters p;
    p.type = known.value;
    if (smoother_needs(p).obstacle_to_distribution.empty()) names.push_back(known.name);
  }
  std::string joined;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) joined += i + 1 == names.size() ? " or " : ", ";
    joined += names[i];
  }
  return joined;
}

}  // namespace tessera
