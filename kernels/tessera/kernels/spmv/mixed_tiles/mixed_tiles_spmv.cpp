// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spmv/mixed_tiles/mixed_tiles_spmv.hpp"

#include "tessera/kernels/format/host_space.hpp"
#include "tessera/kernels/format/mixed_tiles/row_of_tiles.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/lane_group.hpp"

namespace tessera::kernels {
namespace detail {
namespace {

/// The arrays of a matrix and of one column of vectors.
template <class Scalar, class Offset, int size>
struct TileProduct {
  const Offset* tile_offsets;
  const std::uint32_t* keys;
  const Offset* begins;
  const std::uint64_t* words;
  Ordinal num_rows;
  Scalar alpha;
  Scalar beta;
  const Scalar* x;
  Scalar* y;

  KOKKOS_INLINE_FUNCTION void finish(std::int64_t row, double sum) const {
    const double ax = static_cast<double>(alpha) * sum;
    y[row] = static_cast<Scalar>(beta == 0 ? ax : ax + static_cast<double>(beta) * y[row]);
  }
};

/// One row of tiles on a host: each tile is taken apart once for all its rows.
template <class Scalar, class Offset, int size>
struct TileRowOnHost {
  TileProduct<Scalar, Offset, size> product;

  void operator()(const Ordinal tile_row) const {
    const auto& p = product;
    double sums[size] = {};
    for (Offset t = p.tile_offsets[tile_row]; t < p.tile_offsets[tile_row + 1]; ++t) {
      const Scalar* const x = p.x + static_cast<std::size_t>(p.keys[t] >> 3) * size;
      for_entries_of_tile<size, Scalar>(
          p.words + p.begins[t], static_cast<TileKind>(p.keys[t] & 7),
          [&](int row, int column, double value) { sums[row] += value * x[column]; });
    }
    const std::int64_t first = static_cast<std::int64_t>(tile_row) * size;
    for (int row = 0; row < size && first + row < p.num_rows; ++row)
      p.finish(first + row, sums[row]);
  }
};

/// Some lanes a row on a device.
template <class Scalar, class Space, class Offset, int size>
struct TileRowsOnDevice {
  static constexpr int threads_of_a_team = 128;
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  TileProduct<Scalar, Offset, size> product;
  int lanes;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto& p = product;
    const LaneGroup group(lanes, member.team_rank());
    const std::int64_t row =
        (static_cast<std::int64_t>(member.league_rank()) * threads_of_a_team + member.team_rank()) /
        lanes;
    double sum = 0;
    if (row < p.num_rows) {
      const auto tile_row = static_cast<Ordinal>(row / size);
      const int row_of_tile = static_cast<int>(row % size);
      for_row_of_tiles<size, Scalar>(
          p.tile_offsets[tile_row] + group.lane(), p.tile_offsets[tile_row + 1], lanes, row_of_tile,
          [&](std::int64_t t) {
            const std::uint32_t key = p.keys[t];
            return TilePlace{p.words + p.begins[t], static_cast<Ordinal>((key >> 3) * size),
                             static_cast<TileKind>(key & 7)};
          },
          [&](Ordinal column, double value) { sum += value * p.x[column]; });
    }
    sum = group.sum(sum);
    if (row < p.num_rows && group.lane() == 0) p.finish(row, sum);
  }
};

template <class Scalar, class Space, class Offset, int size>
void multiply_column(const Space& exec, const MixedTilesPlan& plan,
                     const TileProduct<Scalar, Offset, size>& product) {
  if constexpr (is_host_space<Space>) {
    static_cast<void>(plan);
    Kokkos::parallel_for("tessera::mixed_tiles::spmv",
                         Kokkos::RangePolicy<Space>(exec, 0, tiles_along(product.num_rows, size)),
                         TileRowOnHost<Scalar, Offset, size>{product});
  } else {
    using Kernel = TileRowsOnDevice<Scalar, Space, Offset, size>;
    constexpr int threads = Kernel::threads_of_a_team;
    const std::int64_t items = static_cast<std::int64_t>(product.num_rows) * plan.lanes_per_row;
    Kokkos::parallel_for("tessera::mixed_tiles::spmv",
                         Kokkos::TeamPolicy<Space>(
                             exec, static_cast<int>((items + threads - 1) / threads), threads, 1),
                         Kernel{product, plan.lanes_per_row});
  }
}

inline void require_vector(const char* name, std::size_t length, Ordinal expected) {
  require(length == static_cast<std::size_t>(expected), [&] {
    return std::string(name) + " has " + std::to_string(length) + " rows, expected " +
           std::to_string(expected) + " for this matrix";
  });
}

}  // namespace
}  // namespace detail

template <class Scalar, class Space, class Offset, int size>
MixedTilesPlan analyse_spmv(const Space&, const MixedTilesView<Scalar, Space, Offset, size>& A) {
  MixedTilesPlan plan;
  if (is_host_space<Space> || A.num_rows == 0) return plan;
  const std::size_t tiles_per_row = A.num_tiles() / A.num_tile_rows();
  while (plan.lanes_per_row < 32 && 8ul * plan.lanes_per_row <= tiles_per_row)
    plan.lanes_per_row *= 2;
  return plan;
}

template <class Scalar, class Space, class Offset, int size>
void spmv(const Space& exec, const MixedTilesPlan& plan, NonDeduced<Scalar> alpha,
          const MixedTilesView<Scalar, Space, Offset, size>& A,
          const NonDeduced<ConstMultiVectorView<Scalar, Space>>& x, NonDeduced<Scalar> beta,
          const NonDeduced<MultiVectorView<Scalar, Space>>& y) {
  detail::require_vector("x", x.extent(0), A.num_cols);
  detail::require_vector("y", y.extent(0), A.num_rows);
  require(x.extent(1) == y.extent(1), [&] {
    return "x has " + std::to_string(x.extent(1)) + " columns and y " +
           std::to_string(y.extent(1)) + ", expected as many";
  });
  const int lanes = plan.lanes_per_row;
  require(lanes >= 1 && lanes <= 32 && (lanes & (lanes - 1)) == 0, [&] {
    return "lanes_per_row is " + std::to_string(lanes) + ", expected 1, 2, 4, 8, 16 or 32";
  });
  if (A.num_rows == 0) return;
  for (std::size_t j = 0; j < x.extent(1); ++j) {
    Scalar* const to = y.data() + j * y.stride(1);
    if (alpha == 0) {
      Kokkos::parallel_for(
          "tessera::mixed_tiles::scale", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
          KOKKOS_LAMBDA(const Ordinal i) { to[i] = beta == 0 ? Scalar(0) : beta * to[i]; });
      continue;
    }
    detail::multiply_column<Scalar, Space, Offset, size>(
        exec, plan,
        {A.tile_offsets.data(), A.keys.data(), A.begins.data(), A.words.data(), A.num_rows, alpha,
         beta, x.data() + j * x.stride(1), to});
  }
}

#define TESSERA_INSTANTIATE_SIZE(size, Scalar, Space, Offset)                               \
  template MixedTilesPlan analyse_spmv(const Space&,                                        \
                                       const MixedTilesView<Scalar, Space, Offset, size>&); \
  template void spmv(const Space&, const MixedTilesPlan&, Scalar,                           \
                     const MixedTilesView<Scalar, Space, Offset, size>&,                    \
                     const ConstMultiVectorView<Scalar, Space>&, Scalar,                    \
                     const MultiVectorView<Scalar, Space>&);
#define TESSERA_INSTANTIATE(Scalar, Space, Offset)    \
  TESSERA_INSTANTIATE_SIZE(8, Scalar, Space, Offset)  \
  TESSERA_INSTANTIATE_SIZE(16, Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_SIZE(32, Scalar, Space, Offset)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_SIZE

}  // namespace tessera::kernels
