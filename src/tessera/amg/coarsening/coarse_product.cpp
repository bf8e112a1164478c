// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/coarse_product.hpp"

#include "tessera/amg/coarsening/fine_values.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/refill.hpp"
#include "tessera/kernels/format/mbsr/transpose.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/format/transpose.hpp"

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

/// Frees what tiles of P have by now, before a product needs its own memory.
template <class Scalar, class Space, class Offset>
void release_P(bool keeps_pattern, const FineLevel<Scalar, Space, Offset>& fine,
               CoarseLevel<Scalar, Space, Offset>& coarse) {
  if (!keeps_pattern) {
    coarse.P = {};
  } else if (!fine.stores_P_in_rows) {
    coarse.P.values = {};
  }
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void CoarseProduct<Scalar, Space, Offset>::multiply_rows(const Space& exec, const Fine& fine,
                                                         Coarse& coarse, PhaseTimer<Space>& timer,
                                                         const Dropped& dropped) {
  timer.start(exec, "Galerkin product");
  m_plan = {};
  const auto R = coarse.R.view();
  const auto A = fine.A->view();
  const auto P = coarse.P.view();
  coarse.A = m_keeps_pattern ? kernels::galerkin_product(exec, R, A, P, m_plan)
                             : kernels::galerkin_product(exec, R, A, P);
  if (!fine.reads_rows) kernels::release_intermediate(m_plan);
  if (dropped.extent(0) > 0) detail::set_unit_diagonal(exec, coarse.A, dropped);
}

template <class Scalar, class Space, class Offset>
bool CoarseProduct<Scalar, Space, Offset>::try_tiles(const Space& exec, Fine& fine, Coarse& coarse,
                                                     PhaseTimer<Space>& timer,
                                                     const Dropped& dropped) {
  coarse.tiles.reset();
  m_tile_plan = {};
  if (!fine.multiplies_tiles) return false;
  CoarseTiles<Scalar, Space> tiles;
  try {
    timer.start(exec, "conversion");
    release_values(fine);
    tiles.P = kernels::csr_to_mbsr<Scalar>(exec, coarse.P.view());
    const bool has_R = coarse.R.num_cols > 0;
    if (has_R) tiles.R = kernels::csr_to_mbsr<Scalar>(exec, coarse.R.view());
    timer.start(exec, "transpose");
    if (!has_R) tiles.R = kernels::transpose(exec, tiles.P.view());
    detail::release_P(m_keeps_pattern, fine, coarse);
    timer.start(exec, "Galerkin product");
    tiles.A = kernels::galerkin_product(exec, tiles.R.view(), fine.tiles->view(), tiles.P.view(),
                                        kernels::TileLayout::packed, m_tile_plan);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    m_tile_plan = {};
    if (coarse.P.values.extent(0) == 0)
      coarse.P = kernels::mbsr_to_csr<Scalar, Offset>(exec, tiles.P.view());
    restore_values(exec, fine);
    return false;
  }
  if (m_keeps_pattern) {
    kernels::release_intermediate(m_tile_plan);
  } else {
    m_tile_plan = {};
  }
  if (dropped.extent(0) > 0) detail::set_unit_diagonal(exec, tiles.A, dropped);
  timer.start(exec, "conversion");
  coarse.A = kernels::mbsr_to_csr<Scalar, Offset>(exec, tiles.A.view());
  coarse.tiles = std::move(tiles);
  return true;
}

template <class Scalar, class Space, class Offset>
void CoarseProduct<Scalar, Space, Offset>::make_with_transpose(const Space& exec, Fine& fine,
                                                               Coarse& coarse,
                                                               PhaseTimer<Space>& timer,
                                                               const Dropped& dropped) {
  coarse.R = {};
  m_has_own_R = false;
  if (try_tiles(exec, fine, coarse, timer, dropped)) return;
  timer.start(exec, "transpose");
  coarse.R = kernels::transpose(exec, coarse.P.view());
  multiply_rows(exec, fine, coarse, timer, dropped);
}

template <class Scalar, class Space, class Offset>
void CoarseProduct<Scalar, Space, Offset>::make(const Space& exec, Fine& fine, Coarse& coarse,
                                                PhaseTimer<Space>& timer, const Dropped& dropped) {
  m_has_own_R = true;
  if (!try_tiles(exec, fine, coarse, timer, dropped))
    multiply_rows(exec, fine, coarse, timer, dropped);
}

template <class Scalar, class Space, class Offset>
void CoarseProduct<Scalar, Space, Offset>::remake(const Space& exec, Fine& fine, bool new_P,
                                                  Coarse& coarse, PhaseTimer<Space>& timer,
                                                  const Dropped& dropped) {
  if (!coarse.tiles) {
    if (new_P && !m_has_own_R) {
      timer.start(exec, "transpose");
      make_room(exec, coarse.R);
      kernels::transpose_values(exec, coarse.P.view(), coarse.R);
    }
    timer.start(exec, "Galerkin product");
    kernels::galerkin_numeric(exec, m_plan, coarse.R.view(), fine.A->view(), coarse.P.view(),
                              coarse.A);
    if (dropped.extent(0) > 0) detail::set_unit_diagonal(exec, coarse.A, dropped);
    return;
  }
  auto& tiles = *coarse.tiles;
  if (new_P) {
    timer.start(exec, "conversion");
    kernels::refill_mbsr(exec, coarse.P.view(), tiles.P);
    if (m_has_own_R) kernels::refill_mbsr(exec, coarse.R.view(), tiles.R);
    timer.start(exec, "transpose");
    if (!m_has_own_R) kernels::refill_transposed_mbsr(exec, coarse.P.view(), tiles.R);
  }
  detail::release_P(m_keeps_pattern, fine, coarse);
  release_values(fine);
  timer.start(exec, "Galerkin product");
  kernels::galerkin_numeric(exec, m_tile_plan, tiles.R.view(), fine.tiles->view(), tiles.P.view(),
                            tiles.A);
  if (dropped.extent(0) > 0) detail::set_unit_diagonal(exec, tiles.A, dropped);
  timer.start(exec, "conversion");
  kernels::refill_csr(exec, tiles.A.view(), coarse.A);
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  template class CoarseProduct<Scalar, Space, Offset>;
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
