// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Grouping of classes, and the instances of row_bins.hpp.

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/row_bins_impl.hpp"

namespace tessera::kernels::spgemm_detail {

std::vector<RowBin> group_classes(const SizeHistogram& histogram, int max_log2_slots) {
  Ordinal num_rows = 0;
  for (const Ordinal rows : histogram.rows)
    num_rows += rows;
  const Ordinal few = std::max<Ordinal>(2048, num_rows / 16);

  std::vector<RowBin> bins;
  Ordinal first = 0;
  for (int c = 0; c < num_classes; ++c) {
    const Ordinal rows = histogram.rows[c];
    if (rows == 0) continue;
    const int log2_slots = smallest_log2_slots + c;
    const bool in_scratch = c < num_classes - 1 && log2_slots <= max_log2_slots;
    const bool joins =
        !bins.empty() && (bins.back().in_scratch ? in_scratch && bins.back().count < few &&
                                                       log2_slots - bins.back().log2_slots <= 2
                                                 : true);
    if (!joins) bins.push_back({log2_slots, in_scratch, c, c, first, 0});
    bins.back().log2_slots = log2_slots;
    bins.back().last_class = c;
    bins.back().count += rows;
    first += rows;
  }
  return bins;
}

#define TESSERA_INSTANTIATE_SPACE(SPACE)                                                    \
  template SizeHistogram histogram_of_sizes(const SPACE&, TableFill,                        \
                                            const ArrayView<const Ordinal, SPACE>&);        \
  template std::int64_t sum_of_sizes(const SPACE&, const ArrayView<const Ordinal, SPACE>&); \
  template RowBins<SPACE> bin_rows(const SPACE&, TableFill, const SizeHistogram&, int,      \
                                   const ArrayView<const Ordinal, SPACE>&,                  \
                                   const Array<Ordinal, SPACE>&);                           \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int32_t)                                           \
  TESSERA_INSTANTIATE_OFFSET(SPACE, std::int64_t)

#define TESSERA_INSTANTIATE_OFFSET(SPACE, OFFSET)                                                  \
  template void bound_row_sizes(                                                                   \
      const SPACE&, const ArrayView<const OFFSET, SPACE>&, const ArrayView<const Ordinal, SPACE>&, \
      const ArrayView<const OFFSET, SPACE>&, Ordinal, const ArrayView<Ordinal, SPACE>&);           \
  template void offsets_from_counts(const SPACE&, const ArrayView<const Ordinal, SPACE>&,          \
                                    const ArrayView<OFFSET, SPACE>&);

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_SPACE)
#undef TESSERA_INSTANTIATE_OFFSET
#undef TESSERA_INSTANTIATE_SPACE

}  // namespace tessera::kernels::spgemm_detail
