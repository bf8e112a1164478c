// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A sparse product of which the largest entries of each row are kept.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <optional>

namespace tessera::kernels {

/// What is kept of a row.
struct RowTruncation {
  static constexpr int max_kept = 8;

  double factor = 0;  ///< of the largest magnitude: no smaller entry is kept
  int max_entries = 0;  ///< 1 to max_kept: so many of the largest magnitudes at most
  double cancelling_share = 0;  ///< of the kept magnitudes: a sum of no more is not scaled by
};

/// How large a table a row is given; by default as was quickest on a device.
struct TableEstimate {
  Ordinal min_sampled_rows = 8192;  ///< of fewer rows each has a large table, and none is sampled
  double slack = 1.25;  ///< over the entries that sampled rows lead to expect
  double added = 8;  ///< entries more
};

/// A B with its rows truncated where they are summed, in the hash table, so that A B itself is
/// never stored and its rows are not counted first. Zeros are not kept; of equal magnitudes, which
/// are compared as floats, the first column is; what is kept is scaled to the sum of the whole row.
///
/// The entries are those of truncating `spgemm`'s product: sums run in A's order, and what is kept,
/// and the sums that it is scaled by, are looked for in the order of columns. On a host bits are
/// the same; on a device the two may round a product and the sum that takes it differently.
///
/// How long a row will be is estimated by 2048 of them. One that outgrows its table is summed again
/// in the largest. Nothing where that does not do, where rows are too long for a group of lanes,
/// where there are none, and for other `max_entries`. Beside the result, memory for `max_entries`
/// of each row. Waits for the device once, twice where rows are sampled, and once more where some
/// are summed again. Throws as `spgemm`.
template <class Scalar, class Space, class Offset>
std::optional<Csr<Scalar, Space, Offset>> truncated_spgemm(const Space& exec,
                                                           const CsrView<Scalar, Space, Offset>& A,
                                                           const CsrView<Scalar, Space, Offset>& B,
                                                           const RowTruncation& truncation,
                                                           const TableEstimate& estimate = {});

}  // namespace tessera::kernels
