// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// BiCGSTAB with tiles by a crew; see persistent/tiled_solve.hpp.
#pragma once

#include "tessera/kernels/persistent/detail/tiled_cycles.hpp"

namespace tessera::kernels::detail {

/// The steps of BicgstabMethod. The residual of `A` is that of its CSR form; products are those of
/// tiles. Segments that the second product reads weigh ||M r|| + |alpha| ||M v||.
template <class Scalar, class Offset, int size, bool falling>
struct TiledBicgstabMethod {
  using scalar_type = Scalar;
  static constexpr bool falls = falling;
  static constexpr int most_lanes = 384;
  enum Vector { Mp, Mr, Mv, r, shadow, p, v, t, kept, num_vectors };
  enum Norms { of_Mp, of_Mr, of_Mv, num_norms };
  static constexpr int own_vectors = 7;
  static constexpr int gathered_vectors = 3;
  static constexpr int restarts = 1;
  static constexpr int products_per_iteration = 2;
  /// Where precision may fall, products add up whether a tile loses something as well.
  static constexpr int with_lowered = falling ? 1 : 0;

  TiledArguments<Scalar, Offset> arguments;

  struct Share : TileShare<Scalar, Offset, size, falls> {
    using TileShare<Scalar, Offset, size, falls>::TileShare;
    // Of the share's rows.
    Scalar* x = nullptr;
    Scalar* r = nullptr;  ///< s between the half steps
    Scalar* shadow = nullptr;
    Scalar* p = nullptr;
    Scalar* v = nullptr;
    Scalar* t = nullptr;
    const Scalar* d = nullptr;  ///< null without a preconditioner
    // Of all rows.
    Scalar* all_of_x = nullptr;
    Scalar* Mp = nullptr;
    Scalar* Mr = nullptr;
    Scalar* Mv = nullptr;
  };

  template <class Crew>
  KOKKOS_FUNCTION Share make_share(const Crew& crew, int number) const {
    Share share(crew, arguments, number);
    Scratch scratch(crew.scratch(), arguments.scratch_bytes);
    share.note_long_rows(crew, arguments.lanes_per_row, scratch);
    share.note_long_rows_of_tiles(crew, arguments.tiles, arguments.lanes_per_row, scratch);
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
    share.stage_heads(crew, scratch);
    share.r = own_part(scratch, rows, arguments.vector(r) + first);
    share.v = own_part(scratch, rows, arguments.vector(v) + first);
    share.t = own_part(scratch, rows, arguments.vector(t) + first);
    share.p = own_part(scratch, rows, arguments.vector(p) + first);
    share.shadow = own_part(scratch, rows, arguments.vector(shadow) + first);
    share.x = own_part(scratch, rows, arguments.x + first);
    share.all_of_x = is_all ? share.x : arguments.x;
    if (arguments.inverse_diagonal != nullptr) {
      share.d = arguments.inverse_diagonal + first;
      if (Scalar* const d = scratch.template take<Scalar>(rows)) {
        visit_rows(crew, share, [&](int l) { d[l] = share.d[l]; });
        share.d = d;
      }
    }
    share.stage_tiles(crew, scratch);
    return share;
  }

  template <class Crew, class Shares>
  KOKKOS_FUNCTION void start(Crew& crew, const Shares& shares, const Scales& scales, double& rhs,
                             double& residual) const {
    double sums[2];
    crew.template sum<2>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      residual_of_rows(crew, share, arguments, scales, part, [&](int l, Scalar r) {
        const Scalar Mr = precondition(share, scales, l, r);
        share.r[l] = r;
        share.shadow[l] = r;
        share.p[l] = r;
        share.Mr[share.first + l] = Mr;
        share.Mp[share.first + l] = Mr;
      });
    });
    rhs = sums[0];
    residual = sums[1];
  }

  template <class Crew, class Shares>
  KOKKOS_FORCEINLINE_FUNCTION void iterate(Crew& crew, const Shares& shares, const Scales& scales,
                                           FallingControl& control, FallingNotes& notes) const {
    constexpr double rounding = Kokkos::Experimental::epsilon_v<Scalar>;
    constexpr double guard = 8;  // errors of one iteration are in the next ones' coefficients, too
    const double matrix_norm = arguments.options.matrix_norm * scales.matrix;
    double rho[1];
    add_up_residual(crew, shares, rho);
    double rr = rho[0];
    const double shadow_norm = rho[0];
    // What the first product adds is multiplied by alpha, and the second by omega.
    LevelRule of_direction(arguments.options.ranges,
                           control.epsilon(arguments.tiles.num_tile_rows));
    LevelRule of_half_step = of_direction;
    [[maybe_unused]] ConvergenceWatch watch(rr, arguments.options.patience,
                                            control.falling_iterations(arguments.options));
    for (;;) {
      of_direction.lowers = notes.lowers;
      of_half_step.lowers = notes.lowers;
      of_direction.amplification =
          guard * Kokkos::sqrt(rr) * Kokkos::sqrt(shadow_norm) / Kokkos::abs(rho[0]);
      of_half_step.amplification = of_direction.amplification;
      double shadow_v[1 + with_lowered];
      const auto direction = [&](bool) {
        multiply_direction(crew, shares, scales, of_direction, notes, shadow_v);
        return shadow_v[with_lowered] > 0 && falls;
      };
      const auto alpha = step_of_product(crew, of_direction, matrix_norm, notes, direction,
                                         [&] { return Quotient<Scalar>::of(rho[0], shadow_v[0]); });
      if (crew.has_failed()) return;
      if (alpha.what != Iterated::well) {
        control.advance(rr, alpha.what, crew.time_is_up(), crew.is_first());
        return;
      }
      double sums[4 + with_lowered];  // <t, s>, <t, t>, <shadow, s>, <shadow, t>
      const auto half_step = [&](bool again) {
        multiply_half_step(crew, shares, scales, alpha.value, again, of_half_step, notes, sums);
        return sums[3 + with_lowered] > 0 && falls;
      };
      const auto omega = step_of_product(crew, of_half_step, matrix_norm, notes, half_step,
                                         [&] { return Quotient<Scalar>::of(sums[0], sums[1]); });
      if (crew.has_failed()) return;
      if (omega.what == Iterated::not_a_number) {
        control.advance(rr, Iterated::not_a_number, crew.time_is_up(), crew.is_first());
        return;
      }
      // Where t = 0, s may be 0 as well: then the residual is.
      const auto growth = Quotient<Scalar>::of(sums[2] - omega.value * sums[3], rho[0]);
      const auto ratio = Quotient<Scalar>::of(alpha.value, omega.value);
      double norms[2];
      update(crew, shares, scales, alpha.value, omega.value, growth.value * ratio.value, norms);
      if (crew.has_failed()) return;
      rr = norms[0];
      rho[0] = norms[1];
      of_direction.step(alpha.value, matrix_norm);
      of_half_step.step(omega.value, matrix_norm);
      if constexpr (falls) {
        if (watch.has_slowed(rr, shadow_v[1] > 0 || sums[4] > 0)) notes.lowers = false;
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
      if (!control.advance(rr, what, crew.time_is_up(), crew.is_first())) return;
    }
  }

 private:
  KOKKOS_FUNCTION static Scalar precondition(const Share& share, const Scales& scales, int l,
                                             Scalar r) {
    if (share.d == nullptr) return r;
    return scales.matrix == 1
               ? share.d[l] * r
               : static_cast<Scalar>(static_cast<double>(share.d[l]) / scales.matrix * r);
  }

  /// <r, r>.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void add_up_residual(Crew& crew, const Shares& shares, double (&rr)[1]) const {
    double* const norms[2] = {arguments.norms(of_Mp), arguments.norms(of_Mr)};
    crew.template sum<1>(rr, [&](int number, double* part) {
      const Share& share = shares(number);
      visit_segments<size, falls>(crew, share, norms, [&](int l, double (&values)[2]) {
        const double r = share.r[l];
        part[0] += r * r;
        values[0] = share.Mp[share.first + l];
        values[1] = share.Mr[share.first + l];
      });
    });
  }

  /// v = A M p, <shadow, v>, and how many lanes have lowered tiles.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void multiply_direction(Crew& crew, const Shares& shares, const Scales& scales,
                                          const LevelRule& rule, FallingNotes& notes,
                                          double (&shadow_v)[1 + with_lowered]) const {
    ++notes.products;
    crew.template sum<1 + with_lowered>(shadow_v, [&](int number, double* part) {
      const Share& share = shares(number);
      if constexpr (falls) {
        const double* const norms = arguments.norms(of_Mp);
        const bool lowered = share.set_levels(
            crew, rule, [&](std::uint32_t segment) { return norms[segment]; }, notes);
        part[1] += lowered ? 1 : 0;
        crew.synchronize_lanes();
      }
      const Scalar* const Mp = share.Mp;
      multiply_rows(
          crew, RowsOfTiles<Share>(share), arguments.lanes_per_row,
          [&](Ordinal c) { return Mp[c]; },
          [&](int l, double sum) {
            const auto v = static_cast<Scalar>(scales.matrix * sum);
            share.v[l] = v;
            share.Mv[share.first + l] = precondition(share, scales, l, v);
            part[0] += static_cast<double>(share.shadow[l]) * static_cast<double>(v);
          });
      if constexpr (falls) {
        crew.synchronize_lanes();
        double* const norms[1] = {arguments.norms(of_Mv)};
        visit_segments<size, falls>(crew, share, norms, [&](int l, double (&values)[1]) {
          values[0] = share.Mv[share.first + l];
        });
      }
    });
  }

  /// s = r - alpha v, which stands in the place of r where this is done `again`, t = A M s, the
  /// four sums, and how many lanes have lowered tiles.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void multiply_half_step(Crew& crew, const Shares& shares, const Scales& scales,
                                          Scalar alpha, bool again, const LevelRule& rule,
                                          FallingNotes& notes,
                                          double (&sums)[4 + with_lowered]) const {
    ++notes.products;
    crew.template sum<4 + with_lowered>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      if constexpr (falls) {
        const double* const norms_of_Mr = arguments.norms(of_Mr);
        const double* const norms_of_Mv = arguments.norms(of_Mv);
        const double factor = Kokkos::abs(static_cast<double>(alpha));
        const bool lowered = share.set_levels(
            crew, rule,
            [&](std::uint32_t segment) {
              return norms_of_Mr[segment] + factor * norms_of_Mv[segment];
            },
            notes);
        part[4] += lowered ? 1 : 0;
        crew.synchronize_lanes();
      }
      const Scalar* const Mr = share.Mr;
      const Scalar* const Mv = share.Mv;
      multiply_rows(
          crew, RowsOfTiles<Share>(share), arguments.lanes_per_row,
          [&](Ordinal c) { return Mr[c] - alpha * Mv[c]; },
          [&](int l, double sum) {
            const Scalar s = again ? share.r[l] : share.r[l] - alpha * share.v[l];
            const auto t = static_cast<Scalar>(scales.matrix * sum);
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

  /// x, r and p for the next iteration, <r, r> and <shadow, r>.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void update(Crew& crew, const Shares& shares, const Scales& scales, Scalar alpha,
                              Scalar omega, Scalar beta, double (&sums)[2]) const {
    double* const norms[2] = {arguments.norms(of_Mp), arguments.norms(of_Mr)};
    crew.template sum<2>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      visit_segments<size, falls>(crew, share, norms, [&](int l, double (&values)[2]) {
        const Ordinal i = share.first + l;
        const Scalar s = share.r[l];
        const Scalar p = share.p[l];
        const Scalar r = s - omega * share.t[l];
        share.x[l] += alpha * share.Mp[i] + omega * precondition(share, scales, l, s);
        const Scalar next = r + beta * (p - omega * share.v[l]);
        share.r[l] = r;
        share.p[l] = next;
        const Scalar Mp = precondition(share, scales, l, next);
        const Scalar Mr = precondition(share, scales, l, r);
        share.Mp[i] = Mp;
        share.Mr[i] = Mr;
        part[0] += static_cast<double>(r) * static_cast<double>(r);
        part[1] += static_cast<double>(share.shadow[l]) * static_cast<double>(r);
        values[0] = Mp;
        values[1] = Mr;
      });
    });
  }
};

}  // namespace tessera::kernels::detail
