// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The choice of an implementation.
#include "tessera/kernels/spgemm/spgemm.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/launch.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"
#include "tessera/kernels/spgemm/selection_rules.hpp"
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

namespace tessera::kernels {

namespace spgemm_detail {

template <class Scalar, class Space, class Offset>
void require_shape_of_product(const CsrView<Scalar, Space, Offset>& A,
                              const CsrView<Scalar, Space, Offset>& B,
                              const Csr<Scalar, Space, Offset>& C) {
  require_inner_dimension(A, B);
  require(C.num_rows == A.num_rows && C.num_cols == B.num_cols, [&] {
    return "C is to be " + shape_text(A.num_rows, B.num_cols) + ", but is " +
           shape_text(C.num_rows, C.num_cols);
  });
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> spgemm_automatic(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            RowRuns<Space>* kept = nullptr) {
  if (A.num_rows >= rules::min_rows_with_runs) {
    if (auto C = repeat_rows_spgemm(exec, A, B, A.num_rows / rules::min_rows_per_run, kept))
      return *C;
  }
  return hash_spgemm(exec, A, B);
}

}  // namespace spgemm_detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                  const CsrView<Scalar, Space, Offset>& B,
                                  SpgemmAlgorithm algorithm) {
  if (algorithm == SpgemmAlgorithm::repeat_rows)
    return repeat_rows_spgemm(exec, A, B, A.num_rows)  // NOLINT(bugprone-unchecked-optional-access)
        .value();
  if constexpr (is_host_space<Space>) {
    return gustavson_spgemm(exec, A, B);
  } else {
    return algorithm == SpgemmAlgorithm::hash ? hash_spgemm(exec, A, B)
                                              : spgemm_detail::spgemm_automatic(exec, A, B);
  }
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                  const CsrView<Scalar, Space, Offset>& B,
                                  SpgemmPlan<Space>& plan) {
  plan = {};
  if constexpr (is_host_space<Space>) {
    return gustavson_spgemm(exec, A, B);
  } else {
    spgemm_detail::RowRuns<Space> runs;
    auto C = spgemm_detail::spgemm_automatic(exec, A, B, &runs);
    if (runs.num_runs > 0)
      plan.runs = std::make_shared<const spgemm_detail::RowRuns<Space>>(std::move(runs));
    return C;
  }
}

template <class Scalar, class Space, class Offset>
void spgemm_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                    const CsrView<Scalar, Space, Offset>& B, const Csr<Scalar, Space, Offset>& C) {
  spgemm_detail::require_shape_of_product(A, B, C);
  if constexpr (is_host_space<Space>) {
    gustavson_numeric(exec, A, B, C);
  } else {
    spgemm_detail::refill_rows<Scalar, Space, Offset>(exec, A, B, C.view(), C.values);
  }
}

template <class Scalar, class Space, class Offset>
void spgemm_numeric(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                    const CsrView<Scalar, Space, Offset>& B, const Csr<Scalar, Space, Offset>& C,
                    const SpgemmPlan<Space>& plan) {
  if (plan.runs == nullptr) return spgemm_numeric(exec, A, B, C);
  spgemm_detail::require_shape_of_product(A, B, C);
  const auto num_rows = static_cast<std::size_t>(A.num_rows);
  require(plan.runs->run_of.extent(0) == num_rows, [&] {
    return "the plan is of a product of " + std::to_string(plan.runs->run_of.extent(0)) +
           " rows; expected one of " + std::to_string(num_rows);
  });
  spgemm_detail::refill_runs<Scalar, Space, Offset>(exec, A, B, *plan.runs, C.view(), C.values);
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template Csr<SCALAR, SPACE, OFFSET> spgemm(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, \
                                             const CsrView<SCALAR, SPACE, OFFSET>&,               \
                                             SpgemmAlgorithm);                                    \
  template Csr<SCALAR, SPACE, OFFSET> spgemm(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, \
                                             const CsrView<SCALAR, SPACE, OFFSET>&,               \
                                             SpgemmPlan<SPACE>&);                                 \
  template void spgemm_numeric(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,               \
                               const CsrView<SCALAR, SPACE, OFFSET>&,                             \
                               const Csr<SCALAR, SPACE, OFFSET>&);                                \
  template void spgemm_numeric(const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&,               \
                               const CsrView<SCALAR, SPACE, OFFSET>&,                             \
                               const Csr<SCALAR, SPACE, OFFSET>&, const SpgemmPlan<SPACE>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
