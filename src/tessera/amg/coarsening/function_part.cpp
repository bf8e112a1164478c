// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/function_part.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offsets.hpp"

namespace tessera::amg {

template <class Space>
Array<const Ordinal, Space> functions_of_nodes(const Space& exec, Ordinal n, int block_size) {
  const auto functions = allocate<Ordinal>(exec, "tessera::amg::functions", n);
  Kokkos::parallel_for(
      "tessera::amg::functions_of_nodes", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i) { functions(i) = i % block_size; });
  return functions;
}

template <class Space>
Array<const Ordinal, Space> functions_of_coarse_points(
    const Space& exec, const Array<const Ordinal, Space>& functions,
    const Array<const Ordinal, Space>& coarse_number, Ordinal num_coarse) {
  const auto of_coarse = allocate<Ordinal>(exec, "tessera::amg::functions", num_coarse);
  Kokkos::parallel_for(
      "tessera::amg::functions_of_coarse_points",
      Kokkos::RangePolicy<Space>(exec, 0, coarse_number.extent(0)), KOKKOS_LAMBDA(const Ordinal i) {
        if (coarse_number(i) >= 0) of_coarse(coarse_number(i)) = functions(i);
      });
  return of_coarse;
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> function_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const Array<const Ordinal, Space>& functions) {
  const auto offsets = allocate<Offset>(exec, "tessera::amg::function_offsets", A.num_rows + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
  Kokkos::parallel_for(
      "tessera::amg::count_function_part", rows, KOKKOS_LAMBDA(const Ordinal i) {
        Offset count = 0;
        for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k)
          count += functions(A.columns(k)) == functions(i) ? 1 : 0;
        offsets(i) = count;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::amg::function_columns", total);
  Kokkos::parallel_for(
      "tessera::amg::function_columns", rows, KOKKOS_LAMBDA(const Ordinal i) {
        Offset at = offsets(i);
        for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
          if (functions(A.columns(k)) == functions(i)) columns(at++) = A.columns(k);
        }
      });
  return {A.num_rows, A.num_cols, offsets, columns, {}};
}

template <class Scalar, class Space, class Offset>
void fill_function_part(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                        const Array<const Ordinal, Space>& functions,
                        kernels::Csr<Scalar, Space, Offset>& part) {
  part.values = allocate<Scalar>(exec, "tessera::amg::function_values", part.num_entries());
  const auto offsets = part.offsets;
  const auto values = part.values;
  Kokkos::parallel_for(
      "tessera::amg::function_values", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        Offset at = offsets(i);
        for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
          if (functions(A.columns(k)) == functions(i)) values(at++) = A.values(k);
        }
      });
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, functions_of_nodes)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, functions_of_coarse_points)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, function_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_function_part)

}  // namespace tessera::amg
