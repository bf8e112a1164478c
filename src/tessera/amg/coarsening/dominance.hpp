// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A second pass of a splitting: fine rows that fine points do not decide become coarse.
#pragma once

#include "tessera/kernels/format/csr.hpp"

#include <cstdint>
#include <vector>

namespace tessera::amg {

/// Makes fine points coarse whose rows are the least dominated by their diagonals within A_ff: a
/// `share` of the fine ones, by the sum of |a_ij| over fine j != i, divided by |a_ii|. Rows without
/// fine neighbours stay fine. Ratios are sorted into 512 bins per unit; of the bin that the share
/// ends in, hashes of their numbers choose points, so that equal rows are spread over the matrix.
/// The DDC pass of S. Dargaville, R. Smedley-Stevenson, P. Smith & C. Pain, "Coarsening and
/// parallelism with reduction multigrids for hyperbolic Boltzmann transport" (arXiv 2408.08262,
/// 2024). `is_coarse` is 1 for coarse points, 0 for fine ones.
///
/// The result depends on the arguments alone, not on the number of threads. Waits once.
template <class Scalar, class Space, class Offset>
void convert_undominated(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                         double share, const NonDeduced<ArrayView<std::int8_t, Space>>& is_coarse);

/// How little their diagonals dominate rows within A_ff.
template <class Space>
struct DominanceBins {
  Array<std::int32_t, Space> bin;  ///< by row; 0 without fine neighbours, below 0 for coarse points
  std::vector<std::int64_t> counts;  ///< fine rows by bin
};

/// The steps of `convert_undominated` where rows are shared out: each process finds the bins of its
/// own, with own columns first, all add up their counts, and then the same rows are converted as
/// by one process. `is_coarse`: by column of A. Waits.
template <class Scalar, class Space, class Offset>
DominanceBins<Space> dominance_bins(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const std::int8_t, Space>>& is_coarse);

/// `first`: the number of row 0 among all rows, of which hashes are.
template <class Space>
void convert_bins(const Space& exec, const DominanceBins<Space>& rows, double share,
                  std::int64_t first, const NonDeduced<ArrayView<std::int8_t, Space>>& is_coarse);

}  // namespace tessera::amg
