// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/basis_ops.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

/// An item is a column and a group of `basis_dots_at_once` vectors of it.
template <class Scalar, class Space>
struct BasisDot {
  static constexpr int num_sums = basis_dots_at_once;
  struct Group {
    int j;
    int first;
    int count;
    int first_column;
  };
  Basis<Scalar, Space> V;
  ConstMultiVectorView<Scalar, Space> w;
  MultiVectorView<double, Space> h;
  int groups;

  KOKKOS_FUNCTION Group coefficients(int item) const {
    const int j = item / groups;
    const int first = item % groups * num_sums;
    const int count = V.count - first < num_sums ? V.count - first : num_sums;
    return {j, first, count, first * V.vector_stride + j * V.column_stride};
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int, const Group& group, double* sum) const {
    const double wi = w(i, group.j);
    for (int t = 0; t < num_sums; ++t) {
      if (t < group.count) {
        sum[t] += wi * static_cast<double>(V.vectors(i, group.first_column + t * V.vector_stride));
      }
    }
  }
  KOKKOS_FUNCTION void finish(int item, const double* sum) const {
    const Group group = coefficients(item);
    for (int t = 0; t < group.count; ++t) {
      h(group.first + t, group.j) = sum[t];
    }
  }
};

template <class Scalar, class Space>
struct BasisCombine {
  double sign;
  Basis<Scalar, Space> V;
  MultiVectorView<const double, Space> h;
  MultiVectorView<Scalar, Space> w;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION Scalar combined(Ordinal i, int j) const {
    double sum = 0;
    for (int t = 0; t < V.count; ++t) {
      if (h(t, j) != 0) {
        sum +=
            h(t, j) * static_cast<double>(V.vectors(i, t * V.vector_stride + j * V.column_stride));
      }
    }
    return static_cast<Scalar>(static_cast<double>(w(i, j)) + sign * sum);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int) const { w(i, j) = combined(i, j); }
};

template <class Scalar, class Space>
struct BasisRemove {
  static constexpr int num_sums = 1;
  BasisCombine<Scalar, Space> combine;
  MultiVectorView<const double, Space> h_before;
  ArrayView<double, Space> norm;
  ReportView<double, Space> report;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    const Scalar wi = combine.combined(i, j);
    combine.w(i, j) = wi;
    sum[0] += static_cast<double>(wi) * static_cast<double>(wi);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    norm(j) = sum[0];
    if (report.data() == nullptr) {
      return;
    }
    const int count = combine.V.count;
    for (int t = 0; t < count; ++t) {
      report(j * (count + 1) + t) = h_before(t, j) + combine.h(t, j);
    }
    report(j * (count + 1) + count) = sum[0];
  }
};

template <class Scalar, class Space>
struct Normalise {
  ArrayView<const double, Space> norm;
  ConstMultiVectorView<Scalar, Space> w;
  MultiVectorView<Scalar, Space> v;

  KOKKOS_FUNCTION double coefficients(int j) const {
    return norm(j) > 0 ? 1 / Kokkos::sqrt(norm(j)) : 0;
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, double factor) const {
    v(i, j) = factor == 0 ? Scalar(0) : static_cast<Scalar>(factor * static_cast<double>(w(i, j)));
  }
};

}  // namespace detail

template <class Scalar, class Space>
void basis_dot(const Space& exec, const ReductionWorkspace<Space>& workspace,
               const Basis<Scalar, Space>& V,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& w,
               const NonDeduced<MultiVectorView<double, Space>>& h) {
  detail::require_length("h", h.extent(0), static_cast<std::size_t>(V.count));
  const int k = detail::columns_of(w);
  const int groups = basis_dot_items(V.count, 1);
  detail::reduce_entries(exec, "tessera::vector::basis_dot", workspace, detail::rows_of(w),
                         groups * k, detail::BasisDot<Scalar, Space>{V, w, h, groups});
}

template <class Scalar, class Space>
void basis_combine(const Space& exec, double sign, const Basis<Scalar, Space>& V,
                   const NonDeduced<MultiVectorView<const double, Space>>& h,
                   const NonDeduced<MultiVectorView<Scalar, Space>>& w) {
  detail::require_length("h", h.extent(0), static_cast<std::size_t>(V.count));
  detail::for_each_entry(exec, "tessera::vector::basis_combine", detail::rows_of(w),
                         detail::columns_of(w), detail::BasisCombine<Scalar, Space>{sign, V, h, w});
}

template <class Scalar, class Space>
void basis_remove(const Space& exec, const ReductionWorkspace<Space>& workspace,
                  const Basis<Scalar, Space>& V,
                  const NonDeduced<MultiVectorView<const double, Space>>& h_before,
                  const NonDeduced<MultiVectorView<const double, Space>>& h,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& w,
                  const NonDeduced<ArrayView<double, Space>>& norm,
                  const NonDeduced<ReportView<double, Space>>& report) {
  detail::require_length("h", h.extent(0), static_cast<std::size_t>(V.count));
  detail::require_length("norm", norm.extent(0), w.extent(1));
  detail::reduce_entries(exec, "tessera::vector::basis_remove", workspace, detail::rows_of(w),
                         detail::columns_of(w),
                         detail::BasisRemove<Scalar, Space>{{-1, V, h, w}, h_before, norm, report});
}

template <class Scalar, class Space>
void normalise(const Space& exec, const NonDeduced<ArrayView<const double, Space>>& norm,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& w,
               const MultiVectorView<Scalar, Space>& v) {
  detail::require_same_shape("w", w, v);
  detail::require_length("norm", norm.extent(0), v.extent(1));
  detail::for_each_entry(exec, "tessera::vector::normalise", detail::rows_of(v),
                         detail::columns_of(v), detail::Normalise<Scalar, Space>{norm, w, v});
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, basis_dot)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, basis_combine)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, basis_remove)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, normalise)

}  // namespace tessera::kernels
