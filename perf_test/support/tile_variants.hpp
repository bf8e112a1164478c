// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves in one kernel on tiles in mixed precision, as ways of mille_feuille.
#pragma once

#include "support/variant.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/persistent/tiled_solve.hpp"

namespace tessera::perf {

/// Tiles as they were made, or with precision that falls: by the paper's ranges, as all records of
/// "falling tiles" were made, or by those that `solver.tiles=dynamic` has.
enum class TileVariant { fixed, by_the_papers_ranges, by_default_ranges };

template <TileVariant variant>
class OnTiles : public SolveVariant {
 public:
  OnTiles(const DeviceSpace& exec, const KrylovSystem& system, const VariantOptions& options)
      : m_exec(exec), m_options(options) {
    if (options.preconditioner == "jacobi") {
      m_diagonal = kernels::inverse_diagonal(exec, system.device.view());
    } else if (options.preconditioner != "none") {
      throw std::runtime_error("not with this preconditioner");
    }
    m_tiles = kernels::csr_to_mixed_tiles(exec, system.device.view());
    m_tile_options.is_dynamic = is_dynamic;
    if (variant == TileVariant::by_the_papers_ranges)
      m_tile_options.ranges = kernels::DynamicRanges::of_the_paper();
    if (is_dynamic) m_tile_options.matrix_norm = kernels::inf_norm(exec, system.device.view());
  }

  VariantEnd solve(KrylovSystem& system) override {
    const kernels::PersistentLimits limits{.tolerance = m_options.tolerance,
                                           .max_iterations = m_options.max_iterations};
    const auto solve = system.is_definite
                           ? kernels::persistent_cg<double, DeviceSpace, Ordinal, 16>
                           : kernels::persistent_bicgstab<double, DeviceSpace, Ordinal, 16>;
    Kokkos::deep_copy(m_exec, system.x, 0.0);
    m_report =
        solve(m_exec, m_workspace, system.device.view(), m_tiles.view(), m_diagonal, system.rhs(),
              system.iterate(), limits, m_tile_options, m_options.time_limit_s, m_options.tuning);
    return {word(m_report.end), m_report.iterations, m_report.history};
  }

  nlohmann::json more() const override {
    constexpr const char* names[] = {"bypassed", "fp8", "fp16", "bf16", "fp32", "fp64"};
    const kernels::DynamicRanges& ranges = m_tile_options.ranges;
    nlohmann::json work;
    for (int level = 0; level < kernels::num_tile_levels; ++level)
      work[names[level]] = m_report.work.tiles[level];
    nlohmann::json row{{"tile_work", work},
                       {"raised", m_report.raised},
                       {"repeated", m_report.repeated},
                       {"went_back_up", m_report.returned},
                       {"bytes", m_tiles.bytes()},
                       {"shares", m_report.shape.shares},
                       {"lanes", m_report.shape.lanes},
                       {"lanes_per_row", m_report.lanes_per_row}};
    if (is_dynamic) row["ranges"] = {ranges.fp32, ranges.half, ranges.fp8, ranges.bypassed};
    return row;
  }

 private:
  static constexpr bool is_dynamic = variant != TileVariant::fixed;

  DeviceSpace m_exec;
  VariantOptions m_options;
  Array<double, DeviceSpace> m_diagonal;
  kernels::MixedTiles<double, DeviceSpace> m_tiles;
  kernels::TileOptions m_tile_options;
  kernels::TiledWorkspace<double, DeviceSpace> m_workspace;
  kernels::TiledReport m_report;
};

}  // namespace tessera::perf
