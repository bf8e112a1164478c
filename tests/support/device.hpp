// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Between std::vectors on the host and Views in the memory of an execution space.
#pragma once

#include "support/host_matrix.hpp"

#include "tessera/kernels/format/csr.hpp"

namespace tessera::test {

/// A View in the memory of `Space` with the same values.
template <class T, class Space>
Array<T, Space> to_device(const Space& exec, const std::vector<T>& v) {
  auto result = allocate<T>(exec, "tessera::test", v.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      v.data(), v.size());
  Kokkos::deep_copy(exec, result, host);
  exec.fence("tessera::test: copied to the device");
  return result;
}

/// A rank-1 View's values; waits for all work queued before.
template <class View>
std::vector<typename View::non_const_value_type> to_host(const View& v) {
  static_assert(View::rank == 1);
  Kokkos::fence("tessera::test: results are needed on the host");
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  return {mirror.data(), mirror.data() + mirror.extent(0)};
}

/// n by k from column after column.
template <class Scalar, class Space>
MultiVector<Scalar, Space> to_multivector(const Space& exec, const std::vector<Scalar>& v,
                                          std::size_t n, std::size_t k = 1) {
  auto result = allocate_multivector<Scalar>(exec, "tessera::test", n, k);
  const Array<Scalar, Space> flat = to_device(exec, v);
  const ArrayView<Scalar, Space> target(result.data(), n * k);
  Kokkos::deep_copy(exec, target, flat);
  exec.fence("tessera::test: copied to the device");
  return result;
}

/// Column after column.
template <class Scalar, class Memory>
std::vector<Scalar> to_host(const Kokkos::View<Scalar**, Kokkos::LayoutLeft, Memory>& v) {
  Kokkos::fence("tessera::test: results are needed on the host");
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  std::vector<Scalar> result;
  for (std::size_t j = 0; j < mirror.extent(1); ++j) {
    for (std::size_t i = 0; i < mirror.extent(0); ++i)
      result.push_back(mirror(i, j));
  }
  return result;
}

/// The matrix in the memory of `Space`.
template <class Offset = std::int32_t, class Scalar, class Space>
kernels::Csr<Scalar, Space, Offset> make_csr(const Space& exec, const HostMatrix<Scalar>& A) {
  const std::vector<Offset> offsets(A.offsets.begin(), A.offsets.end());
  return {A.num_rows, A.num_cols, to_device(exec, offsets), to_device(exec, A.columns),
          to_device(exec, A.values)};
}

/// The matrix from plain vectors.
template <class Offset = std::int32_t, class Scalar, class Space>
kernels::Csr<Scalar, Space, Offset> make_csr(const Space& exec, Ordinal num_rows, Ordinal num_cols,
                                             const std::vector<std::int64_t>& offsets,
                                             const std::vector<Ordinal>& columns,
                                             const std::vector<Scalar>& values) {
  return make_csr<Offset>(exec, HostMatrix<Scalar>{num_rows, num_cols, offsets, columns, values});
}

/// The same matrix in arrays of its own.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> copy_of(const Space& exec,
                                            const kernels::CsrView<Scalar, Space, Offset>& A) {
  const auto offsets = allocate<Offset>(exec, "tessera::test", A.offsets.extent(0));
  const auto columns = allocate<Ordinal>(exec, "tessera::test", A.columns.extent(0));
  const auto values = allocate<Scalar>(exec, "tessera::test", A.values.extent(0));
  Kokkos::deep_copy(exec, offsets, A.offsets);
  Kokkos::deep_copy(exec, columns, A.columns);
  Kokkos::deep_copy(exec, values, A.values);
  return {A.num_rows, A.num_cols, offsets, columns, values};
}

/// The matrix on the host.
template <class Scalar, class Space, class Offset>
HostMatrix<Scalar> to_host(const kernels::Csr<Scalar, Space, Offset>& A) {
  HostMatrix<Scalar> result;
  result.num_rows = A.num_rows;
  result.num_cols = A.num_cols;
  const auto offsets = to_host(A.offsets);
  result.offsets.assign(offsets.begin(), offsets.end());
  result.columns = to_host(A.columns);
  result.values = to_host(A.values);
  return result;
}

}  // namespace tessera::test
