// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// HYB, the first slots of every row in ELL and the rest in COO (Ginkgo thesis, sections 2.4.5 and
/// 4.1.4), and CSR to it, on the device.
#pragma once

#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/format/csr.hpp"
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

/// How many slots per row the ELL part of HYB has.
struct HybStrategy {
  enum class Width {
    quantile,  ///< the least that more than a share `quantile` of the rows do not exceed
    least_bytes,  ///< as many as make the whole matrix smallest
    fixed  ///< `slots`
  };
  Width width = Width::quantile;
  /// The Ginkgo thesis (section 4.1.4) takes a third.
  double quantile = 1.0 / 3;
  /// The largest number of slots per row, over the number of rows: a short matrix with long rows
  /// has too few rows to keep a device busy. The Ginkgo thesis takes 1e-4; infinity sets no limit.
  double max_slots_per_row_count = 1e-4;
  Ordinal slots = 0;

  static HybStrategy least_bytes() { return {.width = Width::least_bytes}; }
  static HybStrategy fixed(Ordinal slots) { return {.width = Width::fixed, .slots = slots}; }
};

/// The number of slots per row that `strategy` chooses for `A` with values of `value_bytes` bytes:
/// a few passes over the offsets, each of which waits for its answer.
template <class Scalar, class Space, class Offset>
Ordinal hyb_width(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                  const HybStrategy& strategy, std::size_t value_bytes);

/// `A` in HYB, each entry stored as value / scale rounded to `Storage`; `scale` is a power of two.
/// The entries of a row keep their order. Throws where the slots of the ELL part are nearly all
/// padding (see `max_ell_slots_per_entry`).
template <class Storage, class Scalar, class Space, class Offset>
Hyb<Storage, Space> csr_to_hyb(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               const HybStrategy& strategy = {}, double scale = 1);

}  // namespace tessera::kernels
