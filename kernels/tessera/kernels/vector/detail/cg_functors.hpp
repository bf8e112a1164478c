// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What each of CG's vector kernels does with an entry and with a column.
#pragma once

#include "tessera/kernels/vector/cg_steps.hpp"
#include "tessera/kernels/vector/detail/column_state_view.hpp"

namespace tessera::kernels::detail {

template <class Space>
struct CgView {
  ColumnStateView<Space> columns;
  ArrayView<double, Space> rz, alpha, beta, min_norm;
  ArrayView<int, Space> place, place_before;

  CgView(const ColumnState<Space>& state, const CgScalars<Space>& scalars)
      : columns(state),
        rz(scalars.rz),
        alpha(scalars.alpha),
        beta(scalars.beta),
        min_norm(scalars.min_norm),
        place(scalars.place),
        place_before(scalars.place_before) {}

  KOKKOS_FUNCTION void settle(int j, double norm, CgAfterUpdate after) const {
    place_iterate(j, norm);
    columns.settle(j, norm);
    columns.take_turns(j);
    if (after == CgAfterUpdate::settle_and_beta) {
      beta(j) = rz(j) > 0 ? norm / rz(j) : 0;
      rz(j) = norm;
    }
  }

 private:
  /// The direction has kept the iterate that was before the step before this one.
  KOKKOS_FUNCTION void place_iterate(int j, double norm) const {
    const bool was_newest = place(j) == static_cast<int>(CgPlace::newest);
    CgPlace now = was_newest ? CgPlace::newest : CgPlace::kept;
    place_before(j) = static_cast<int>(now);
    if (alpha(j) != 0) {
      if (norm <= min_norm(j)) {
        min_norm(j) = norm;
        now = CgPlace::newest;
      } else if (was_newest) {
        now = CgPlace::before_step;
      }
    }
    place(j) = static_cast<int>(now);
  }
};

template <class Space>
struct CgStart {
  CgView<Space> cg;
  ArrayView<const double, Space> norm;
  bool preconditioned;

  KOKKOS_FUNCTION void operator()(int j) const {
    cg.columns.active(j) = norm(j) > cg.columns.target(j) ? 1 : 0;
    cg.columns.event(j) = static_cast<int>(ColumnEvent::none);
    cg.columns.turn(j) = 0;
    cg.rz(j) = preconditioned ? 0 : norm(j);
    cg.alpha(j) = 0;
    cg.beta(j) = 0;
    cg.min_norm(j) = norm(j);
    cg.place(j) = static_cast<int>(CgPlace::newest);
    cg.place_before(j) = static_cast<int>(CgPlace::newest);
  }
};

template <class Scalar, class Space>
struct CgUpdate {
  static constexpr int num_sums = 1;
  CgView<Space> cg;
  ArrayView<const Scalar, Space> pq;
  ConstMultiVectorView<Scalar, Space> q;
  MultiVectorView<Scalar, Space> r;
  MultiVectorView<float, Space> r_float;
  CgAfterUpdate after;

  KOKKOS_FUNCTION ColumnQuotient<Scalar> step(int j) const {
    if (!cg.columns.iterates(j)) {
      return {};
    }
    const auto alpha = ColumnQuotient<Scalar>::of(cg.rz(j), static_cast<double>(pq(j)));
    if (alpha.event == ColumnEvent::none && pq(j) < Scalar(0)) {
      return {0, ColumnEvent::breakdown};
    }
    return alpha;
  }
  KOKKOS_FUNCTION Scalar coefficients(int j) const { return static_cast<Scalar>(step(j).value); }
  struct Entry {
    Scalar r, q;
  };
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {r(i, j), q(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal i, int j, Scalar alpha, const Entry& at, double* sum) const {
    Scalar ri = at.r;
    if (alpha != Scalar(0)) {
      ri -= alpha * at.q;
      r(i, j) = ri;
      if (r_float.data() != nullptr) r_float(i, j) = static_cast<float>(ri);
    }
    sum[0] += static_cast<double>(ri) * static_cast<double>(ri);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Scalar alpha, double* sum) const {
    use(i, j, alpha, load(i, j), sum);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const {
    const auto alpha = step(j);
    cg.alpha(j) = alpha.value;
    if (alpha.event != ColumnEvent::none) {
      cg.columns.note(j, alpha.event);
    }
    if (after != CgAfterUpdate::leave) {
      cg.settle(j, sum[0], after);
    }
  }
};

/// The same for a residual that is recomputed: x makes its step too.
template <class Scalar, class Space>
struct CgUpdateAtOnce {
  static constexpr int num_sums = 1;
  CgUpdate<Scalar, Space> update;
  ConstMultiVectorView<Scalar, Space> p;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION Scalar coefficients(int j) const { return update.coefficients(j); }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, Scalar alpha, double* sum) const {
    if (alpha != Scalar(0)) x(i, j) += alpha * p(i, j);
    update(i, j, alpha, sum);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { update.finish(j, sum); }
};

template <class Scalar, class Space>
struct CgSettle {
  static constexpr int num_sums = 1;
  CgView<Space> cg;
  ConstMultiVectorView<Scalar, Space> r;
  CgAfterUpdate after;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    sum[0] += static_cast<double>(r(i, j)) * static_cast<double>(r(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { cg.settle(j, sum[0], after); }
};

template <class Space>
struct CgTakeBeta {
  CgView<Space> cg;
  bool flexible;

  KOKKOS_FUNCTION void operator()(int j, double rz_new, double zq) const {
    const double rz_old = cg.rz(j);
    if (!Kokkos::isfinite(rz_new) || !Kokkos::isfinite(zq)) {
      cg.columns.note(j, ColumnEvent::not_a_number);
    } else if (!(rz_new > 0)) {
      cg.columns.note(j, ColumnEvent::breakdown);
    }
    const double numerator = flexible ? -cg.alpha(j) * zq : rz_new;
    const double beta = rz_old > 0 ? numerator / rz_old : 0;
    cg.beta(j) = Kokkos::isfinite(beta) ? beta : 0;
    cg.rz(j) = rz_new;
  }
};

template <class Scalar, class Preconditioned, class Space>
struct CgBeta {
  static constexpr int num_sums = 1;
  CgTakeBeta<Space> take;
  ConstMultiVectorView<Scalar, Space> r;
  ConstMultiVectorView<Preconditioned, Space> z;

  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    sum[0] += static_cast<double>(r(i, j)) * static_cast<double>(z(i, j));
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { take(j, sum[0], 0); }
};

template <class Scalar, class Preconditioned, class Space>
struct CgFlexibleBeta {
  static constexpr int num_sums = 2;
  CgTakeBeta<Space> take;
  ConstMultiVectorView<Scalar, Space> r;
  ConstMultiVectorView<Preconditioned, Space> z;
  ConstMultiVectorView<Scalar, Space> q;

  struct Entry {
    Scalar r;
    Preconditioned z;
    Scalar q;
  };
  KOKKOS_FUNCTION int coefficients(int) const { return 0; }
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {r(i, j), z(i, j), q(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal, int, int, const Entry& at, double* sum) const {
    const double zi = at.z;
    sum[0] += static_cast<double>(at.r) * zi;
    sum[1] += static_cast<double>(at.q) * zi;
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, int, double* sum) const {
    use(i, j, 0, load(i, j), sum);
  }
  KOKKOS_FUNCTION void finish(int j, const double* sum) const { take(j, sum[0], sum[1]); }
};

template <class Scalar, class Preconditioned, class Space>
struct CgDirection {
  struct Coefficients {
    bool iterates;
    bool keeps;
    Scalar alpha;  ///< 0 where x has made its step
    Scalar beta;
  };
  // No CgView: Kokkos passes a functor of 512 bytes by way of constant memory.
  ArrayView<const int, Space> active, event, place;
  ArrayView<const double, Space> alpha, beta;
  ConstMultiVectorView<Preconditioned, Space> z;
  MultiVectorView<Scalar, Space> p, x, kept;

  KOKKOS_FUNCTION Coefficients coefficients(int j) const {
    return {active(j) != 0 && event(j) == static_cast<int>(ColumnEvent::none),
            place(j) == static_cast<int>(CgPlace::before_step), static_cast<Scalar>(alpha(j)),
            static_cast<Scalar>(beta(j))};
  }
  struct Entry {
    Preconditioned z;
    Scalar p, x;
  };
  KOKKOS_FUNCTION Entry load(Ordinal i, int j) const { return {z(i, j), p(i, j), x(i, j)}; }
  KOKKOS_FUNCTION void use(Ordinal i, int j, const Coefficients& c, const Entry& at) const {
    if (c.keeps) kept(i, j) = at.x;
    if (c.alpha != Scalar(0)) x(i, j) = at.x + c.alpha * at.p;
    turn(i, j, c, at.z, at.p);
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    use(i, j, c, load(i, j));
  }
  KOKKOS_FUNCTION void turn(Ordinal i, int j, const Coefficients& c, Preconditioned zi,
                            Scalar pi) const {
    if (!c.iterates) return;
    const auto wide = static_cast<Scalar>(zi);
    p(i, j) = c.beta == Scalar(0) ? wide : wide + c.beta * pi;
  }
};

/// The same where x has made its step.
template <class Scalar, class Preconditioned, class Space>
struct CgDirectionAfterStep {
  using Direction = CgDirection<Scalar, Preconditioned, Space>;
  using Coefficients = typename Direction::Coefficients;
  Direction direction;

  KOKKOS_FUNCTION Coefficients coefficients(int j) const { return direction.coefficients(j); }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    const Scalar pi = direction.p(i, j);
    if (c.keeps) direction.kept(i, j) = direction.x(i, j) - c.alpha * pi;
    direction.turn(i, j, c, direction.z(i, j), pi);
  }
};

template <class Scalar, class Space>
struct CgFinish {
  struct Coefficients {
    bool from_kept;
    Scalar step;
  };
  ArrayView<const double, Space> alpha;
  ArrayView<const int, Space> place;
  bool deferred;
  bool one_more;
  ConstMultiVectorView<Scalar, Space> p, kept;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION Coefficients coefficients(int j) const {
    const auto where = static_cast<CgPlace>(place(j));
    if (where == CgPlace::kept) return {true, Scalar(0)};
    const auto step = static_cast<Scalar>(alpha(j));
    if (deferred) return {false, one_more || where != CgPlace::newest ? Scalar(0) : step};
    return {false, where == CgPlace::before_step ? -step : Scalar(0)};
  }
  KOKKOS_FUNCTION void operator()(Ordinal i, int j, const Coefficients& c) const {
    if (c.from_kept) {
      x(i, j) = kept(i, j);
    } else if (c.step != Scalar(0)) {
      x(i, j) += c.step * p(i, j);
    }
  }
};

}  // namespace tessera::kernels::detail
