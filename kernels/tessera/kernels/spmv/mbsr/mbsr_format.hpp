// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// mBSR as a storage format (spmv/format_traits.hpp), and the plan of its products (AmgT paper,
/// section IV.D).
///
/// The matrix is stored in `Storage`, the vectors are of `Working`, and sums are carried in
/// `Arithmetic<Storage, Working>` and rounded once. Matrix values are converted as they are read;
/// the matrix's `scale` is applied once a row sum.
///
/// The matrix is read once for up to 16 columns of x by `tile_row` (on a host for any number) and
/// by `tensor_core` with sums in float, for up to 4 by `load_balanced` and by `tensor_core` with
/// sums in double. Sums are taken in an order that the plan and the number of columns fix: the same
/// input gives the same bits, on a host with any number of threads.
///
/// A place of a tile that holds no entry may be multiplied as a zero, so an infinity or a NaN in x
/// may reach all four rows of the tiles in its column. Entries of x beyond num_cols are never read.
#pragma once

#include "tessera/kernels/execution/planned_launches.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/precision/arithmetic.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/kernels/spmv/planned_pattern.hpp"

#include <cstddef>

namespace tessera::kernels {

/// Which mBSR kernel runs.
enum class MbsrSpmvKernel {
  tile_row,  ///< a fixed number of lanes per tile row
  staged,  ///< the same, tile rows brought to shared memory first; where `has_staged_spmv`
  load_balanced,  ///< the same number of tiles per share
  tensor_core  ///< FP64 instructions, for sums in float TF32; where `has_tensor_core_spmv`
};

/// Whether products in `Space` can use `MbsrSpmvKernel::tensor_core`.
template <class Space>
bool has_tensor_core_spmv();

/// Whether products in `Space` can use `MbsrSpmvKernel::staged`: on GPUs with a bulk copy engine.
/// It serves packed matrices and one vector at a time; a plan for it multiplies others, and arrays
/// that are not aligned to 16 bytes, by `tile_row`.
template <class Space>
bool has_staged_spmv();

/// The choice of kernel for one pattern, made once by `analyse_spmv`. It serves matrices of the
/// same pattern in any storage and layout, except that one made for dense values has no offsets
/// into packed ones; products throw `Error` (precondition) for others. A load-balanced plan holds
/// the workspace of its products, so one plan serves one product at a time.
template <class Space>
struct MbsrSpmvPlan {
  MbsrSpmvKernel kernel = MbsrSpmvKernel::tile_row;
  bool maps_repeat = true;  ///< whether a thread of a host can predict the tiles' maps
  int lanes = 4;  ///< a tile row on a device: 4, 8, 16 or 32, four for each tile at a time
  int staged_lanes = 0;  ///< staged only: lanes per tile row, 1 to 16, each for a tile at a time
  /// Whether five vectors and more, with sums in float, go to tensor cores where there are some:
  /// `analyse_spmv` says so of long tile rows, unless its caller chose the kernel.
  bool several_by_tensor_cores = false;
  std::int32_t part_tiles = 0;  ///< staged only: the most tiles of 32 / staged_lanes tile rows
  std::int32_t part_entries = 0;  ///< staged, packed: the most entries of as many tile rows
  Ordinal num_tile_rows = 0;  ///< of the matrix that was analysed
  std::int32_t num_tiles = 0;  ///< of the matrix that was analysed
  std::size_t steps_per_share = 0;  ///< load-balanced only: tiles plus ends of tile rows
  Array<Ordinal, Space> first_row = {};  ///< load-balanced: the row each share finishes first
  Array<std::int64_t, Space> first_value = {};  ///< load-balanced, packed: begin of its values
  Array<std::byte, Space> workspace = {};  ///< load-balanced: partial sums
  PlannedLaunches<int> launches = {};  ///< staged: the number of blocks of each kernel
  PlannedPattern pattern = {};  ///< that was analysed
};

/// Picks kernel and lanes from the mean and the largest length of a tile row (one device pass), and
/// whether tensor cores take several vectors.
template <class Storage, class Space>
MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A);

/// The same for a kernel chosen by the caller; a matrix without tiles always gets `tile_row`.
/// `lanes` a tile row on a device are 4, 8, 16 or 32 of `tile_row` and 1, 2, 4, 8 or 16 of
/// `staged`; 0: chosen.
///
/// Throws `Error` (precondition) for `tensor_core` and `staged` where the space has none, and for
/// other numbers of lanes.
template <class Storage, class Space>
MbsrSpmvPlan<Space> analyse_spmv(const Space& exec, const MbsrView<Storage, Space>& A,
                                 MbsrSpmvKernel kernel, int lanes = 0);

struct MbsrFormat {
  static constexpr StorageFormat value = StorageFormat::mbsr;
  static constexpr std::string_view name = "mbsr";
  static constexpr std::string_view text =
      "4 by 4 tiles with maps of their entries, packed or dense";

  template <class Storage, class Scalar, class Space, class Offset>
  static Mbsr<Storage, Space> convert(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                                      const Conversion& how = {}) {
    return csr_to_mbsr<Storage>(exec, A.view(), how.layout, how.scale);
  }

  template <class Storage, class Space>
  static std::size_t bytes(const Mbsr<Storage, Space>& A) {
    return A.bytes();
  }

  template <class Storage, class Space>
  static std::string_view variant(const Mbsr<Storage, Space>& A) {
    return A.layout == TileLayout::packed ? "packed" : "dense";
  }

  template <class Working, class Storage, class Space>
  static std::string kernel_name(const Mbsr<Storage, Space>&, const MbsrSpmvPlan<Space>& plan) {
    const int from = tensor_core_columns<Arithmetic<Storage, Working>>(plan);
    std::string one = of_one_vector(plan);
    if (from <= 1) return one;
    return one + ", tensor cores from " + std::to_string(from) + " vectors on";
  }

  static FormatEstimate estimate(const FormatStatistics& s) {
    const bool dense = s.entries_per_tile() >= rules::min_dense_entries_per_tile;
    return {.bytes = dense ? s.mbsr_dense_bytes : s.mbsr_packed_bytes,
            .title = std::string(name) + (dense ? ", dense" : ", packed"),
            .remark = detail::text_of(s.entries_per_tile(), 2) + " entries per tile",
            .row_remark = detail::evenness("tile rows", s.tile_rows_uneven(), s.longest_tile_row,
                                           s.mean_tile_row),
            .layout = dense ? TileLayout::dense : TileLayout::packed,
            .load_balanced = s.tile_rows_uneven()};
  }

 private:
  template <class Space>
  static std::string of_one_vector(const MbsrSpmvPlan<Space>& plan) {
    switch (plan.kernel) {
      case MbsrSpmvKernel::staged:
        return detail::with_lanes("staged", plan.staged_lanes, "tile row");
      case MbsrSpmvKernel::load_balanced:
        return "load-balanced";
      case MbsrSpmvKernel::tensor_core:
        return "tensor cores";
      case MbsrSpmvKernel::tile_row:
        break;
    }
    return "tile rows";
  }
};

template <class Storage, class Space>
struct FormatOf<Mbsr<Storage, Space>> {
  using type = MbsrFormat;
  using storage_type = Storage;
};

template <class Storage, class Space>
struct detail::PlanOf<MbsrView<Storage, Space>> {
  using type = MbsrSpmvPlan<Space>;
};

}  // namespace tessera::kernels
