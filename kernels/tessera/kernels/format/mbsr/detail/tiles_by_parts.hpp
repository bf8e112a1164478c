// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR to mBSR on a device, one warp per part of tile rows: columns come into shared memory in
/// order, lanes merge there, and what they find leaves in order.
#pragma once

#include "tessera/kernels/format/mbsr/detail/count_tiles_by_parts.hpp"
#include "tessera/kernels/format/mbsr/detail/fill_tiles_by_parts.hpp"

namespace tessera::kernels::detail {

/// How the tiles of a CSR matrix are counted and written, one warp per part.
template <class Space, class Offset>
struct TilesByParts {
  TileParts parts;

  template <class Work>
  void launch(const Space& exec, const char* label, const Work& work) const {
    const auto teams =
        parts.teams(exec, tiles_for(work.pattern.num_rows), Work::scratch_bytes(parts));
    Kokkos::parallel_for(label, teams, work);
  }

  void count(const Space& exec, const ArrayView<const Offset, Space>& offsets,
             const ArrayView<const Ordinal, Space>& columns, Ordinal num_rows,
             const TileRowSizes<Space>& sizes) const {
    launch(exec, "tessera::count_tiles",
           CountTilesByParts<Space, Offset>{{offsets, columns, num_rows, parts}, sizes});
  }

  template <class Storage, class Scalar>
  void fill(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
            const TileTarget<Storage, Space>& target) const {
    launch(exec, "tessera::fill_tiles",
           FillTilesByParts<Storage, Scalar, Space, Offset>{
               {A.offsets, A.columns, A.num_rows, parts}, A.values, target});
  }
};

}  // namespace tessera::kernels::detail
