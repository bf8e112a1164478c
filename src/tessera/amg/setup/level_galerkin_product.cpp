// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_galerkin_product.hpp"

#include "tessera/amg/coarsening/kept_entries.hpp"
#include "tessera/amg/setup/fine_values.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/format/transpose.hpp"

#include <string>
#include <utility>

namespace tessera::amg {
namespace detail {

/// Rows of the Galerkin product whose candidate was dropped are empty but for a stored diagonal:
/// 1 there keeps the coarse operator regular without touching any other row. To ask first whether
/// there are any would be a wait, and costs more than this.
template <class Scalar, class Space, class Offset>
void set_unit_diagonal(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& A,
                       const Array<const char, Space>& marked) {
  const auto offsets = A.offsets;
  const auto columns = A.columns;
  const auto values = A.values;
  Kokkos::parallel_for(
      "tessera::amg::set_unit_diagonal", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (!marked(i)) return;
        for (Offset e = offsets(i); e < offsets(i + 1); ++e) {
          if (columns(e) == i) values(e) = Scalar(1);
        }
      });
}

/// The same on packed tiles.
template <class Scalar, class Space>
void set_unit_diagonal(const Space& exec, const kernels::Mbsr<Scalar, Space>& A,
                       const Array<const char, Space>& marked) {
  const auto view = A.view();
  const auto values = A.values;
  Kokkos::parallel_for(
      "tessera::amg::set_unit_diagonal", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (!marked(i)) return;
        const Ordinal tile_row = i / kernels::tile_size;
        const int place = (kernels::tile_size + 1) * (i % kernels::tile_size);
        auto start = view.value_offsets(tile_row);
        for (auto t = view.tile_offsets(tile_row); t < view.tile_offsets(tile_row + 1); ++t) {
          const std::uint32_t map = view.maps(t);
          if (view.tile_columns(t) == tile_row && (map >> place & 1u) != 0)
            values(start + kernels::entries_before(map, place)) = Scalar(1);
          start += kernels::count_bits(map);
        }
      });
}

/// P is of the level's rows, and R is 0 by 0 or of P's shape turned over.
template <class Scalar, class Space, class Offset>
void check_factors(const kernels::Csr<Scalar, Space, Offset>& P,
                   const kernels::Csr<Scalar, Space, Offset>& R, Ordinal n) {
  const bool is_transpose = R.num_rows == 0 && R.num_cols == 0;
  require(P.num_rows == n && (is_transpose || (R.num_cols == n && R.num_rows == P.num_cols)), [&] {
    return "P is " + std::to_string(P.num_rows) + " by " + std::to_string(P.num_cols) + " and R " +
           std::to_string(R.num_rows) + " by " + std::to_string(R.num_cols) +
           "; expected a P of the level's " + std::to_string(n) +
           " rows, and an R of its transpose's size or 0 by 0";
  });
}

}  // namespace detail

/// Frees what tiles of P have by now, before a product needs its own memory.
template <class Scalar, class Space, class Offset>
void LevelGalerkinProduct<Scalar, Space, Offset>::release_P(Coarse& coarse) const {
  if (!m_keeps_pattern) {
    coarse.P = {};
  } else if (!m_here.storage.stores_P_in_rows) {
    coarse.P.values = {};
  }
}

template <class Scalar, class Space, class Offset>
void LevelGalerkinProduct<Scalar, Space, Offset>::multiply_rows(const Space& exec, Coarse& coarse) {
  auto& storage = m_here.storage;
  m_timer.start(exec, "Galerkin product");
  storage.plan = {};
  const auto R = coarse.R.view();
  const auto A = m_here.fine.A->view();
  const auto P = coarse.P.view();
  coarse.A = m_keeps_pattern ? kernels::galerkin_product(exec, R, A, P, storage.plan)
                             : kernels::galerkin_product(exec, R, A, P);
  if (!storage.reads_rows) kernels::release_intermediate(storage.plan);
  if (coarse.dropped.extent(0) > 0) detail::set_unit_diagonal(exec, coarse.A, coarse.dropped);
  if (coarse.drops.below > 0) drop_entries(exec, coarse);
}

template <class Scalar, class Space, class Offset>
void LevelGalerkinProduct<Scalar, Space, Offset>::drop_entries(const Space& exec, Coarse& coarse) {
  auto product = coarse.A;
  coarse.A = kept_pattern(exec, product.view(), coarse.drops.below);
  coarse.A.values = allocate<Scalar>(exec, "tessera::amg::values", coarse.A.num_entries());
  copy_kept(exec, product.view(), coarse.drops.lumped, coarse.A);
  if (!m_keeps_pattern) return;
  product.values = {};
  m_here.storage.undropped = std::move(product);
}

template <class Scalar, class Space, class Offset>
void LevelGalerkinProduct<Scalar, Space, Offset>::remake_product(const Space& exec,
                                                                 const Coarse& coarse) {
  auto& product = m_here.storage.undropped;
  const bool drops = coarse.drops.below > 0;
  if (drops) make_room(exec, product);
  kernels::galerkin_numeric(exec, m_here.storage.plan, coarse.R.view(), m_here.fine.A->view(),
                            coarse.P.view(), drops ? product : coarse.A);
  if (!drops) return;
  copy_kept(exec, product.view(), coarse.drops.lumped, coarse.A);
  product.values = {};
}

template <class Scalar, class Space, class Offset>
bool LevelGalerkinProduct<Scalar, Space, Offset>::try_tiles(const Space& exec, Coarse& coarse) {
  auto& storage = m_here.storage;
  storage.coarse_tiles.reset();
  storage.tile_plan = {};
  if (!storage.multiplies_tiles || coarse.drops.below > 0) return false;
  CoarseTiles<Scalar, Space> tiles;
  try {
    m_timer.start(exec, "conversion");
    release_values(m_here);
    tiles.P = kernels::csr_to_mbsr<Scalar>(exec, coarse.P.view());
    if (storage.has_own_R) tiles.R = kernels::csr_to_mbsr<Scalar>(exec, coarse.R.view());
    m_timer.start(exec, "transpose");
    if (!storage.has_own_R) tiles.R = kernels::transpose(exec, tiles.P.view());
    release_P(coarse);
    m_timer.start(exec, "Galerkin product");
    tiles.A = kernels::galerkin_product(exec, tiles.R.view(), storage.tiles->view(), tiles.P.view(),
                                        kernels::TileLayout::packed, storage.tile_plan);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    storage.tile_plan = {};
    if (coarse.P.values.extent(0) == 0)
      coarse.P = kernels::mbsr_to_csr<Scalar, Offset>(exec, tiles.P.view());
    restore_values(exec, m_here);
    return false;
  }
  if (m_keeps_pattern) {
    kernels::release_intermediate(storage.tile_plan);
  } else {
    storage.tile_plan = {};
  }
  if (coarse.dropped.extent(0) > 0) detail::set_unit_diagonal(exec, tiles.A, coarse.dropped);
  m_timer.start(exec, "conversion");
  coarse.A = kernels::mbsr_to_csr<Scalar, Offset>(exec, tiles.A.view());
  storage.coarse_tiles = std::move(tiles);
  return true;
}

template <class Scalar, class Space, class Offset>
void LevelGalerkinProduct<Scalar, Space, Offset>::make(const Space& exec, Coarse& coarse) {
  detail::check_factors(coarse.P, coarse.R, m_here.fine.A->num_rows());
  m_here.storage.has_own_R = coarse.R.num_cols > 0;
  if (!try_tiles(exec, coarse)) {
    if (!m_here.storage.has_own_R) {
      m_timer.start(exec, "transpose");
      coarse.R = kernels::transpose(exec, coarse.P.view());
    }
    multiply_rows(exec, coarse);
  }
  if (!m_keeps_pattern) coarse.dropped = {};
}

template <class Scalar, class Space, class Offset>
void LevelGalerkinProduct<Scalar, Space, Offset>::remake_rows(const Space& exec, bool new_P,
                                                              Coarse& coarse) {
  if (new_P && !m_here.storage.has_own_R) {
    m_timer.start(exec, "transpose");
    make_room(exec, coarse.R);
    kernels::transpose_values(exec, coarse.P.view(), coarse.R);
  }
  m_timer.start(exec, "Galerkin product");
  remake_product(exec, coarse);
  if (coarse.dropped.extent(0) > 0) detail::set_unit_diagonal(exec, coarse.A, coarse.dropped);
}

template <class Scalar, class Space, class Offset>
void LevelGalerkinProduct<Scalar, Space, Offset>::remake(const Space& exec, bool new_P,
                                                         Coarse& coarse) {
  auto& storage = m_here.storage;
  if (!storage.coarse_tiles) return remake_rows(exec, new_P, coarse);
  auto& tiles = *storage.coarse_tiles;
  if (new_P) {
    m_timer.start(exec, "conversion");
    kernels::refill_mbsr(exec, coarse.P.view(), tiles.P);
    if (storage.has_own_R) kernels::refill_mbsr(exec, coarse.R.view(), tiles.R);
    m_timer.start(exec, "transpose");
    if (!storage.has_own_R) kernels::refill_transposed_mbsr(exec, coarse.P.view(), tiles.R);
  }
  release_P(coarse);
  release_values(m_here);
  m_timer.start(exec, "Galerkin product");
  kernels::galerkin_numeric(exec, storage.tile_plan, tiles.R.view(), storage.tiles->view(),
                            tiles.P.view(), tiles.A);
  if (coarse.dropped.extent(0) > 0) detail::set_unit_diagonal(exec, tiles.A, coarse.dropped);
  m_timer.start(exec, "conversion");
  kernels::refill_csr(exec, tiles.A.view(), coarse.A);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, LevelGalerkinProduct)

}  // namespace tessera::amg
