// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The list of storage formats: what there is of each, in the order in which users read them.
#pragma once

#include "tessera/kernels/spmv/coo/coo_format.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"
#include "tessera/kernels/spmv/ell/ell_format.hpp"
#include "tessera/kernels/spmv/hyb/hyb_format.hpp"
#include "tessera/kernels/spmv/mbsr/mbsr_format.hpp"

/// Calls `M(Matrix, ...)` for every format beside CSR, whose matrix is `kernels::Matrix<Storage,
/// Space>`, and whose trait is `kernels::MatrixFormat`. The first of those that move as few bytes
/// is chosen.
#define TESSERA_FOR_EACH_FORMAT_BESIDE_CSR(M, ...) \
  M(Mbsr, __VA_ARGS__)                             \
  M(Ell, __VA_ARGS__)                              \
  M(Hyb, __VA_ARGS__)                              \
  M(Coo, __VA_ARGS__)

namespace tessera::kernels {

/// Calls `function.template operator()<Format>()` with the trait of every format, CSR first.
template <class Function>
constexpr void for_each_format(const Function& function) {
  function.template operator()<CsrFormat>();
#define TESSERA_DETAIL_CALL(Matrix, ...) function.template operator()<Matrix##Format>();
  TESSERA_FOR_EACH_FORMAT_BESIDE_CSR(TESSERA_DETAIL_CALL, )
#undef TESSERA_DETAIL_CALL
}

/// How many there are.
constexpr std::size_t count_formats() {
  std::size_t count = 0;
  for_each_format([&count]<class Format>() { ++count; });
  return count;
}

}  // namespace tessera::kernels
