// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/level_products.hpp"

#include "tessera/amg/selection_rules.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/mbsr/refill.hpp"
#include "tessera/kernels/format/mbsr/statistics.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/spmv/csr/csr_analyse_together.hpp"

namespace tessera::amg {
namespace detail {

/// Whether a level's blocks are worth the conversion, as far as their size tells. Levels below one
/// of tiles have tiles from the product; below one whose 3 by 3 blocks lie across too many tiles,
/// as on tetrahedra, blocks of 6 by 6 fill them.
template <class Scalar, class Space, class Offset>
bool may_pay_conversion(const SetupLevel<Scalar, Space, Offset>& here) {
  return !kernels::is_host_space<Space> &&
         here.fine.block_size >= rules::min_block_size_for_tiles &&
         here.fine.A->num_rows() >= rules::min_rows_for_tiles;
}

/// Where it is left open: the level is stored as mBSR, by name, by its bytes or as blocks that are
/// large enough, and its tiles are full enough for products.
template <class Scalar, class Space, class Offset>
bool wants_tiles(const Space& exec, const Parameters& p,
                 const SetupLevel<Scalar, Space, Offset>& here) {
  if (p.products != Products::automatic) return p.products == Products::mbsr;
  const StorageFormat format = here.chosen.A.format;
  const bool by_name = format == StorageFormat::mbsr || format == StorageFormat::automatic;
  if (!by_name && format != StorageFormat::least_bytes) return false;
  const auto& fine = here.fine;
  if (by_name && fine.tiles != nullptr) {
    return kernels::entries_per_tile(fine.tiles->view()) >= rules::min_entries_per_multiplied_tile;
  }
  if (format == StorageFormat::automatic && !may_pay_conversion(here)) return false;
  const auto choice = kernels::select_format(exec, fine.A->view());
  return (by_name || choice.format == kernels::Format::mbsr) && !choice.statistics.duplicates &&
         choice.statistics.entries_per_tile() >= rules::min_entries_per_multiplied_tile;
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void convert_to_tiles(const Space& exec, FineLevel<Scalar, Space, Offset>& fine) {
  fine.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(
      kernels::csr_to_mbsr<Scalar>(exec, fine.A->view()));
}

template <class Scalar, class Space, class Offset>
void refill_tiles(const Space& exec, FineLevel<Scalar, Space, Offset>& fine) {
  // The user's rows need not ascend.
  if (kernels::rows_sorted(exec, fine.A->view())) {
    kernels::refill_mbsr(exec, fine.A->view(), *fine.tiles);
  } else {
    convert_to_tiles(exec, fine);
  }
}

template <class Scalar, class Space, class Offset>
void choose_products(const Space& exec, const Parameters& p,
                     SetupLevel<Scalar, Space, Offset>& here, PhaseTimer<Space>& timer) {
  timer.start(exec, "conversion");
  here.fine.multiplies_tiles = detail::wants_tiles(exec, p, here);
  if (!here.fine.multiplies_tiles || here.fine.tiles != nullptr) return;
  try {
    convert_to_tiles(exec, here.fine);
    here.converts = true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    here.fine.multiplies_tiles = false;
    here.notes.products.push_back("products of level " + std::to_string(here.number) +
                                  " in compressed rows: mBSR cannot hold its operator (" +
                                  error.what() + ")");
  }
}

template <class Scalar, class Space, class Offset>
void note_products(SetupLevel<Scalar, Space, Offset>& here) {
  if (!here.fine.multiplies_tiles || here.coarse.tiles) return;
  here.notes.products.push_back("products of level " + std::to_string(here.number) +
                                " in compressed rows: mBSR cannot hold one of them");
}

/// In compressed rows their products are planned together: a device is waited for once.
template <class Scalar, class Space, class Offset>
FineLevel<Scalar, Space, Offset> plan_products(const Space& exec,
                                               SetupLevel<Scalar, Space, Offset>& here,
                                               int block_size, PhaseTimer<Space>& timer) {
  using StoredA = StoredCsr<Scalar, Space, Offset>;
  timer.start(exec, "analyse");
  const auto& coarse = here.coarse;
  if (coarse.tiles) {
    FineLevel<Scalar, Space, Offset> next{
        std::make_shared<StoredA>(exec, coarse.A), {}, 0, block_size};
    next.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(coarse.tiles->A);
    return next;
  }
  const auto plans = kernels::analyse_spmv_together<Scalar, Space, Offset>(
      exec, {coarse.P.view(), coarse.R.view(), coarse.A.view()});
  here.P = std::make_shared<StoredA>(coarse.P, plans[0]);
  here.R = std::make_shared<StoredA>(coarse.R, plans[1]);
  return {std::make_shared<StoredA>(coarse.A, plans[2]), {}, 0, block_size};
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset)                                       \
  template void convert_to_tiles(const Space&, FineLevel<Scalar, Space, Offset>&);       \
  template void refill_tiles(const Space&, FineLevel<Scalar, Space, Offset>&);           \
  template void choose_products(const Space&, const Parameters&,                         \
                                SetupLevel<Scalar, Space, Offset>&, PhaseTimer<Space>&); \
  template void note_products(SetupLevel<Scalar, Space, Offset>&);                       \
  template FineLevel<Scalar, Space, Offset> plan_products(                               \
      const Space&, SetupLevel<Scalar, Space, Offset>&, int, PhaseTimer<Space>&);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
