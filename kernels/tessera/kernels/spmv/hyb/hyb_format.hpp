// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// HYB as a storage format (spmv/format_traits.hpp), and the plan of its products.
#pragma once

#include "tessera/kernels/format/hyb.hpp"
#include "tessera/kernels/spmv/coo/coo_format.hpp"
#include "tessera/kernels/spmv/ell/ell_format.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"

#include <cstddef>
#include <cstdint>

namespace tessera::kernels {

/// The plans of both parts, and how the ELL part finds the sums of the COO part: a bit for every
/// row that has one, with the number of such rows before each word of bits. Products throw `Error`
/// (precondition) for a matrix whose COO part has other row numbers. It holds the workspace of its
/// products, so one plan serves one product at a time.
template <class Space>
struct HybSpmvPlan {
  EllSpmvPlan ell;
  CooSpmvPlan<Space> coo;
  Array<const std::uint32_t, Space> long_rows;  ///< bit i % 32 of word i / 32: row i is in COO
  Array<const Ordinal, Space> long_rows_before;  ///< those before each word
  Ordinal num_long_rows = 0;
  Array<std::byte, Space> workspace;  ///< their sums
};

/// Divides the entries of the COO part and lists its rows (a pass over its row numbers; waits).
template <class Storage, class Space>
HybSpmvPlan<Space> analyse_spmv(const Space& exec, const HybView<Storage, Space>& A);

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
