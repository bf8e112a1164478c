// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// BiCGSTAB by a cooperative group; see persistent/solve.hpp and persistent/tiled_solve.hpp.
#pragma once

#include "tessera/kernels/persistent/detail/bicgstab_products.hpp"
#include "tessera/kernels/persistent/detail/solve_work.hpp"

namespace tessera::kernels::detail {

/// Saad, Iterative Methods for Sparse Linear Systems, algorithm 7.7, with M from the right; M: see
/// preconditioners.hpp. By shares that are `Rows`, as CgMethod says.
///
/// The second product gathers M s = M r - alpha M v from M r and M v. beta is made of
/// <shadow, s> - omega <shadow, t>, which is <shadow, r> of the next residual, so that the next
/// direction is complete when that residual is, at the third barrier. M is applied to v and to r;
/// M p follows as p does, M p = M r + beta (M p - omega M v).
///
/// Where precision is lowered, segments that the second product reads weigh ||M r|| + |alpha| ||M
/// v||.
template <class Rows>
struct BicgstabMethod {
  using Scalar = typename Rows::scalar_type;
  using M = typename Rows::preconditioner_type;
  using Levels = typename Rows::Levels;
  using scalar_type = Scalar;
  using preconditioner_type = M;
  using Holding = BicgstabMethod<typename Rows::Holding>;
  using Windowed = BicgstabMethod<typename Rows::Windowed>;
  static constexpr int held_limit = Rows::held_limit;
  static constexpr bool may_hold_entries = Rows::may_hold_entries;
  static constexpr bool may_have_window = Rows::may_have_window;
  static constexpr bool is_dynamic = Rows::is_dynamic;
  static constexpr int max_tiled_lanes = 384;
  enum Vector { Mp, Mr, Mv, r, shadow, p, v, t, kept, num_vectors };
  enum Norms { of_Mp, of_Mr, of_Mv, num_norms };
  static constexpr int own_vectors = 7;  ///< with x and the diagonal
  static constexpr int gathered_vectors = 3;
  static constexpr int restarts = 1;
  static constexpr int products_per_iteration = 2;
  static constexpr bool by_row = M::reach == Reach::row;
  static constexpr bool by_group = M::reach == Reach::group;
  /// Where precision may be lowered, products add up whether a tile loses something as well.
  static constexpr int with_lowered = is_dynamic ? 1 : 0;

  typename Rows::Arguments arguments;
  M preconditioner;

  struct Share : Rows {
    using Rows::Rows;
    // Of the share's rows; r is s between the half steps.
    Scalar* shadow = nullptr;
    Scalar* p = nullptr;  ///< where M p is made of it row by row
    Scalar* v = nullptr;
    Scalar* t = nullptr;
    // Of all rows.
    Scalar* Mp = nullptr;
    Scalar* Mr = nullptr;
    Scalar* Mv = nullptr;
  };

  template <class Group>
  KOKKOS_FUNCTION Share make_share(const Group& group, int number) const {
    Share share(group, arguments, number);
    Scratch scratch(group.scratch(), arguments.scratch_bytes);
    share.note_rows(group, arguments, scratch);
    const int rows = share.rows;
    const Ordinal first = share.first;
    share.Mp = arguments.vector(Mp);
    share.Mr = arguments.vector(Mr);
    share.Mv = arguments.vector(Mv);
    const bool is_all = rows == arguments.A.num_rows;
    if (is_all) {
      share.Mp = own_part(scratch, rows, share.Mp);
      share.Mr = own_part(scratch, rows, share.Mr);
      share.Mv = own_part(scratch, rows, share.Mv);
    }
    share.stage_offsets(group, scratch);
    share.r = own_part(scratch, rows, arguments.vector(r) + first);
    share.v = own_part(scratch, rows, arguments.vector(v) + first);
    share.t = own_part(scratch, rows, arguments.vector(t) + first);
    if (by_row) share.p = own_part(scratch, rows, arguments.vector(p) + first);
    share.shadow = own_part(scratch, rows, arguments.vector(shadow) + first);
    share.x = own_part(scratch, rows, arguments.x + first);
    share.all_of_x = is_all ? share.x : arguments.x;
    share.M = preconditioner.make_share(group, share, scratch);
    share.stage_matrix(group, arguments, scratch);
    return share;
  }

  template <class Group, class Shares>
  KOKKOS_FUNCTION void start(Group& group, const Shares& shares, const Scales& scales, double& rhs,
                             double& residual) const {
    double sums[2];
    group.template sum<2>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      residual_of_rows(group, share, arguments, scales, part, [&](int l, Scalar r) {
        share.r[l] = r;
        share.shadow[l] = r;
        if constexpr (by_row) {
          const Scalar Mr = M::row(share.M, scales, l, r);
          share.p[l] = r;
          share.Mr[share.first + l] = Mr;
          share.Mp[share.first + l] = Mr;
        }
      });
    });
    rhs = sums[0];
    residual = sums[1];
  }

  template <class Group, class Shares, class Control, class Notes>
  KOKKOS_FORCEINLINE_FUNCTION void iterate(Group& group, const Shares& shares, const Scales& scales,
                                           Control& control, Notes& notes) const {
    constexpr double rounding = Kokkos::Experimental::epsilon_v<Scalar>;
    const double matrix_norm = Levels::matrix_norm(arguments, scales);
    double rho[1];
    double rr = control.residual();
    begin(group, shares, scales, factor_to_unit(rr), rho);
    if (group.has_failed()) return;
    rr = rho[0];
    const double shadow_norm = rho[0];
    // What the first product adds is multiplied by alpha, and the second by omega.
    auto of_direction = Levels::rule(arguments, control);
    auto of_half_step = of_direction;
    [[maybe_unused]] auto monitor = Levels::monitor(arguments, control, rr);
    for (;;) {
      if constexpr (is_dynamic) {
        constexpr double guard = 8;  // errors of one iteration are in the next ones' coefficients
        of_direction.lowers = notes.lowers;
        of_half_step.lowers = notes.lowers;
        of_direction.amplification =
            guard * Kokkos::sqrt(rr) * Kokkos::sqrt(shadow_norm) / Kokkos::abs(rho[0]);
        of_half_step.amplification = of_direction.amplification;
      }
      const double factor = factor_to_unit(rr);
      double shadow_v[1 + with_lowered];
      const auto direction = [&](bool) {
        multiply_bicgstab_direction(*this, group, shares, scales, factor, of_direction, notes,
                                    shadow_v);
        return shadow_v[with_lowered] > 0;
      };
      const auto alpha =
          Levels::step_of_product(group, of_direction, matrix_norm, notes, direction,
                                  [&] { return Quotient<Scalar>::of(rho[0], shadow_v[0]); });
      if (group.has_failed()) return;
      if (alpha.what != Iterated::well) {
        control.advance(rr, alpha.what, group.time_is_up(), group.is_first());
        return;
      }
      if constexpr (by_group) {
        precondition(group, shares, scales, factor,
                     [](const Share& share, Ordinal i, Scalar Mv) { share.Mv[i] = Mv; });
      }
      double sums[4 + with_lowered];  // <t, s>, <t, t>, <shadow, s>, <shadow, t>
      const auto half_step = [&](bool again) {
        multiply_bicgstab_half_step(*this, group, shares, scales, alpha.value, again, of_half_step,
                                    notes, sums);
        return sums[3 + with_lowered] > 0;
      };
      const auto omega =
          Levels::step_of_product(group, of_half_step, matrix_norm, notes, half_step,
                                  [&] { return Quotient<Scalar>::of(sums[0], sums[1]); });
      if (group.has_failed()) return;
      if (omega.what == Iterated::not_a_number) {
        control.advance(rr, Iterated::not_a_number, group.time_is_up(), group.is_first());
        return;
      }
      // Where t = 0, s may be 0 as well: then the residual is.
      const auto growth = Quotient<Scalar>::of(sums[2] - omega.value * sums[3], rho[0]);
      const auto ratio = Quotient<Scalar>::of(alpha.value, omega.value);
      const Scalar beta = growth.value * ratio.value;
      double norms[2];
      update(group, shares, scales, alpha.value, omega.value, beta, factor, norms);
      if (group.has_failed()) return;
      rr = norms[0];
      rho[0] = norms[1];
      if constexpr (is_dynamic) {
        of_direction.step(alpha.value, matrix_norm);
        of_half_step.step(omega.value, matrix_norm);
        if (monitor.has_slowed(rr, shadow_v[1] > 0 || sums[4] > 0)) notes.lowers = false;
      }
      Iterated what = Iterated::well;
      if (!control.meets_target(rr)) {
        if (growth.what == Iterated::not_a_number || ratio.what == Iterated::not_a_number) {
          what = Iterated::not_a_number;
        } else if (growth.what != Iterated::well || ratio.what != Iterated::well ||
                   rho[0] * rho[0] <= rounding * rounding * rr * shadow_norm) {
          what = Iterated::broke_down;
        }
      }
      if (!control.advance(rr, what, group.time_is_up(), group.is_first())) return;
      if constexpr (by_group) {
        precondition(group, shares, scales, factor, [&](const Share& share, Ordinal i, Scalar Mr) {
          share.Mr[i] = Mr;
          share.Mp[i] = next_direction(share, i, Mr, omega.value, beta);
        });
        if (group.has_failed()) return;
      }
    }
  }

 private:
  /// Row i of M p, of those of M r, and of M p and M v before.
  KOKKOS_FUNCTION static Scalar next_direction(const Share& share, Ordinal i, Scalar Mr,
                                               Scalar omega, Scalar beta) {
    return Mr + beta * (share.Mp[i] - omega * share.Mv[i]);
  }

  /// M times what the group has taken: `f(share, i, z)` for its rows.
  template <class Group, class Shares, class Function>
  KOKKOS_FUNCTION void precondition(Group& group, const Shares& shares, const Scales& scales,
                                    double factor, const Function& f) const {
    preconditioner.work(group, shares);
    group.for_each_share([&](int number) {
      const Share& share = shares(number);
      preconditioner.finish(group, share.M, number, scales, factor,
                            [&](Ordinal i, Scalar z) { f(share, i, z); });
    });
    group.barrier();
  }

  /// <r, r>, and M r and M p where `start` has not made them.
  template <class Group, class Shares>
  KOKKOS_FUNCTION void begin(Group& group, const Shares& shares, const Scales& scales,
                             double factor, double (&rr)[1]) const {
    group.template sum<1>(rr, [&](int number, double* part) {
      const Share& share = shares(number);
      share.template visit<of_Mp, 2>(group, arguments, [&](int l, double (&values)[2]) {
        const double r = share.r[l];
        part[0] += r * r;
        if constexpr (M::reach == Reach::share) {
          const Scalar Mr = M::row(share.M, scales, l, share.r);
          share.Mr[share.first + l] = Mr;
          share.Mp[share.first + l] = Mr;
        }
        if constexpr (by_group) preconditioner.take(share.M, share.first + l, share.r[l], factor);
        if constexpr (is_dynamic) {
          values[0] = share.Mp[share.first + l];
          values[1] = share.Mr[share.first + l];
        }
      });
    });
    if constexpr (by_group) {
      precondition(group, shares, scales, factor, [](const Share& share, Ordinal i, Scalar Mr) {
        share.Mr[i] = Mr;
        share.Mp[i] = Mr;
      });
    }
  }

  /// x, r, <r, r> and <shadow, r>; then M r and M p, but by the group, which takes r.
  template <class Group, class Shares>
  KOKKOS_FUNCTION void update(Group& group, const Shares& shares, const Scales& scales,
                              Scalar alpha, Scalar omega, Scalar beta, double factor,
                              double (&norms)[2]) const {
    group.template sum<2>(norms, [&](int number, double* part) {
      const Share& share = shares(number);
      share.template visit<of_Mp, 2>(group, arguments, [&](int l, double (&values)[2]) {
        const Ordinal i = share.first + l;
        const Scalar s = share.r[l];
        const Scalar r = s - omega * share.t[l];
        Scalar Ms = 0, next = 0;
        if constexpr (by_row) {
          Ms = M::row(share.M, scales, l, s);
          next = r + beta * (share.p[l] - omega * share.v[l]);
        } else {
          Ms = share.Mr[i] - alpha * share.Mv[i];
        }
        share.x[l] += alpha * share.Mp[i] + omega * Ms;
        share.r[l] = r;
        part[0] += static_cast<double>(r) * static_cast<double>(r);
        part[1] += static_cast<double>(share.shadow[l]) * static_cast<double>(r);
        if constexpr (by_row) {
          const Scalar Mp = M::row(share.M, scales, l, next);
          const Scalar Mr = M::row(share.M, scales, l, r);
          share.p[l] = next;
          share.Mp[i] = Mp;
          share.Mr[i] = Mr;
          values[0] = Mp;
          values[1] = Mr;
        }
        if constexpr (by_group) preconditioner.take(share.M, i, r, factor);
      });
      if constexpr (M::reach == Reach::share) {
        group.synchronize_lanes();
        visit_rows(group, share, [&](int l) {
          const Ordinal i = share.first + l;
          const Scalar Mr = M::row(share.M, scales, l, share.r);
          share.Mr[i] = Mr;
          share.Mp[i] = next_direction(share, i, Mr, omega, beta);
        });
      }
    });
  }
};

}  // namespace tessera::kernels::detail
