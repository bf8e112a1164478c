// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// BiCGSTAB by a crew; see persistent/solve.hpp.
#pragma once

#include "tessera/kernels/persistent/detail/solve_work.hpp"

namespace tessera::kernels::detail {

/// Saad, Iterative Methods for Sparse Linear Systems, algorithm 7.7, with M from the right; `M`:
/// see preconditioners.hpp.
///
/// The second product gathers M s = M r - alpha M v from M r and M v. beta is made of
/// <shadow, s> - omega <shadow, t>, which is <shadow, r> of the next residual, so that the next
/// direction is complete when that residual is, at the third meeting. M is applied to v and to r;
/// M p follows as p does, M p = M r + beta (M p - omega M v).
///
/// Lanes hold up to `max_held` entries of the matrix in registers.
template <class Scalar, class Offset, class M, int max_held = 0>
struct BicgstabMethod {
  using scalar_type = Scalar;
  using preconditioner_type = M;
  static constexpr int most_held = max_held;
  /// The same with entries in registers. With other preconditioners there is none, for the time
  /// that it takes to compile.
  static constexpr bool may_hold_entries = M::reach == Reach::row && max_held == 0;
  using Holding = BicgstabMethod<Scalar, Offset, M, most_held_entries>;
  enum Vector { Mp, Mr, Mv, r, shadow, p, v, t, kept, num_vectors };
  static constexpr int own_vectors = 7;  ///< with x and the diagonal
  static constexpr int gathered_vectors = 3;
  static constexpr int restarts = 1;
  static constexpr bool by_row = M::reach == Reach::row;
  static constexpr bool by_crew = M::reach == Reach::crew;

  SolveArguments<Scalar, Offset> arguments;
  M preconditioner;

  struct Share : KrylovShare<Scalar, Offset, M, max_held> {
    using KrylovShare<Scalar, Offset, M, max_held>::KrylovShare;
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

  template <class Crew>
  KOKKOS_FUNCTION Share make_share(const Crew& crew, int number) const {
    Share share(crew, arguments.A, number);
    Scratch scratch(crew.scratch(), arguments.scratch_bytes);
    share.note_long_rows(crew, arguments.lanes_per_row, scratch);
    share.hold_entries(crew, arguments.lanes_per_row, arguments.register_entries);
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
    share.stage_offsets(crew, scratch);
    share.r = own_part(scratch, rows, arguments.vector(r) + first);
    share.v = own_part(scratch, rows, arguments.vector(v) + first);
    share.t = own_part(scratch, rows, arguments.vector(t) + first);
    if (by_row) share.p = own_part(scratch, rows, arguments.vector(p) + first);
    share.shadow = own_part(scratch, rows, arguments.vector(shadow) + first);
    share.x = own_part(scratch, rows, arguments.x + first);
    share.all_of_x = is_all ? share.x : arguments.x;
    share.M = preconditioner.make_share(crew, share, scratch);
    if (!is_all && arguments.has_window) share.open_window(crew, arguments.lanes_per_row, scratch);
    share.stage_entries(crew, scratch);
    return share;
  }

  template <class Crew, class Shares>
  KOKKOS_FUNCTION void start(Crew& crew, const Shares& shares, const Scales& scales, double& rhs,
                             double& residual) const {
    double sums[2];
    crew.template sum<2>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      residual_of_rows(crew, share, arguments, scales, part, [&](int l, Scalar r) {
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

  template <class Crew, class Shares>
  KOKKOS_FUNCTION void iterate(Crew& crew, const Shares& shares, const Scales& scales,
                               SolveControl& control) const {
    constexpr double rounding = Kokkos::Experimental::epsilon_v<Scalar>;
    double rho[1];
    double rr = control.residual();
    begin(crew, shares, scales, factor_to_unit(rr), rho);
    if (crew.has_failed()) return;
    rr = rho[0];
    const double shadow_norm = rho[0];
    for (;;) {
      const double factor = factor_to_unit(rr);
      double shadow_v[1];
      multiply_direction(crew, shares, scales, factor, shadow_v);
      if (crew.has_failed()) return;
      const auto alpha = Quotient<Scalar>::of(rho[0], shadow_v[0]);
      if (alpha.what != Iterated::well) {
        control.advance(rr, alpha.what, crew.time_is_up(), crew.is_first());
        return;
      }
      if constexpr (by_crew) {
        precondition(crew, shares, scales, factor,
                     [](const Share& share, Ordinal i, Scalar Mv) { share.Mv[i] = Mv; });
      }
      double sums[4];  // <t, s>, <t, t>, <shadow, s>, <shadow, t>
      multiply_half_step(crew, shares, scales, alpha.value, sums);
      if (crew.has_failed()) return;
      const auto omega = Quotient<Scalar>::of(sums[0], sums[1]);
      if (omega.what == Iterated::not_a_number) {
        control.advance(rr, Iterated::not_a_number, crew.time_is_up(), crew.is_first());
        return;
      }
      // Where t = 0, s may be 0 as well: then the residual is.
      const auto growth = Quotient<Scalar>::of(sums[2] - omega.value * sums[3], rho[0]);
      const auto ratio = Quotient<Scalar>::of(alpha.value, omega.value);
      const Scalar beta = growth.value * ratio.value;
      double norms[2];
      update(crew, shares, scales, {alpha.value, omega.value, beta}, factor, norms);
      if (crew.has_failed()) return;
      rr = norms[0];
      rho[0] = norms[1];
      Iterated what = Iterated::well;
      if (!control.meets_target(rr)) {
        if (growth.what == Iterated::not_a_number || ratio.what == Iterated::not_a_number) {
          what = Iterated::not_a_number;
        } else if (growth.what != Iterated::well || ratio.what != Iterated::well ||
                   rho[0] * rho[0] <= rounding * rounding * rr * shadow_norm) {
          what = Iterated::broke_down;
        }
      }
      if (!control.advance(rr, what, crew.time_is_up(), crew.is_first())) return;
      if constexpr (by_crew) {
        precondition(crew, shares, scales, factor, [&](const Share& share, Ordinal i, Scalar Mr) {
          share.Mr[i] = Mr;
          share.Mp[i] = next_direction(share, i, Mr, omega.value, beta);
        });
        if (crew.has_failed()) return;
      }
    }
  }

 private:
  struct Coefficients {
    Scalar alpha;
    Scalar omega;
    Scalar beta;
  };

  /// Row i of M p, of those of M r, and of M p and M v before.
  KOKKOS_FUNCTION static Scalar next_direction(const Share& share, Ordinal i, Scalar Mr,
                                               Scalar omega, Scalar beta) {
    return Mr + beta * (share.Mp[i] - omega * share.Mv[i]);
  }

  /// M times what the crew has taken: `f(share, i, z)` for its rows.
  template <class Crew, class Shares, class Function>
  KOKKOS_FUNCTION void precondition(Crew& crew, const Shares& shares, const Scales& scales,
                                    double factor, const Function& f) const {
    preconditioner.work(crew, shares);
    crew.for_each_share([&](int number) {
      const Share& share = shares(number);
      preconditioner.finish(crew, share.M, number, scales, factor,
                            [&](Ordinal i, Scalar z) { f(share, i, z); });
    });
    crew.barrier();
  }

  /// <r, r>, and M r and M p where `start` has not made them.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void begin(Crew& crew, const Shares& shares, const Scales& scales, double factor,
                             double (&rr)[1]) const {
    crew.template sum<1>(rr, [&](int number, double* part) {
      const Share& share = shares(number);
      visit_rows(crew, share, [&](int l) {
        const double r = share.r[l];
        part[0] += r * r;
        if constexpr (M::reach == Reach::share) {
          const Scalar Mr = M::row(share.M, scales, l, share.r);
          share.Mr[share.first + l] = Mr;
          share.Mp[share.first + l] = Mr;
        }
        if constexpr (by_crew) preconditioner.take(share.M, share.first + l, share.r[l], factor);
      });
    });
    if constexpr (by_crew) {
      precondition(crew, shares, scales, factor, [](const Share& share, Ordinal i, Scalar Mr) {
        share.Mr[i] = Mr;
        share.Mp[i] = Mr;
      });
    }
  }

  /// v = A M p and <shadow, v>; then M v, but by the crew, which takes v with that factor.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void multiply_direction(Crew& crew, const Shares& shares, const Scales& scales,
                                          double factor, double (&shadow_v)[1]) const {
    crew.template sum<1>(shadow_v, [&](int number, double* part) {
      const Share& share = shares(number);
      const Scalar* const Mp = share.Mp;
      multiply_rows(
          crew, share, arguments.lanes_per_row, [&](Ordinal c) { return Mp[c]; },
          [&](int l, Scalar sum) {
            const auto v = static_cast<Scalar>(scales.matrix * static_cast<double>(sum));
            share.v[l] = v;
            if constexpr (by_row) share.Mv[share.first + l] = M::row(share.M, scales, l, v);
            if constexpr (by_crew) preconditioner.take(share.M, share.first + l, v, factor);
            part[0] += static_cast<double>(share.shadow[l]) * static_cast<double>(v);
          });
      if constexpr (M::reach == Reach::share) {
        crew.synchronize_lanes();
        visit_rows(crew, share,
                   [&](int l) { share.Mv[share.first + l] = M::row(share.M, scales, l, share.v); });
      }
    });
  }

  /// s = r - alpha v, t = A M s, and the four sums.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void multiply_half_step(Crew& crew, const Shares& shares, const Scales& scales,
                                          Scalar alpha, double (&sums)[4]) const {
    crew.template sum<4>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      const Scalar* const Mr = share.Mr;
      const Scalar* const Mv = share.Mv;
      multiply_rows(
          crew, share, arguments.lanes_per_row, [&](Ordinal c) { return Mr[c] - alpha * Mv[c]; },
          [&](int l, Scalar sum) {
            const Scalar s = share.r[l] - alpha * share.v[l];
            const auto t = static_cast<Scalar>(scales.matrix * static_cast<double>(sum));
            share.r[l] = s;
            share.t[l] = t;
            const double wide_s = s;
            const double wide_t = t;
            const double shadow = share.shadow[l];
            part[0] += wide_t * wide_s;
            part[1] += wide_t * wide_t;
            part[2] += shadow * wide_s;
            part[3] += shadow * wide_t;
          });
    });
  }

  /// x, r, <r, r> and <shadow, r>; then M r and M p, but by the crew, which takes r.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void update(Crew& crew, const Shares& shares, const Scales& scales,
                              const Coefficients& by, double factor, double (&norms)[2]) const {
    crew.template sum<2>(norms, [&](int number, double* part) {
      const Share& share = shares(number);
      visit_rows(crew, share, [&](int l) {
        const Ordinal i = share.first + l;
        const Scalar s = share.r[l];
        const Scalar r = s - by.omega * share.t[l];
        Scalar Ms = 0;
        if constexpr (by_row) {
          Ms = M::row(share.M, scales, l, s);
        } else {
          Ms = share.Mr[i] - by.alpha * share.Mv[i];
        }
        share.x[l] += by.alpha * share.Mp[i] + by.omega * Ms;
        share.r[l] = r;
        part[0] += static_cast<double>(r) * static_cast<double>(r);
        part[1] += static_cast<double>(share.shadow[l]) * static_cast<double>(r);
        if constexpr (by_row) {
          const Scalar next = r + by.beta * (share.p[l] - by.omega * share.v[l]);
          share.p[l] = next;
          share.Mp[i] = M::row(share.M, scales, l, next);
          share.Mr[i] = M::row(share.M, scales, l, r);
        }
        if constexpr (by_crew) preconditioner.take(share.M, i, r, factor);
      });
      if constexpr (M::reach == Reach::share) {
        crew.synchronize_lanes();
        visit_rows(crew, share, [&](int l) {
          const Ordinal i = share.first + l;
          const Scalar Mr = M::row(share.M, scales, l, share.r);
          share.Mr[i] = Mr;
          share.Mp[i] = next_direction(share, i, Mr, by.omega, by.beta);
        });
      }
    });
  }
};

}  // namespace tessera::kernels::detail
