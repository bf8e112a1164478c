// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// HYB, the first slots of every row in ELL and the rest in COO (Ginkgo thesis, sections 2.4.5 and
/// 4.1.4).
#pragma once

#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/format/ell.hpp"

namespace tessera::kernels {

/// A matrix in two parts of the same shape and scale, not owned: a row has entries in `coo` only
/// where all its slots of `ell` are taken.
template <class Storage, class Space>
struct HybView {
  using storage_type = Storage;
  using execution_space = Space;

  Ordinal num_rows = 0;
  Ordinal num_cols = 0;
  std::size_t num_entries = 0;
  EllView<Storage, Space> ell;
  CooView<Storage, Space> coo;
};

/// The same with ownership shared through Kokkos Views.
template <class Storage, class Space>
struct Hyb {
  using storage_type = Storage;
  using execution_space = Space;

  Ell<Storage, Space> ell;
  Coo<Storage, Space> coo;

  std::size_t num_entries() const { return ell.num_entries + coo.num_entries(); }
  /// Bytes of all arrays.
  std::size_t bytes() const { return ell.bytes() + coo.bytes(); }

  HybView<Storage, Space> view() const {
    return {ell.num_rows, ell.num_cols, num_entries(), ell.view(), coo.view()};
  }
};

}  // namespace tessera::kernels
