// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"

namespace tessera::kernels {
namespace spgemm_detail {

/// The numeric phase.
template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> multiply_counted(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            const RowWorkspace<Space>& work,
                                            const SizeHistogram& histogram) {
  require_countable<Offset>(histogram.total, "the product");
  const auto offsets = allocate<Offset>(exec, "tessera::spgemm::offsets", A.num_rows + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::spgemm::columns", histogram.total);
  const auto values = allocate<Scalar>(exec, "tessera::spgemm::values", histogram.total);
  offsets_from_counts<Space, Offset>(exec, work.sizes, offsets);
  fill_rows<Scalar, Space, Offset>(exec, A, B, histogram, work, offsets, columns, values);
  return {A.num_rows, B.num_cols, offsets, columns, values};
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> multiply_leaders(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& leaders,
                                            const CsrView<Scalar, Space, Offset>& B,
                                            const RowRuns<Space>& runs, std::int64_t& entries) {
  const RowWorkspace<Space> work(exec, leaders.num_rows);
  count_rows<Space, Offset>(exec, leaders.offsets, leaders.columns, B.offsets, B.columns,
                            B.num_cols, work, runs.bounds);
  const SizesOfRuns sizes =
      sizes_of_runs<Space>(exec, TableFill::three_quarters, work.sizes, runs.run_of);
  entries = sizes.entries;
  return multiply_counted(exec, leaders, B, work, sizes.histogram);
}

}  // namespace spgemm_detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> hash_spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                       const CsrView<Scalar, Space, Offset>& B) {
  using namespace spgemm_detail;
  require_inner_dimension(A, B);
  const RowWorkspace<Space> work(exec, A.num_rows);
  count_rows<Space, Offset>(exec, A.offsets, A.columns, B.offsets, B.columns, B.num_cols, work);
  const SizeHistogram histogram =
      histogram_of_sizes<Space>(exec, TableFill::three_quarters, work.sizes);
  return multiply_counted(exec, A, B, work, histogram);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, hash_spgemm)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, spgemm_detail::multiply_leaders)

}  // namespace tessera::kernels
