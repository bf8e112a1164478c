// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/hash_spgemm.hpp"

#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/offset_overflow.hpp"
#include "tessera/kernels/spgemm/detail/count_rows.hpp"
#include "tessera/kernels/spgemm/detail/fill_rows.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"

namespace tessera::kernels {

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> hash_spgemm(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                                       const CsrView<Scalar, Space, Offset>& B) {
  using namespace spgemm_detail;
  require_inner_dimension(A, B);
  const RowWorkspace<Space> work(exec, A.num_rows);
  count_rows<Space, Offset>(exec, A.offsets, A.columns, B.offsets, B.columns, B.num_cols, work);
  const SizeHistogram histogram =
      histogram_of_sizes<Space>(exec, TableFill::three_quarters, work.sizes);
  require_countable<Offset>(histogram.total, "the product");

  const auto offsets = allocate<Offset>(exec, "tessera::spgemm::offsets", A.num_rows + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::spgemm::columns", histogram.total);
  const auto values = allocate<Scalar>(exec, "tessera::spgemm::values", histogram.total);
  offsets_from_counts<Space, Offset>(exec, work.sizes, offsets);
  fill_rows<Scalar, Space, Offset>(exec, A, B, histogram, work, offsets, columns, values);
  return {A.num_rows, B.num_cols, offsets, columns, values};
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET) \
  template Csr<SCALAR, SPACE, OFFSET> hash_spgemm( \
      const SPACE&, const CsrView<SCALAR, SPACE, OFFSET>&, const CsrView<SCALAR, SPACE, OFFSET>&);

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernels
