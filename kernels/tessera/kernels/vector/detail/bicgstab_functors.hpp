// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The functors of bicgstab_steps.hpp.
#pragma once

#include "tessera/kernels/vector/bicgstab_steps.hpp"
#include "tessera/kernels/vector/detail/column_state_view.hpp"

namespace tessera::kernels::detail {

template <class Space>
struct BicgstabView {
  ColumnStateView<Space> columns;
  ArrayView<double, Space> rho, alpha, omega, beta, shadow_norm, norm_scale;

  BicgstabView(const ColumnState<Space>& state, const BicgstabScalars<Space>& scalars)
      : columns(state),
        rho(scalars.rho),
        alpha(scalars.alpha),
        omega(scalars.omega),
        beta(scalars.beta),
        shadow_norm(scalars.shadow_norm),
        norm_scale(scalars.norm_scale) {}
};

/// A coefficient and whether the column iterates at all.
template <class Scalar>
struct ActiveCoefficients {
  bool iterates;
  Scalar alpha;
  Scalar omega;
  Scalar beta;
};

template <class Scalar, class Space>
KOKKOS_FUNCTION ActiveCoefficients<Scalar> bicgstab_coefficients(const BicgstabView<Space>& state,
                                                                 int j) {
  return {state.columns.iterates(j), static_cast<Scalar>(state.alpha(j)),
          static_cast<Scalar>(state.omega(j)), static_cast<Scalar>(state.beta(j))};
}

/// Takes ||r||^2 and <shadow, r> after an iteration, and beta from them.
template <class Scalar, class Space>
KOKKOS_FUNCTION void bicgstab_take_norm(const BicgstabView<Space>& state, int j, double rr,
                                        double rho) {
  const double norm = rr * state.norm_scale(j);
  constexpr double rounding = Kokkos::Experimental::epsilon_v<Scalar>;
  if (state.columns.iterates(j) && norm > state.columns.target(j)) {
    const auto growth = ColumnQuotient<Scalar>::of(rho, state.rho(j));
    const auto ratio = ColumnQuotient<Scalar>::of(state.alpha(j), state.omega(j));
    state.columns.note(j, growth.event);
    state.columns.note(j, ratio.event);
    // By roots: products of squared norms leave the range where M is of a matrix of 2^±300.
    if (Kokkos::abs(rho) <= rounding * Kokkos::sqrt(rr) * Kokkos::sqrt(state.shadow_norm(j))) {
      state.columns.note(j, ColumnEvent::breakdown);
    }
    state.beta(j) = growth.value * ratio.value;
    state.rho(j) = rho;
  }
  state.columns.settle(j, norm);
}

template <class Scalar, class Space>
struct BicgstabStart {
  static constexpr int num_sums = 1;
  BicgstabView<Space> state;
  ArrayView<const double, Space> norm;
  ConstMultiVectorView<Scalar, Space> r;
  MultiVectorView<Scalar, Space> shadow, p;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    const Scalar ri = r(i, j);
    shadow(i, j) = ri;
    p(i, j) = ri;
    sum[0] += static_cast<double>(ri) * static_cast<double>(ri);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    state.columns.active(j) = norm(j) > state.columns.target(j) ? 1 : 0;
    state.columns.event(j) = static_cast<int>(ColumnEvent::none);
    state.rho(j) = sum[0];
    state.shadow_norm(j) = sum[0];
    state.norm_scale(j) = sum[0] > 0 ? norm(j) / sum[0] : 1;
    state.alpha(j) = 0;
    state.omega(j) = 0;
    state.beta(j) = 0;
  }
};

template <class Scalar, class Space>
struct BicgstabAlpha {
  static constexpr int num_sums = 1;
  BicgstabView<Space> state;
  ConstMultiVectorView<Scalar, Space> shadow, v;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    sum[0] += static_cast<double>(shadow(i, j)) * static_cast<double>(v(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    state.alpha(j) = 0;
    state.omega(j) = 0;
    if (state.columns.iterates(j)) {
      const auto alpha = ColumnQuotient<Scalar>::of(state.rho(j), sum[0]);
      state.alpha(j) = alpha.value;
      state.columns.note(j, alpha.event);
    }
  }
};

template <class Scalar, class Space>
struct BicgstabHalfStep {
  BicgstabView<Space> state;
  ConstMultiVectorView<Scalar, Space> v;
  MultiVectorView<Scalar, Space> r;

  KOKKOS_FUNCTION ActiveCoefficients<Scalar> coefficients(int j) const {
    return bicgstab_coefficients<Scalar>(state, j);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const ActiveCoefficients<Scalar>& c) const {
    if (c.iterates) {
      r(i, j) -= c.alpha * v(i, j);
    }
  }
};

template <class Scalar, class Space>
struct BicgstabOmega {
  static constexpr int num_sums = 2;
  BicgstabView<Space> state;
  ConstMultiVectorView<Scalar, Space> t, s;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    const double ti = t(i, j);
    sum[0] += ti * static_cast<double>(s(i, j));
    sum[1] += ti * ti;
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    if (!state.columns.iterates(j)) {
      return;
    }
    const auto omega = ColumnQuotient<Scalar>::of(sum[0], sum[1]);
    state.omega(j) = omega.value;
    if (omega.event == ColumnEvent::not_a_number) {
      state.alpha(j) = 0;
      state.columns.note(j, omega.event);
    }
  }
};

template <class Scalar, class Space>
struct BicgstabUpdate {
  static constexpr int num_sums = 2;
  BicgstabView<Space> state;
  ConstMultiVectorView<Scalar, Space> shadow, p_hat, s_hat, t;
  MultiVectorView<Scalar, Space> x, r;
  bool settle;

  KOKKOS_FUNCTION ActiveCoefficients<Scalar> coefficients(int j) const {
    return bicgstab_coefficients<Scalar>(state, j);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const ActiveCoefficients<Scalar>& c,
                                  double* sum) const {
    Scalar ri = r(i, j);
    if (c.iterates) {
      x(i, j) += c.alpha * p_hat(i, j) + c.omega * s_hat(i, j);
      ri -= c.omega * t(i, j);
      r(i, j) = ri;
    }
    sum[0] += static_cast<double>(ri) * static_cast<double>(ri);
    sum[1] += static_cast<double>(ri) * static_cast<double>(shadow(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    if (settle) {
      bicgstab_take_norm<Scalar>(state, j, sum[0], sum[1]);
    }
  }
};

template <class Scalar, class Space>
struct BicgstabSettle {
  static constexpr int num_sums = 2;
  BicgstabView<Space> state;
  ConstMultiVectorView<Scalar, Space> shadow, r;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    const double ri = r(i, j);
    sum[0] += ri * ri;
    sum[1] += ri * static_cast<double>(shadow(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    bicgstab_take_norm<Scalar>(state, j, sum[0], sum[1]);
  }
};

template <class Scalar, class Space>
struct BicgstabDirection {
  BicgstabView<Space> state;
  ConstMultiVectorView<Scalar, Space> r, v;
  MultiVectorView<Scalar, Space> p;

  KOKKOS_FUNCTION ActiveCoefficients<Scalar> coefficients(int j) const {
    return bicgstab_coefficients<Scalar>(state, j);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const ActiveCoefficients<Scalar>& c) const {
    if (c.iterates) {
      p(i, j) = r(i, j) + c.beta * (p(i, j) - c.omega * v(i, j));
    }
  }
};

}  // namespace tessera::kernels::detail
