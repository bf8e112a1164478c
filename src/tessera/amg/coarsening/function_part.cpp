// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/function_part.hpp"

#include "tessera/amg/coarsening/detail/selected_entries.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

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

namespace detail {

/// The entries of a row whose column is of its function.
template <class Scalar, class Space, class Offset>
struct OfOneFunction {
  kernels::CsrView<Scalar, Space, Offset> A;
  Array<const Ordinal, Space> functions;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal i, const Visit& visit) const {
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      if (functions(A.columns(k)) == functions(i)) visit(k);
    }
  }
};

}  // namespace detail

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> function_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const Array<const Ordinal, Space>& functions) {
  return detail::selected_pattern(exec, "tessera::amg::function_part", A.num_rows, A,
                                  detail::OfOneFunction<Scalar, Space, Offset>{A, functions});
}

template <class Scalar, class Space, class Offset>
void fill_function_part(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                        const Array<const Ordinal, Space>& functions,
                        kernels::Csr<Scalar, Space, Offset>& part) {
  detail::copy_selected_values(exec, "tessera::amg::function_part", A,
                               detail::OfOneFunction<Scalar, Space, Offset>{A, functions}, part);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, functions_of_nodes)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, functions_of_coarse_points)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, function_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_function_part)

}  // namespace tessera::amg
