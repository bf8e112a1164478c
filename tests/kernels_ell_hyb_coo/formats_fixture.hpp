// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix with vectors, on the host and on the device, for the tests of COO, ELL, HYB and of
/// CSR in mixed precision.
#pragma once

#include "support/expected_products.hpp"
#include "support/mbsr.hpp"
#include "support/share.hpp"

#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/coo.hpp"
#include "tessera/kernels/format/ell.hpp"
#include "tessera/kernels/format/hyb.hpp"

namespace tessera::test {

inline std::vector<HostMatrix<double>> format_matrices() { return many_team_matrices<double>(5); }

/// True where `csr_to_ell` takes the matrix.
inline bool fits_ell(const HostMatrix<double>& A) {
  std::int64_t longest = 0;
  for (std::int32_t i = 0; i < A.num_rows; ++i)
    longest = std::max(longest, A.offsets[i + 1] - A.offsets[i]);
  return static_cast<double>(longest) * A.num_rows <=
         kernels::max_ell_slots_per_entry * static_cast<double>(A.num_entries()) +
             kernels::ell_free_slots;
}

template <class Param>
struct FormatCase
    : ProductCase<typename Param::Storage, typename Param::Working, typename Param::Space> {
  using Base = ProductCase<typename Param::Storage, typename Param::Working, typename Param::Space>;
  using typename Base::Space;
  using typename Base::Storage;

  double scale;
  kernels::Csr<double, Space> A;

  FormatCase(const HostMatrix<double>& matrix, int columns, double storage_scale = 1)
      : Base(rounded_to<Storage>(matrix, storage_scale), columns),
        scale(storage_scale),
        A(make_csr(this->exec, this->host)) {}
};

/// Calls test(name, view, plan) for every format beside mBSR that holds the matrix of `t`.
template <class Param, class Test>
void for_each_format(const FormatCase<Param>& t, const Test& test) {
  using Storage = typename Param::Storage;
  using kernels::HybStrategy;
  const auto& exec = t.exec;
  kernels::for_each_format([&]<class Format>() {
    constexpr StorageFormat format = Format::value;
    if constexpr (format != StorageFormat::csr && format != StorageFormat::mbsr &&
                  format != StorageFormat::ell && format != StorageFormat::hyb) {
      const auto A = Format::template convert<Storage>(exec, t.A, {.scale = t.scale});
      test(Format::name.data(), A.view(), kernels::analyse_spmv(exec, A.view()));
    }
  });
  if (fits_ell(t.host)) {
    const auto ell = kernels::csr_to_ell<Storage>(exec, t.A.view(), t.scale);
    test("ELL", ell.view(), kernels::analyse_spmv(exec, ell.view()));
  }
  for (const auto& strategy :
       {HybStrategy::fixed(0), HybStrategy::fixed(3), HybStrategy::least_bytes()}) {
    const auto hyb = kernels::csr_to_hyb<Storage>(exec, t.A.view(), strategy, t.scale);
    test("HYB", hyb.view(), kernels::analyse_spmv(exec, hyb.view()));
  }
  if (t.scale != 1) return;  // CSR has none
  const auto csr = kernels::convert_values<Storage>(exec, t.A);
  for (const auto algorithm :
       {kernels::CsrSpmvAlgorithm::classical, kernels::CsrSpmvAlgorithm::load_balanced}) {
    test("CSR", csr.view(), kernels::analyse_spmv(exec, csr.view(), algorithm));
  }
}

}  // namespace tessera::test
