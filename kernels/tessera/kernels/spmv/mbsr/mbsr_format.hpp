// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// mBSR as a storage format (spmv/format_traits.hpp).
#pragma once

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_spmv.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"

namespace tessera::kernels {

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
    const std::string one = of_one_vector(plan);
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
