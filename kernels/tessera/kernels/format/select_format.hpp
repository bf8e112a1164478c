// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which format suits a matrix: the one whose product moves the fewest bytes, within limits.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/selection_rules.hpp"
#include "tessera/kernels/format/statistics.hpp"
#include "tessera/kernels/format/storage_format.hpp"

#include <cstddef>
#include <string>

namespace tessera::kernels {

struct FormatOptions {
  std::size_t value_bytes = 0;  ///< of a value as it will be stored; 0: of A's own scalar
  /// Of the last cache. A matrix that lies in it is not held up by memory. 0:
  /// `rules::cache_bytes_on_device` or `rules::cache_bytes_on_host`.
  std::size_t cache_bytes = 0;
};

/// What the choice rests on. Bytes are those of one product with one vector, the vectors counted
/// once; infinite where a format cannot hold the matrix.
struct FormatStatistics {
  RowStatistics rows;  ///< lengths of the rows
  Ordinal num_rows = 0;
  std::size_t num_entries = 0;
  double value_bytes = 0;  ///< of a value as it will be stored
  double vector_bytes = 0;  ///< of the two vectors of a product: in all formats' bytes
  std::int64_t num_tiles = 0;  ///< 4 by 4 tiles with an entry
  std::int64_t longest_tile_row = 0;  ///< in tiles
  double mean_tile_row = 0;
  bool sorted = true;
  bool duplicates = false;  ///< a row holds a column twice: mBSR cannot
  double ell_padding = 0;  ///< slots without an entry, over entries
  Ordinal hyb_width = 0;  ///< slots per row of the smallest HYB; found only where rows are uneven
  std::size_t hyb_rest = 0;  ///< entries that it has in COO
  std::size_t cache_bytes = 0;
  double csr_bytes = 0;
  double coo_bytes = 0;
  double ell_bytes = 0;
  double hyb_bytes = 0;
  double mbsr_packed_bytes = 0;
  double mbsr_dense_bytes = 0;

  double entries_per_tile() const {
    return num_tiles == 0 ? 0 : static_cast<double>(num_entries) / static_cast<double>(num_tiles);
  }
  /// Rows that hold up a kernel with a fixed number of threads per row: what `analyse_spmv` of CSR
  /// goes by.
  bool rows_uneven() const {
    return rows.longest > rules::longest_even_row &&
           static_cast<double>(rows.longest) > rules::longest_even_row_over_mean * rows.mean;
  }
  /// The same of tile rows.
  bool tile_rows_uneven() const {
    return longest_tile_row > rules::longest_even_tile_row &&
           static_cast<double>(longest_tile_row) >
               rules::longest_even_row_over_mean * mean_tile_row;
  }
};

struct FormatChoice {
  Format format = Format::csr;
  TileLayout layout = TileLayout::packed;  ///< of mBSR
  bool load_balanced = false;  ///< CSR and mBSR: the kernel for uneven rows is the faster
  /// One line that says why, with the numbers: "mbsr, packed: 4.02 entries per tile, 1.40 GB per
  /// product against 1.74 GB in csr; tile rows even".
  std::string reason;
  FormatStatistics statistics;
};

/// Counts rows, tiles and bytes of `A` in one pass over its columns, and chooses; tiles are counted
/// as mBSR would have them, without building it. Unsorted rows are sorted first, in a copy. Where
/// rows are uneven a few passes over the offsets more find the width of HYB. Waits for its answer.
template <class Scalar, class Space, class Offset>
FormatChoice select_format(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                           const FormatOptions& options = {});

/// The choice from the statistics alone, among the formats of spmv/storage_formats.hpp.
FormatChoice choose_format(const FormatStatistics& statistics, bool on_host);

/// "csr", "mbsr", ...; empty for what is no format of spmv/storage_formats.hpp.
const char* name_of(Format format);

}  // namespace tessera::kernels
