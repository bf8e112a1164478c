// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/smoother_needs.hpp"

#include "tessera/smoother/register_smoother.hpp"

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
    case SmootherType::block_jacobi:
    case SmootherType::gauss_seidel:
    case SmootherType::two_stage_gauss_seidel:
    case SmootherType::fsai:
      return {.entries = true, .square_matrix = true};
  }
  const RegisteredSmoother* const known = smoother_registry().find(p.type);
  return known == nullptr ? SmootherNeeds{} : known->needs;
}

std::string_view smoother_name(SmootherType type) { return smoother_registry().name(type); }

}  // namespace tessera
