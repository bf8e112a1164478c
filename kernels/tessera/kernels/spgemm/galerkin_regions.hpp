// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two sparse products of a Galerkin product, as profilers see them.
#pragma once

#include "tessera/kernels/execution/profiling_region.hpp"

#include <optional>

namespace tessera::kernels {

/// A region around A P and, from `second` on, one around R (A P): tools count and time them.
/// Without a tool each costs a few nanoseconds.
class GalerkinRegions {
 public:
  static constexpr const char* first_name = "tessera::spgemm A P";
  static constexpr const char* second_name = "tessera::spgemm R (A P)";

  GalerkinRegions() { m_region.emplace(first_name); }
  void second() {
    m_region.reset();
    m_region.emplace(second_name);
  }

 private:
  std::optional<ProfilingRegion> m_region;
};

}  // namespace tessera::kernels
