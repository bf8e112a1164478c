// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The vector kernels of conjugate gradients with one reduction an iteration (Chronopoulos and
/// Gear, J. Comput. Appl. Math. 25, 1989). Letters as there: gamma = <r, z> and delta = <A z, z>
/// with z = M r; p = z + beta p, q = w + beta q, x += alpha p, r -= alpha q with w = A z, q = A p.
#pragma once

#include "tessera/kernels/vector/column_steps.hpp"

#include <limits>

namespace tessera::kernels {

/// One column's scalars, and what the host tells and reads of it.
struct CombinedCgColumn {
  double gamma = 0;  ///< the last one; 0: none yet
  double alpha = 0;  ///< the last step that was made; 0: none yet
  double beta = 0;
  double curvature = 0;  ///< <A p, p> of the last p
  double step = 0;  ///< the next one along the next p; 0: the column makes none
  double norm = 0;  ///< <r, r>
  /// The host's: no step is made from a `norm` of at most this; infinite where the column does not
  /// iterate.
  double target = std::numeric_limits<double>::infinity();
  ColumnEvent event = ColumnEvent::none;

  /// Takes the inner products of an iteration: the next step and beta, or what went wrong.
  KOKKOS_INLINE_FUNCTION void advance(double new_gamma, double delta, double new_norm) {
    beta = gamma == 0 ? 0 : new_gamma / gamma;
    const bool is_new = beta == 0 || alpha == 0;
    take(new_gamma, is_new ? delta : delta - beta * new_gamma / alpha, new_norm);
  }

  /// The same by Polak and Ribiere's beta = <z, r - r_old> / gamma_old (Notay, SIAM J. Sci. Comput.
  /// 22, 2000), with r - r_old = -alpha q, so that p is conjugate to the p before it whatever made
  /// z; `epsilon` = <q, z>.
  KOKKOS_INLINE_FUNCTION void advance_flexibly(double new_gamma, double delta, double new_norm,
                                               double epsilon) {
    beta = alpha == 0 ? 0 : -epsilon / curvature;
    take(new_gamma, alpha == 0 ? delta : delta + beta * epsilon, new_norm);
  }

 private:
  KOKKOS_INLINE_FUNCTION void take(double new_gamma, double new_curvature, double new_norm) {
    const bool goes_on = new_norm > target;
    event = ColumnEvent::none;
    step = 0;
    if (!Kokkos::isfinite(new_gamma) || !Kokkos::isfinite(new_curvature)) {
      event = ColumnEvent::not_a_number;
    } else if (goes_on && !(new_gamma > 0 && new_curvature > 0)) {
      event = ColumnEvent::breakdown;
    } else if (goes_on) {
      alpha = new_gamma / new_curvature;
      step = alpha;
    }
    gamma = new_gamma;
    curvature = new_curvature;
    norm = new_norm;
  }
};

/// Advances the columns of the report by sums over all processes: k of gamma, k of delta, k of
/// <r, r> and, where `flexible`, k of <q, z>. `also`: what of the numbers behind those the host
/// wants to read, too.
template <class Space>
void combined_cg_scalars(const Space& exec, const ArrayView<const double, Space>& sums,
                         const ReportView<CombinedCgColumn, Space>& report, bool flexible,
                         const NonDeduced<ReportView<double, Space>>& also = {});

/// p, q, x and r by the steps of the report, of which `columns` is the device's copy; a column
/// without a step keeps its x and r. All vectors: n by k.
template <class Space>
void combined_cg_step(const Space& exec, const ReportView<const CombinedCgColumn, Space>& report,
                      const ArrayView<CombinedCgColumn, Space>& columns,
                      const ConstMultiVectorView<double, Space>& z,
                      const ConstMultiVectorView<double, Space>& w,
                      const MultiVectorView<double, Space>& p,
                      const MultiVectorView<double, Space>& q,
                      const MultiVectorView<double, Space>& x,
                      const MultiVectorView<double, Space>& r);

}  // namespace tessera::kernels
