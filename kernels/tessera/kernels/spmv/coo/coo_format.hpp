// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// COO as a storage format (spmv/format_traits.hpp).
#pragma once

#include "tessera/kernels/format/coo/convert.hpp"
#include "tessera/kernels/spmv/coo/coo_spmv.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"

namespace tessera::kernels {

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
