// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR as a storage format (spmv/format_traits.hpp).
#pragma once

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/spmv/csr/csr_spmv.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"

#include <type_traits>

namespace tessera::kernels {

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
