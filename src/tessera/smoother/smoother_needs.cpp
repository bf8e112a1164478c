// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/smoother_needs.hpp"

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
  }
  return {};
}

std::string_view smoother_name(SmootherType type) {
  for (const auto& known : smoother_type_names)
    if (known.value == type) return known.name;
  return {};
}

std::string distributed_smoother_names() {
  std::vector<std::string_view> names;
  for (const auto& known : smoother_type_names) {
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
