// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_info.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/matrix/storage_names.hpp"
#include "tessera/smoother/block_smoother.hpp"
#include "tessera/smoother/point_sets.hpp"
#include "tessera/smoother/smoother_needs.hpp"

#include <string>

namespace tessera::amg {
namespace detail {

/// "jacobi", "chebyshev of degree 2", "chebyshev of degree 2 (fourth kind)", "block_jacobi of 3
/// rows" where they were not looked for.
std::string smoother_name(const SmootherParameters& p, int block_size) {
  std::string name(tessera::smoother_name(p.type));
  const bool is_gauss_seidel =
      p.type == SmootherType::gauss_seidel || p.type == SmootherType::two_stage_gauss_seidel;
  if (is_gauss_seidel && p.gauss_seidel.symmetric) name += " (symmetric)";
  if (p.type == SmootherType::block_jacobi) {
    const int rows = rows_of_blocks(p.block_jacobi, block_size);
    if (rows > 0) name += " of " + std::to_string(rows) + (rows == 1 ? " row" : " rows");
  }
  if (p.type != SmootherType::chebyshev) return name;
  name += " of degree " + std::to_string(p.chebyshev.degree);
  if (p.chebyshev.kind == ChebyshevKind::fourth) name += " (fourth kind)";
  if (p.chebyshev.kind == ChebyshevKind::fourth_optimized) name += " (fourth kind, optimized)";
  return name;
}

/// "jacobi", "jacobi on cf", "polynomial on fine points".
template <class Scalar, class Space>
std::string relaxation_of(const Level<Scalar, Space>& level, const SmootherParameters& p) {
  if (level.points != RelaxationPoints::all)
    return smoother_name(p, level.block_size) + " on " +
           std::string(relaxation_points_name(level.points));
  return level.relaxes_before ? smoother_name(p, level.block_size) : "polynomial on fine points";
}

}  // namespace detail

template <class Scalar, class Space>
LevelInfo level_info(const Level<Scalar, Space>& level, const SmootherParameters& smoother) {
  LevelInfo info;
  info.rows = level.A->num_rows();
  info.entries = static_cast<std::int64_t>(level.A->num_entries());
  info.entries_per_row =
      info.rows == 0 ? 0.0 : static_cast<double>(info.entries) / static_cast<double>(info.rows);
  info.unknowns_per_node = level.block_size;
  info.precision = scalar_name<Scalar>();
  info.spectral_radius = level.spectral_radius;
  info.A = level.A->info();
  if (level.P != nullptr) info.P = level.P->info();
  if (level.R != nullptr) info.R = level.R->info();
  if (level.smoother != nullptr) info.smoother = detail::relaxation_of(level, smoother);
  return info;
}

void sum_complexities(HierarchyInfo& info) {
  double rows = 0;
  double entries = 0;
  info.bytes = 0;
  for (const auto& level : info.levels) {
    rows += static_cast<double>(level.rows);
    entries += static_cast<double>(level.entries);
    info.bytes += level.A.bytes + level.P.bytes + level.R.bytes;
  }
  const auto& finest = info.levels.front();
  info.grid_complexity = finest.rows == 0 ? 1.0 : rows / static_cast<double>(finest.rows);
  info.operator_complexity =
      finest.entries == 0 ? 1.0 : entries / static_cast<double>(finest.entries);
  info.memory_complexity =
      finest.A.bytes == 0 ? 1.0
                          : static_cast<double>(info.bytes) / static_cast<double>(finest.A.bytes);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, level_info)

}  // namespace tessera::amg
