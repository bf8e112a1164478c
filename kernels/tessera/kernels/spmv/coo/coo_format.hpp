// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// COO as a storage format (spmv/format_traits.hpp), and the plan of its products.
#pragma once

#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"
#include "tessera/kernels/spmv/planned_pattern.hpp"

#include <cstddef>

namespace tessera::kernels {

/// An equal number of entries per team (Ginkgo thesis, section 4.1.2), for one pattern: products
/// throw `Error` (precondition) for a matrix with other row numbers. It holds the workspace of its
/// products, so one plan serves one product at a time.
template <class Space>
struct CooSpmvPlan {
  Ordinal num_rows = 0;
  std::size_t num_entries = 0;
  std::size_t entries_per_team = 0;
  int teams = 0;
  Array<const Ordinal, Space> empty_rows;  ///< the rows that no entry leads to
  Array<std::byte, Space> workspace;  ///< partial sums of rows in several teams
  PlannedPattern pattern;  ///< that was analysed
};

/// Divides the entries, and lists the empty rows (a pass over the row numbers; waits for it).
template <class Storage, class Space>
CooSpmvPlan<Space> analyse_spmv(const Space& exec, const CooView<Storage, Space>& A);

struct CooFormat {
  static constexpr StorageFormat value = StorageFormat::coo;
  static constexpr std::string_view name = "coo";
  static constexpr std::string_view text = "row, column and value of each entry";

  template <class Storage, class Scalar, class Space, class Offset>
  static Coo<Storage, Space> convert(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                                     const Conversion& how = {}) {
    return csr_to_coo<Storage>(exec, A.view(), how.scale);
  }

  template <class Storage, class Space>
  static std::size_t bytes(const Coo<Storage, Space>& A) {
    return A.bytes();
  }

  template <class Working, class Matrix, class Space>
  static std::string kernel_name(const Matrix&, const CooSpmvPlan<Space>&) {
    return "segmented sums";
  }

  static FormatEstimate estimate(const FormatStatistics& s) {
    return {.bytes = s.coo_bytes,
            .title = std::string(name),
            .remark = detail::text_of(s.rows.mean, 2) + " entries per row, " +
                      std::to_string(s.rows.empty_rows) + " rows empty"};
  }
};

template <class Storage, class Space>
struct FormatOf<Coo<Storage, Space>> {
  using type = CooFormat;
  using storage_type = Storage;
};

template <class Storage, class Space>
struct detail::PlanOf<CooView<Storage, Space>> {
  using type = CooSpmvPlan<Space>;
};

}  // namespace tessera::kernels
