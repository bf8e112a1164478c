// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// ELL as a storage format (spmv/format_traits.hpp), and the plan of its products.
#pragma once

#include "tessera/kernels/format/ell.hpp"
#include "tessera/kernels/spmv/format_traits.hpp"

namespace tessera::kernels {

/// How many threads share the slots of a row: more than one where a device would have more threads
/// than the matrix has rows (Ginkgo thesis, section 4.1.3, algorithm 15). That depends on no
/// pattern: a plan serves every matrix.
struct EllSpmvPlan {
  int threads_per_row = 1;  ///< up to 16; 1 on a host
};

/// Reads no memory of the device.
template <class Storage, class Space>
EllSpmvPlan analyse_spmv(const Space& exec, const EllView<Storage, Space>& A);

struct EllFormat {
  static constexpr StorageFormat value = StorageFormat::ell;
  static constexpr std::string_view name = "ell";
  static constexpr std::string_view text = "as many slots for each row; for rows of one length";

  template <class Storage, class Scalar, class Space, class Offset>
  static Ell<Storage, Space> convert(const Space& exec, const Csr<Scalar, Space, Offset>& A,
                                     const Conversion& how = {}) {
    return csr_to_ell<Storage>(exec, A.view(), how.scale);
  }

  template <class Storage, class Space>
  static std::size_t bytes(const Ell<Storage, Space>& A) {
    return A.bytes();
  }

  template <class Working, class Matrix>
  static std::string kernel_name(const Matrix&, const EllSpmvPlan& plan) {
    return detail::with_lanes("rows", plan.threads_per_row, "row");
  }

  static FormatEstimate estimate(const FormatStatistics& s) {
    if (s.ell_padding > rules::max_ell_padding) return {};
    return {.bytes = s.ell_bytes,
            .title = std::string(name),
            .remark = std::to_string(s.rows.longest) + " slots per row, " +
                      detail::text_of(100 * s.ell_padding, 1) + " % padding"};
  }
};

template <class Storage, class Space>
struct FormatOf<Ell<Storage, Space>> {
  using type = EllFormat;
  using storage_type = Storage;
};

template <class Storage, class Space>
struct detail::PlanOf<EllView<Storage, Space>> {
  using type = EllSpmvPlan;
};

}  // namespace tessera::kernels
