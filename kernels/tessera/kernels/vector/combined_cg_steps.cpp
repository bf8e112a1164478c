// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/vector/combined_cg_steps.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/detail/column_loops.hpp"
#include "tessera/kernels/vector/detail/shapes.hpp"

namespace tessera::kernels {
namespace detail {

template <class Space>
struct CombinedCgAdvance {
  ArrayView<const double, Space> sums;
  ReportView<CombinedCgColumn, Space> report;
  ReportView<double, Space> also;
  int k;
  bool flexible;

  KOKKOS_FUNCTION void operator()(int number) const {
    if (number >= k) {
      also(number - k) = sums((flexible ? 3 : 2) * k + number);
      return;
    }
    CombinedCgColumn column = report(number);
    const double gamma = sums(number);
    const double delta = sums(k + number);
    const double norm = sums(2 * k + number);
    if (flexible)
      column.advance_flexibly(gamma, delta, norm, sums(3 * k + number));
    else
      column.advance(gamma, delta, norm);
    report(number) = column;
  }
};

/// Each block of the step would read the host's memory.
template <class Space>
struct CombinedCgTake {
  ReportView<const CombinedCgColumn, Space> report;
  ArrayView<CombinedCgColumn, Space> columns;

  KOKKOS_FUNCTION void operator()(int j) const { columns(j) = report(j); }
};

template <class Space>
struct CombinedCgStep {
  ArrayView<CombinedCgColumn, Space> columns;
  ConstMultiVectorView<double, Space> z, w;
  MultiVectorView<double, Space> p, q, x, r;

  struct Coefficients {
    double beta, step;
  };
  KOKKOS_FUNCTION Coefficients coefficients(int j) const {
    return {columns(j).beta, columns(j).step};
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    const double pi = c.beta == 0 ? z(i, j) : z(i, j) + c.beta * p(i, j);
    const double qi = c.beta == 0 ? w(i, j) : w(i, j) + c.beta * q(i, j);
    p(i, j) = pi;
    q(i, j) = qi;
    if (c.step == 0) return;
    x(i, j) += c.step * pi;
    r(i, j) -= c.step * qi;
  }
};

}  // namespace detail

template <class Space>
void combined_cg_scalars(const Space& exec, const ArrayView<const double, Space>& sums,
                         const ReportView<CombinedCgColumn, Space>& report, bool flexible,
                         const NonDeduced<ReportView<double, Space>>& also) {
  const auto k = static_cast<int>(report.extent(0));
  const int all = k + static_cast<int>(also.extent(0));
  detail::require_length("sums", sums.extent(0),
                         (flexible ? 4 : 3) * report.extent(0) + also.extent(0));
  Kokkos::parallel_for("tessera::cg::combined_scalars",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(exec, 0, all),
                       detail::CombinedCgAdvance<Space>{sums, report, also, k, flexible});
}

template <class Space>
void combined_cg_step(const Space& exec, const ReportView<const CombinedCgColumn, Space>& report,
                      const ArrayView<CombinedCgColumn, Space>& columns,
                      const ConstMultiVectorView<double, Space>& z,
                      const ConstMultiVectorView<double, Space>& w,
                      const MultiVectorView<double, Space>& p,
                      const MultiVectorView<double, Space>& q,
                      const MultiVectorView<double, Space>& x,
                      const MultiVectorView<double, Space>& r) {
  for (const auto* const other : {&z, &w})
    detail::require_same_shape("a vector", *other, x);
  for (const auto* const other : {&p, &q, &r})
    detail::require_same_shape("a vector", *other, x);
  const int k = detail::columns_of(x);
  detail::require_length("report", report.extent(0), x.extent(1));
  detail::require_length("columns", columns.extent(0), x.extent(1));
  if (detail::rows_of(x) == 0) return;
  Kokkos::parallel_for("tessera::cg::combined_take",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(exec, 0, k),
                       detail::CombinedCgTake<Space>{report, columns});
  detail::for_each_entry(exec, "tessera::cg::combined_step", detail::rows_of(x), k,
                         detail::CombinedCgStep<Space>{columns, z, w, p, q, x, r});
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, combined_cg_scalars)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, combined_cg_step)

}  // namespace tessera::kernels
