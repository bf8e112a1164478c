// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Compressed sparse rows: the view that kernels see and the arrays that own the memory.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// A `num_rows` by `num_cols` matrix in compressed sparse rows, not owned. Row `i` is entries
/// `offsets(i)` up to `offsets(i + 1)` of `columns` and `values`.
template <class Scalar, class Space, class Offset = std::int32_t>
struct CsrView {
  using scalar_type = Scalar;
  using execution_space = Space;
  using offset_type = Offset;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;  ///< equals offsets(num_rows), known on the host
  ArrayView<const Offset, Space> offsets;  ///< length num_rows + 1
  ArrayView<const Ordinal, Space> columns;
  ArrayView<const Scalar, Space> values;
};

/// The same with ownership shared through Kokkos Views. Offsets and columns are never changed in
/// place; values may be.
template <class Scalar, class Space, class Offset = std::int32_t>
struct Csr {
  using scalar_type = Scalar;
  using execution_space = Space;
  using offset_type = Offset;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  Array<const Offset, Space> offsets;
  Array<const Ordinal, Space> columns;
  Array<Scalar, Space> values;

  std::size_t num_entries() const { return columns.extent(0); }

  CsrView<Scalar, Space, Offset> view() const {
    return {num_rows, num_cols, num_entries(), offsets, columns, values};
  }
};

/// A graph in compressed rows: `columns` of row `i` are the neighbours of node `i`, without `i`
/// itself.
template <class Space, class Offset = std::int32_t>
struct Graph {
  Ordinal num_nodes = 0;
  Array<const Offset, Space> offsets;
  Array<const Ordinal, Space> columns;

  std::size_t num_edges() const { return columns.extent(0); }
};

}  // namespace tessera::kernels
