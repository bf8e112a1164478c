// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Preconditions, what the plan holds, the choice of a form.
#include "tessera/kernels/spgemm/detail/chunks.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/sum_tiles.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_row_workspace.hpp"
#include "tessera/kernels/spgemm/mbsr/detail/tile_symbolic.hpp"

namespace tessera::kernels {
namespace spgemm_detail {

/// What the numeric phase by threads makes its workspace from.
template <class Space>
void plan_threads(const Space& exec, const TilePatternView<Space>& B, const TilePattern<Space>& C,
                  MbsrSpgemmPlan<Space>& plan) {
  plan.longest = longest_row<Space>(exec, C.offsets);
  plan.longest_B = longest_row<Space>(exec, B.offsets);
}

/// What the numeric phase by teams needs: bins, and workspace where a bin does not fit in scratch.
template <class StorageB, class Space>
void plan_teams(const Space& exec, const MbsrView<StorageB, Space>& B, const TilePattern<Space>& C,
                const SizeHistogram& histogram, MbsrSpgemmPlan<Space>& plan) {
  plan.bins =
      bin_rows<Space>(exec, TableFill::three_quarters, histogram, max_log2_sums<Space>(), C.sizes);
  if (B.layout == TileLayout::packed) {
    const auto starts = allocate<std::int64_t>(exec, "tessera::spgemm::b_starts", B.num_tiles);
    start_tiles<Space>(exec, B.maps, starts);
    plan.b_starts = starts;
  }
  if (plan.bins.bins.empty() || plan.bins.bins.back().in_scratch) return;
  plan.longest = longest_row<Space>(exec, C.offsets);
  const std::size_t teams = workspace_teams<Space>(plan.bins.bins.back().count, plan.longest);
  plan.sums =
      allocate<unsigned char>(exec, "tessera::spgemm::sums", teams * bytes_of_sums(plan.longest));
  plan.starts = allocate<std::int64_t>(exec, "tessera::spgemm::starts", teams * plan.longest);
}

/// C without values.
template <class StorageC, class Space>
Mbsr<StorageC, Space> with_pattern(const TilePattern<Space>& pattern, Ordinal num_rows,
                                   Ordinal num_cols, TileLayout layout) {
  Mbsr<StorageC, Space> C;
  C.num_rows = num_rows;
  C.num_cols = num_cols;
  C.num_entries = pattern.num_entries;
  C.layout = layout;
  C.tile_offsets = pattern.offsets;
  C.tile_columns = pattern.columns;
  C.maps = pattern.maps;
  if (layout == TileLayout::packed) C.value_offsets = pattern.value_offsets;
  return C;
}

inline void require_tiles(const char* name, std::int32_t actual, std::int32_t expected,
                          std::source_location where = std::source_location::current()) {
  require(
      actual == expected,
      [&] {
        return std::string(name) + " has " + std::to_string(actual) +
               " tiles, but the plan was made for " + std::to_string(expected);
      },
      where);
}

}  // namespace spgemm_detail

template <class StorageC, class StorageA, class StorageB, class Space>
Mbsr<StorageC, Space> spgemm_symbolic(const Space& exec, const MbsrView<StorageA, Space>& A,
                                      const MbsrView<StorageB, Space>& B, TileLayout layout,
                                      MbsrSpgemmPlan<Space>& plan) {
  using namespace spgemm_detail;
  require_product_shapes(A.num_rows, A.num_cols, B.num_rows, B.num_cols);
  MbsrSpgemmPlan<Space> made;
  made.by_teams = plan.by_teams;
  TilePattern<Space> pattern;
  if (made.by_teams) {
    SizeHistogram histogram;
    pattern = multiply_patterns_by_teams(exec, pattern_of(A), pattern_of(B), histogram);
    plan_teams(exec, B, pattern, histogram, made);
  } else if constexpr (is_host_space<Space>) {
    pattern = multiply_patterns_by_threads(exec, pattern_of(A), pattern_of(B));
    plan_threads(exec, pattern_of(B), pattern, made);
  }
  auto C = with_pattern<StorageC>(pattern, A.num_rows, B.num_cols, layout);
  const std::size_t num_values = layout == TileLayout::packed
                                     ? C.num_entries
                                     : C.tile_columns.extent(0) * std::size_t(tile_places);
  C.values = allocate<StorageC>(exec, "tessera::spgemm::values", num_values);
  made.num_tiles_A = A.num_tiles;
  made.num_tiles_B = B.num_tiles;
  made.num_tiles_C = C.num_tiles();
  plan = made;
  return C;
}

template <class StorageA, class StorageB, class StorageC, class Space>
void spgemm_numeric(const Space& exec, const MbsrSpgemmPlan<Space>& plan,
                    const MbsrView<StorageA, Space>& A, const MbsrView<StorageB, Space>& B,
                    const Mbsr<StorageC, Space>& C) {
  using namespace spgemm_detail;
  require_product_shapes(A.num_rows, A.num_cols, B.num_rows, B.num_cols);
  require(C.num_rows == A.num_rows && C.num_cols == B.num_cols, [&] {
    return "C is to be " + shape_text(A.num_rows, B.num_cols) + ", but is " +
           shape_text(C.num_rows, C.num_cols);
  });
  require_tiles("A", A.num_tiles, plan.num_tiles_A);
  require_tiles("B", B.num_tiles, plan.num_tiles_B);
  require_tiles("C", C.num_tiles(), plan.num_tiles_C);
  if (plan.by_teams) {
    require(B.layout == TileLayout::dense || plan.b_starts.extent(0) == B.maps.extent(0),
            [] { return std::string("B is packed, but the plan was made for a dense B"); });
    sum_tiles_by_teams(exec, plan, A, B, C);
  } else if constexpr (is_host_space<Space>) {
    sum_tiles_by_threads(exec, plan, A, B, C);
  }
}

#define TESSERA_INSTANTIATE(A, B, C, Space)                     \
  TESSERA_INSTANTIATE_FUNCTION(spgemm_symbolic, C, A, B, Space) \
  TESSERA_INSTANTIATE_FUNCTION(spgemm_numeric, A, B, C, Space)
TESSERA_FOR_EACH_TILE_PRODUCT(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
