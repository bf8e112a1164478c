// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/setup/decide_storage.hpp"

#include "tessera/amg/selection_rules.hpp"
#include "tessera/amg/setup/level_storage.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/select_format.hpp"
#include "tessera/kernels/format/sort_rows.hpp"

#include <memory>
#include <string>
#include <utility>

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
  const auto& tiles = here.storage.tiles;
  if (by_name && tiles != nullptr) {
    return kernels::entries_per_tile(tiles->view()) >= rules::min_entries_per_multiplied_tile;
  }
  if (format == StorageFormat::automatic && !may_pay_conversion(here)) return false;
  const auto choice = kernels::select_format(exec, here.fine.A->view());
  return (by_name || choice.format == kernels::Format::mbsr) && !choice.statistics.duplicates &&
         choice.statistics.entries_per_tile() >= rules::min_entries_per_multiplied_tile;
}

/// A on tiles, from its compressed rows.
template <class Scalar, class Space, class Offset>
void convert_to_tiles(const Space& exec, SetupLevel<Scalar, Space, Offset>& here) {
  here.storage.tiles = std::make_shared<kernels::Mbsr<Scalar, Space>>(
      kernels::csr_to_mbsr<Scalar>(exec, here.fine.A->view()));
}

template <class Scalar, class Space, class Offset>
void choose_products(const Space& exec, const Parameters& p,
                     SetupLevel<Scalar, Space, Offset>& here, PhaseTimer<Space>& timer) {
  timer.start(exec, "conversion");
  auto& storage = here.storage;
  storage.multiplies_tiles = wants_tiles(exec, p, here);
  if (!storage.multiplies_tiles || storage.tiles != nullptr) return;
  try {
    convert_to_tiles(exec, here);
    storage.converts = true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::precondition) throw;
    storage.multiplies_tiles = false;
    here.notes.products.push_back("products of level " + std::to_string(here.fine.number) +
                                  " in compressed rows: mBSR cannot hold its operator (" +
                                  error.what() + ")");
  }
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void decide_storage(const Space& exec, const Parameters& p, bool is_last,
                    SetupLevel<Scalar, Space, Offset>& here, PhaseTimer<Space>& timer) {
  if (!is_last) detail::choose_products(exec, p, here, timer);
  auto& storage = here.storage;
  storage.stores_P_in_rows = !takes_tiles(here.chosen.P);
  storage.reads_rows = !is_other_than_rows(here.chosen.A.format);
  storage.comes_first = is_last || storage.multiplies_tiles;
}

template <class Scalar, class Space, class Offset>
void refill_tiles(const Space& exec, SetupLevel<Scalar, Space, Offset>& here) {
  // The user's rows need not ascend.
  if (kernels::rows_sorted(exec, here.fine.A->view())) {
    kernels::refill_mbsr(exec, here.fine.A->view(), *here.storage.tiles);
  } else {
    detail::convert_to_tiles(exec, here);
  }
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, decide_storage)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, refill_tiles)

namespace detail {

/// As `coarse` has it by now.
template <class Scalar, class Space, class Offset>
void renew(const kernels::Csr<Scalar, Space, Offset>& coarse,
           std::shared_ptr<const StoredCsr<Scalar, Space, Offset>>& stored) {
  if (stored == nullptr || coarse.num_cols == 0) return;
  if (stored->matrix().values.data() == coarse.values.data()) return;
  auto plan = stored->plan();
  stored = std::make_shared<StoredCsr<Scalar, Space, Offset>>(coarse, std::move(plan));
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
void release_connection(Reuse reuse, SetupLevel<Scalar, Space, Offset>& here) {
  // Those on tiles a product frees.
  const bool come_again = reuse == Reuse::symbolic && here.coarsening->makes_new_interpolation();
  if (here.storage.coarse_tiles || !come_again) return;
  if (is_other_than_rows(here.chosen.P.format)) here.coarse.P.values = {};
  if (is_other_than_rows(here.chosen.R.format)) here.coarse.R.values = {};
  renew_connection(here);
}

template <class Scalar, class Space, class Offset>
void renew_connection(SetupLevel<Scalar, Space, Offset>& here) {
  detail::renew(here.coarse.P, here.storage.P);
  detail::renew(here.coarse.R, here.storage.R);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, release_connection)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, renew_connection)

}  // namespace tessera::amg
