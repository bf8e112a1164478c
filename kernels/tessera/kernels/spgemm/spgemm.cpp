// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The choice of an implementation.
#include "tessera/kernels/spgemm/spgemm.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/detail/refill_rows.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"
#include "tessera/kernels/spgemm/expand_sort_compress.hpp"
#include "tessera/kernels/spgemm/gustavson_spgemm.hpp"
#include "tessera/kernels/spgemm/hash_spgemm.hpp"
#include "tessera/kernels/spgemm/repeat_rows_spgemm.hpp"

namespace tessera::kernels {

namespace spgemm_detail {

/// Runs are not looked for among fewer rows: the launches of doing so cost more than the product.
inline constexpr Ordinal fewest_rows_with_runs = 100000;

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> spgemm_automatic(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& B) {
  if (A.num_rows >= fewest_rows_with_runs) {
    if (auto C = repeat_rows_spgemm(exec, A, B, A.num_rows / 3)) return *C;
  }
  return hash_spgemm(exec, A, B);
}

}  // namespace spgemm_detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                  const CsrView<Scalar, Space, Offset>& B,
                                  SpgemmAlgorithm algorithm) {
  if (algorithm == SpgemmAlgorithm::expand_sort_compress)
    return expand_sort_compress_spgemm(exec, A, B);
  if (algorithm == SpgemmAlgorithm::repeat_rows) return *repeat_rows_spgemm(exec, A, B, A.num_rows);
  if constexpr (is_host_space<Space>) {
    return gustavson_spgemm(exec, A, B);
  } else {
    return algorithm == SpgemmAlgorithm::hash ? hash_spgemm(exec, A, B)
                                              : spgemm_detail::spgemm_automatic(exec, A, B);
  }
}

template <class Scalar, class Space, class Offset>
void spgemm_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                    const CsrView<Scalar, Space, Offset>& B, const Csr<Scalar, Space, Offset>& C) {
  spgemm_detail::require_inner_dimension(A, B);
  require(C.num_rows == A.num_rows && C.num_cols == B.num_cols, [&] {
    return "C is to be " + spgemm_detail::shape_text(A.num_rows, B.num_cols) + ", but is " +
           spgemm_detail::shape_text(C.num_rows, C.num_cols);
  });
  if constexpr (is_host_space<Space>) {
    gustavson_numeric(exec, A, B, C);
  } else {
    spgemm_detail::refill_rows<Scalar, Space, Offset>(exec, A, B, C.view(), C.values);
  }
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template Csr<SCALAR, SPACE, OFFSET> spgemm(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, \
                                             const CsrView<SCALAR, SPACE, OFFSET>&,               \
                                             SpgemmAlgorithm);                                    \
  template void spgemm_numeric(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,               \
                               const CsrView<SCALAR, SPACE, OFFSET>&,                             \
                               const Csr<SCALAR, SPACE, OFFSET>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
