// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/column_steps.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/column_state_view.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

template <class Space>
struct StartColumns {
  ColumnStateView<Space> columns;
  ArrayView<const double, Space> norm;

  KOKKOS_FUNCTION void operator()(int j) const {
    columns.active(j) = norm(j) > columns.target(j) ? 1 : 0;
    columns.event(j) = static_cast<int>(ColumnEvent::none);
  }
};

template <class Scalar, class Space>
struct SettleColumns {
  static constexpr int num_sums = 1;
  ColumnStateView<Space> columns;
  ConstMultiVectorView<Scalar, Space> r;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    sum[0] += static_cast<double>(r(i, j)) * static_cast<double>(r(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { columns.settle(j, sum[0]); }
};

template <class Scalar, class Space>
struct StepColumns {
  ColumnStateView<Space> columns;
  Scalar omega;
  ConstMultiVectorView<Scalar, Space> x, z;
  MultiVectorView<Scalar, Space> y;

  KOKKOS_FUNCTION bool coefficients(int j) const { return columns.iterates(j); }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, bool iterates) const {
    y(i, j) = iterates ? x(i, j) + omega * z(i, j) : x(i, j);
  }
};

template <class Scalar, class Space>
struct StepBack {
  ConstMultiVectorView<Scalar, Space> x;
  ArrayView<const double, Space> alpha;
  ConstMultiVectorView<Scalar, Space> u;
  MultiVectorView<Scalar, Space> y;

  KOKKOS_FUNCTION Scalar coefficients(int j) const { return static_cast<Scalar>(alpha(j)); }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Scalar step) const {
    y(i, j) = step == Scalar(0) ? x(i, j) : x(i, j) - step * u(i, j);
  }
};

}  // namespace detail

template <class Space>
void start_columns(const Space& exec, const ColumnState<Space>& columns,
                   const NonDeduced<ArrayView<const double, Space>>& norm) {
  const int k = static_cast<int>(columns.active.extent(0));
  detail::require_length("norm", norm.extent(0), columns.active.extent(0));
  Kokkos::parallel_for("tessera::solver::start_columns",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(exec, 0, k),
                       detail::StartColumns<Space>{detail::ColumnStateView<Space>(columns), norm});
}

template <class Scalar, class Space>
void settle_columns(const Space& exec, const ReductionWorkspace<Space>& workspace,
                    const ColumnState<Space>& columns,
                    const ConstMultiVectorView<Scalar, Space>& r) {
  detail::reduce_entries(
      exec, "tessera::solver::settle_columns", workspace, detail::rows_of(r), detail::columns_of(r),
      detail::SettleColumns<Scalar, Space>{detail::ColumnStateView<Space>(columns), r});
}

template <class Scalar, class Space>
void step_columns(const Space& exec, const ColumnState<Space>& columns, double omega,
                  const ConstMultiVectorView<Scalar, Space>& x,
                  const NonDeduced<ConstMultiVectorView<Scalar, Space>>& z,
                  const NonDeduced<MultiVectorView<Scalar, Space>>& y) {
  detail::require_same_shape("z", z, x);
  detail::require_same_shape("y", y, x);
  detail::for_each_entry(exec, "tessera::solver::step_columns", detail::rows_of(x),
                         detail::columns_of(x),
                         detail::StepColumns<Scalar, Space>{detail::ColumnStateView<Space>(columns),
                                                            static_cast<Scalar>(omega), x, z, y});
}

template <class Scalar, class Space>
void step_back(const Space& exec, const ConstMultiVectorView<Scalar, Space>& x,
               const NonDeduced<ArrayView<const double, Space>>& alpha,
               const NonDeduced<ConstMultiVectorView<Scalar, Space>>& u,
               const NonDeduced<MultiVectorView<Scalar, Space>>& y) {
  detail::require_same_shape("u", u, x);
  detail::require_same_shape("y", y, x);
  detail::require_length("alpha", alpha.extent(0), x.extent(1));
  detail::for_each_entry(exec, "tessera::solver::step_back", detail::rows_of(x),
                         detail::columns_of(x), detail::StepBack<Scalar, Space>{x, alpha, u, y});
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, start_columns)

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, settle_columns)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, step_columns)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, step_back)

}  // namespace tessera::kernels
