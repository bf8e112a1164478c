// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The sparse products and the conversions of a multigrid setup, counted by level through the
/// callbacks that Kokkos has for tools.
#pragma once

#include "support/counted_operator.hpp"

#include "tessera/kernels/spgemm/galerkin_regions.hpp"

#include <Kokkos_Core.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::perf {

/// Of the way from one level to the next.
struct SetupCount {
  ProductCount first;  ///< A P
  ProductCount second;  ///< R (A P)
  int rows_to_tiles = 0;  ///< conversions from CSR to mBSR
  int tiles_to_rows = 0;  ///< and back
};

inline ProductCount sum_of(const std::vector<SetupCount>& levels) {
  ProductCount sum;
  for (const SetupCount& level : levels) {
    sum.calls += level.first.calls + level.second.calls;
    sum.ms += level.first.ms + level.second.ms;
  }
  return sum;
}

/// Counts while it lives; one at a time. Each setup of a level begins with its spectral radius, by
/// which levels are told apart.
class SetupCounts {
 public:
  SetupCounts() {
    namespace tools = Kokkos::Tools::Experimental;
    current() = this;
    tools::set_push_region_callback(push_region);
    tools::set_pop_region_callback(pop_region);
    tools::set_begin_parallel_for_callback(begin_parallel_for);
  }
  SetupCounts(const SetupCounts&) = delete;
  SetupCounts& operator=(const SetupCounts&) = delete;
  ~SetupCounts() {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_push_region_callback(nullptr);
    tools::set_pop_region_callback(nullptr);
    tools::set_begin_parallel_for_callback(nullptr);
    current() = nullptr;
  }

  const std::vector<SetupCount>& levels() const { return m_levels; }

 private:
  using Regions = kernels::GalerkinRegions;

  static SetupCounts*& current() {
    static SetupCounts* counts = nullptr;
    return counts;
  }

  SetupCount& level() {
    if (m_levels.empty()) m_levels.emplace_back();
    return m_levels.back();
  }

  static bool is_product(std::string_view region) {
    return region == Regions::first_name || region == Regions::second_name;
  }

  static void push_region(const char* name) {
    SetupCounts& counts = *current();
    counts.m_regions.emplace_back(name);
    if (counts.m_regions.back() == "tessera::setup::spectral radius") {
      counts.m_levels.emplace_back();
    } else if (is_product(name)) {
      Kokkos::fence("tessera::perf");
      counts.m_timer.reset();
    }
  }

  static void pop_region() {
    SetupCounts& counts = *current();
    const std::string region = counts.m_regions.back();
    counts.m_regions.pop_back();
    if (!is_product(region)) return;
    Kokkos::fence("tessera::perf");
    ProductCount& count =
        region == Regions::first_name ? counts.level().first : counts.level().second;
    count.ms += counts.m_timer.seconds() * 1e3;
    ++count.calls;
  }

  static void begin_parallel_for(const char* name, std::uint32_t, std::uint64_t*) {
    const std::string_view label(name);
    if (label == "tessera::fill_tiles") ++current()->level().rows_to_tiles;
    if (label == "tessera::mbsr_to_csr") ++current()->level().tiles_to_rows;
  }

  std::vector<SetupCount> m_levels;
  std::vector<std::string> m_regions;
  Kokkos::Timer m_timer;
};

}  // namespace tessera::perf
