// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR as a storage format (spmv/format_traits.hpp), and the plan of its products.
#pragma once

#include "tessera/kernels/execution/planned_launches.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/spmv/column_patterns.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"
#include "tessera/kernels/spmv/planned_pattern.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace tessera::kernels {

/// Which CSR kernel runs.
enum class CsrSpmvAlgorithm {
  classical,  ///< a fixed number of threads per row (hypre paper, section 2)
  staged,  ///< the same, rows brought to shared memory first; where `has_staged_csr_spmv`
  load_balanced,  ///< the same number of entries per team (Ginkgo thesis, chapter 4)
  column_patterns  ///< staged, or on a host classical, with the columns of ColumnPatterns
};

/// Whether products in `Space` can use `CsrSpmvAlgorithm::staged`: on GPUs with a bulk copy engine.
/// It serves matrices and vectors of one scalar, and matrices in 16 bits with vectors of float; a
/// plan for it multiplies several vectors, other pairs of scalars, and arrays that are not aligned
/// to 16 bytes by `classical`.
template <class Space>
bool has_staged_csr_spmv();

/// The choice of kernel for one pattern, made once by `analyse_spmv`. It serves every matrix whose
/// rows are as long, and with column patterns every one that has its columns, too, in any
/// precision; products throw `Error` (precondition) for others. It depends on the matrix alone,
/// never on a host's number of threads. A load-balanced plan holds the workspace of its products,
/// and a staged one that of `spmv_dot`: such a plan serves one of them at a time.
template <class Space>
struct CsrSpmvPlan {
  CsrSpmvAlgorithm algorithm = CsrSpmvAlgorithm::classical;
  int threads_per_row = 1;  ///< a power of two up to the width of a warp; 1 on a host
  int staged_lanes = 0;  ///< staged only: lanes per row, 1, 2, 4 or 8
  /// Staged only: rows per lane, 1, or 2 where rows are short, or 4 with column patterns.
  int staged_rows = 0;
  std::int32_t part_entries = 0;  ///< staged only: the most entries of one warp's rows
  std::size_t entries_per_team = 0;  ///< load-balanced only: entries plus row ends
  Array<Ordinal, Space> first_row;  ///< load-balanced only: the row that each team finishes first
  /// Load-balanced: partial sums of rows in several teams; staged, of a square matrix: the warps'
  /// shares of an inner product.
  Array<std::byte, Space> workspace;
  ColumnPatterns<Space> patterns;  ///< column patterns only
  PlannedLaunches<int> launches;  ///< staged: the number of blocks of each kernel
  PlannedPattern pattern;  ///< that was analysed
};

/// Picks algorithm and threads per row from the mean and the largest row length (one device pass).
template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A);

/// The same for an algorithm chosen by the caller. `lanes` a row of staged kernels: 1, 2, 4 or 8;
/// with 1 the `rows` a lane may be 1 or 2, and with column patterns 4; 0: they are chosen, and
/// `rows` beside chosen lanes is 1. Column patterns that are asked for are used however few rows
/// have one.
///
/// Throws `Error` (precondition) for `staged` where the space has none, for other numbers of lanes
/// and rows, and for column patterns of more entries than 32 bits count.
template <class Scalar, class Space, class Offset>
CsrSpmvPlan<Space> analyse_spmv(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                CsrSpmvAlgorithm algorithm, int lanes = 0, int rows = 0);

/// What `analyse_spmv` makes of each of three matrices, such as a level's P, R and coarse operator,
/// in one pass: a device is waited for once instead of three times.
template <class Scalar, class Space, class Offset>
std::array<CsrSpmvPlan<Space>, 3> analyse_spmv_together(
    const Space& exec, const std::array<CsrView<Scalar, Space, Offset>, 3>& matrices);

struct CsrFormat {
  static constexpr StorageFormat value = StorageFormat::csr;
  static constexpr std::string_view name = "csr";
  static constexpr std::string_view text = "compressed sparse rows";

  /// Has no scale. The pattern is shared, and so are values that stay as they are.
  template <class Storage, class Scalar, class Space, class Offset>
  static Csr<Storage, Space, Offset> convert(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                                             const Conversion& = {}) {
    if constexpr (std::is_same_v<Storage, Scalar>) {
      return A;
    } else {
      return convert_values<Storage>(exec, A);
    }
  }

  template <class Storage, class Space, class Offset>
  static std::size_t bytes(const Csr<Storage, Space, Offset>& A) {
    return A.offsets.span() * sizeof(Offset) + A.columns.span() * sizeof(Ordinal) +
           A.values.span() * sizeof(Storage);
  }

  template <class Working, class Matrix, class Space>
  static std::string kernel_name(const Matrix&, const CsrSpmvPlan<Space>& plan) {
    switch (plan.algorithm) {
      case CsrSpmvAlgorithm::staged:
        return detail::with_lanes("staged", plan.staged_lanes, "row");
      case CsrSpmvAlgorithm::column_patterns:
        return detail::with_lanes("column patterns", plan.staged_lanes, "row");
      case CsrSpmvAlgorithm::load_balanced:
        return "load-balanced";
      case CsrSpmvAlgorithm::classical:
        break;
    }
    return detail::with_lanes("rows", plan.threads_per_row, "row");
  }

  static FormatEstimate estimate(const FormatStatistics& s) {
    return {.bytes = s.csr_bytes,
            .title = std::string(name),
            .remark = detail::text_of(s.entries_per_tile(), 2) + " entries per tile",
            .row_remark = detail::evenness("rows", s.rows_uneven(), s.rows.longest, s.rows.mean),
            .load_balanced = s.rows_uneven()};
  }
};

template <class Storage, class Space, class Offset>
struct FormatOf<Csr<Storage, Space, Offset>> {
  using type = CsrFormat;
  using storage_type = Storage;
};

template <class Storage, class Space, class Offset>
struct detail::PlanOf<CsrView<Storage, Space, Offset>> {
  using type = CsrSpmvPlan<Space>;
};

}  // namespace tessera::kernels
