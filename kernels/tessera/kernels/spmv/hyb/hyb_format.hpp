// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// HYB as a storage format (spmv/format_traits.hpp).
#pragma once

#include "tessera/kernels/format/hyb/convert.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"
#include "tessera/kernels/spmv/hyb/hyb_spmv.hpp"

namespace tessera::kernels {

struct HybFormat {
  static constexpr StorageFormat value = StorageFormat::hyb;
  static constexpr std::string_view name = "hyb";
  static constexpr std::string_view text = "ell for most of each row, coo for the rest";

  template <class Storage, class Scalar, class Space, class Offset>
  static Hyb<Storage, Space> convert(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                                     const Conversion& how = {}) {
    return csr_to_hyb<Storage>(exec, A.view(), HybStrategy::least_bytes(), how.scale);
  }

  template <class Storage, class Space>
  static std::size_t bytes(const Hyb<Storage, Space>& A) {
    return A.bytes();
  }

  template <class Working, class Matrix, class Space>
  static std::string kernel_name(const Matrix&, const HybSpmvPlan<Space>& plan) {
    return detail::with_lanes("rows and rest", plan.ell.threads_per_row, "row");
  }

  static FormatEstimate estimate(const FormatStatistics& s) {
    if (s.ell_padding <= rules::max_ell_padding) return {};
    return {.bytes = s.hyb_bytes,
            .title = std::string(name),
            .remark = std::to_string(s.hyb_width) + " slots per row and " +
                      std::to_string(s.hyb_rest) + " entries beside"};
  }
};

template <class Storage, class Space>
struct FormatOf<Hyb<Storage, Space>> {
  using type = HybFormat;
  using storage_type = Storage;
};

template <class Storage, class Space>
struct detail::PlanOf<HybView<Storage, Space>> {
  using type = HybSpmvPlan<Space>;
};

}  // namespace tessera::kernels
