// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/persistent/factors_inside.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/persistent/selection_rules.hpp"
#include "tessera/kernels/sptrsv/choose_runs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::kernels {
namespace {

/// The number of rows of the level that an average row is in.
template <class Space>
double typical_width(const TriangleLevels<Space>& levels) {
  return levels.row_order().at_once / 2;
}

template <class Space>
double estimated_by_block(const TriangleLevels<Space>& levels, int lanes) {
  return rules::inside_block_level_us * levels.num_levels +
         rules::inside_block_lane_us * lanes * static_cast<double>(levels.num_rows);
}

template <class Space>
double estimated_by_all(const TriangleLevels<Space>& levels, std::size_t scalar_bytes) {
  double us = 0;
  for (Ordinal level = 0; level < levels.num_levels; ++level) {
    const Ordinal rows = levels.first[level + 1] - levels.first[level];
    us += std::max<double>(rules::inside_level_of_all_us,
                           detail::level_bytes(rows, levels.entries[level], scalar_bytes) /
                               rules::sptrsv_device_bytes_per_us);
  }
  return us;
}

}  // namespace

template <class Scalar, class Space>
template <class Offset>
FactorsInside<Scalar, Space>::FactorsInside(const Space& exec,
                                            const TriangleView<Scalar, Space, Offset>& L,
                                            const TriangleView<Scalar, Space, Offset>& U,
                                            FactorMode mode) {
  require(
      L.num_rows == U.num_rows && L.kind == TriangleKind::lower && U.kind == TriangleKind::upper,
      [&] {
        return "L has " + std::to_string(L.num_rows) + " rows and U " + std::to_string(U.num_rows) +
               ", expected a lower and an upper triangle of as many rows";
      });
  const auto of_L = find_levels(exec, L);
  const auto of_U = find_levels(exec, U);
  m_L = order_by_levels(exec, L, of_L);
  m_U = order_by_levels(exec, U, of_U);
  const auto n = static_cast<std::size_t>(L.num_rows);
  m_vectors = allocate<Scalar>(exec, "tessera::persistent::factors", 3 * n);
  if (n == 0) return;
  const double entries = static_cast<double>(m_L.columns.extent(0) + m_U.columns.extent(0));
  m_lanes = detail::lanes_of_rows<Space>(entries / 2 / static_cast<double>(n));
  const double width = std::max(typical_width(of_L), typical_width(of_U));
  constexpr double warp = 32;
  constexpr double max_walkers = 512;
  const auto warps = [&](double rows) { return std::ceil(rows * m_lanes / warp); };
  m_walkers = static_cast<int>(std::clamp(warp * warps(width), warp, max_walkers));
  m_warps = static_cast<int>(std::max(1.0, warps(2 * width)));
  const double by_block = estimated_by_block(of_L, m_lanes) + estimated_by_block(of_U, m_lanes) +
                          rules::inside_barrier_us;
  const double by_all =
      estimated_by_all(of_L, sizeof(Scalar)) + estimated_by_all(of_U, sizeof(Scalar));
  m_by_one_block =
      mode == FactorMode::automatic ? by_block < by_all : mode == FactorMode::one_block;
}

template <class Scalar, class Space>
detail::FactorSteps<Scalar> FactorsInside<Scalar, Space>::inside() const {
  const auto n = static_cast<std::size_t>(num_rows());
  Scalar* const vectors = m_vectors.data();
  return {detail::plain(m_L),
          detail::plain(m_U),
          vectors,
          vectors + n,
          vectors + 2 * n,
          m_lanes,
          m_walkers,
          m_warps,
          m_by_one_block};
}

template <class Scalar, class Space>
std::size_t FactorsInside<Scalar, Space>::vector_bytes() const {
  return detail::Scratch::bytes_of<Scalar>(num_rows());
}

template <class Scalar, class Space>
std::size_t FactorsInside<Scalar, Space>::all_bytes() const {
  std::size_t bytes = vector_bytes();
  for (const auto* const T : {&m_L, &m_U}) {
    bytes += detail::Scratch::bytes_of<Ordinal>(T->num_levels + std::size_t{1}) +
             detail::Scratch::bytes_of<Ordinal>(T->offsets.extent(0)) +
             detail::Scratch::bytes_of<Ordinal>(T->rows.extent(0)) +
             detail::Scratch::bytes_of<Ordinal>(T->columns.extent(0)) +
             detail::Scratch::bytes_of<Scalar>(T->values.extent(0)) +
             detail::Scratch::bytes_of<Scalar>(T->inverse_diagonal.extent(0));
  }
  return bytes;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, FactorsInside)
#define TESSERA_INSTANTIATE(Scalar, Space, Offset)              \
  template FactorsInside<Scalar, Space>::FactorsInside(         \
      const Space&, const TriangleView<Scalar, Space, Offset>&, \
      const TriangleView<Scalar, Space, Offset>&, FactorMode);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
