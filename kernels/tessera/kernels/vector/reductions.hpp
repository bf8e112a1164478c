// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Inner products and norms, column by column, left on the device.
#pragma once

#include "tessera/kernels/execution/types.hpp"

namespace tessera::kernels {

/// Into how many chunks a column is cut at most; the number depends on the column's length alone.
inline constexpr int reduction_max_chunks = 1024;

namespace detail {
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
template <class Space>
using ReportSpace =
    std::conditional_t<std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>,
                       Kokkos::HostSpace, Kokkos::SharedHostPinnedSpace>;
#else
template <class Space>
using ReportSpace = Kokkos::HostSpace;
#endif
}  // namespace detail

/// A few numbers that a kernel writes and the host reads after a fence, without a copy: pinned
/// host memory where `Space` is a device.
template <class T, class Space>
using Report = Kokkos::View<T*, detail::ReportSpace<Space>>;

/// The same, unmanaged, as a kernel receives it; may be empty.
template <class T, class Space>
using ReportView =
    Kokkos::View<T*, detail::ReportSpace<Space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Allocates a Report.
template <class T, class Space>
Report<T, Space> allocate_report(const Space& exec, const std::string& label, std::size_t length) {
  return Report<T, Space>(Kokkos::view_alloc(exec, label, Kokkos::WithoutInitializing), length);
}

/// Where reductions keep their partial sums, so that none allocates. One workspace serves one
/// execution-space instance at a time.
template <class Space>
struct ReductionWorkspace {
  Array<double, Space> partials;
  Array<int, Space> finished;  ///< chunks done, per item; zero between launches

  ReductionWorkspace() = default;
  /// Room for reductions of up to `items` columns, each of up to `sums` sums at once.
  ReductionWorkspace(const Space& exec, int items, int sums);
  /// The same in memory of the caller's, `bytes(items, sums)` long, which outlives it.
  ReductionWorkspace(const Space& exec, int items, int sums, void* memory);
  /// A multiple of 128.
  static std::size_t bytes(int items, int sums);
};

/// result(j) = <x_j, y_j>. x and y: n by k; result and, where given, report: k. Sums are taken in
/// double in a fixed order: the same input gives the same bits on any number of threads.
template <class Scalar, class Space>
void dot(const Space& exec, const ReductionWorkspace<Space>& workspace,
         const ConstMultiVectorView<Scalar, Space>& x,
         const NonDeduced<ConstMultiVectorView<Scalar, Space>>& y,
         const NonDeduced<ArrayView<double, Space>>& result,
         const NonDeduced<ReportView<double, Space>>& report = {});

/// result(j) = <x_j, y_j> and result(k + j) = <x_j, z_j> in one pass; result: 2 k.
template <class Scalar, class Space>
void dot_two(const Space& exec, const ReductionWorkspace<Space>& workspace,
             const ConstMultiVectorView<Scalar, Space>& x,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& y,
             const NonDeduced<ConstMultiVectorView<Scalar, Space>>& z,
             const NonDeduced<ArrayView<double, Space>>& result);

/// result(j) = <x_j, x_j>: the square of the 2-norm.
template <class Scalar, class Space>
void squared_norm(const Space& exec, const ReductionWorkspace<Space>& workspace,
                  const ConstMultiVectorView<Scalar, Space>& x,
                  const NonDeduced<ArrayView<double, Space>>& result,
                  const NonDeduced<ReportView<double, Space>>& report = {});

}  // namespace tessera::kernels
