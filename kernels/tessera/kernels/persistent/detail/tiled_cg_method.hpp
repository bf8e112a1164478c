// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Conjugate gradients with tiles by a crew; see persistent/tiled_solve.hpp.
#pragma once

#include "tessera/kernels/persistent/detail/tiled_cycles.hpp"

namespace tessera::kernels::detail {

/// The steps of CgMethod. The residual of `A` is that of its CSR form; products are those of tiles.
template <class Scalar, class Offset, int size, bool falling>
struct TiledCgMethod {
  using scalar_type = Scalar;
  static constexpr bool falls = falling;
  /// In fixed precision all that an iteration needs stays in the registers of 512.
  static constexpr int most_lanes = falls ? 384 : 512;
  enum Vector { z, p, other_p, r, q, kept, num_vectors };
  enum Norms { of_z, of_p, num_norms };
  static constexpr int own_vectors = 5;
  static constexpr int gathered_vectors = 3;
  static constexpr int restarts = 0;
  static constexpr int products_per_iteration = 1;
  /// Where precision may fall, products add up whether a tile loses something as well.
  static constexpr int with_lowered = falling ? 1 : 0;

  TiledArguments<Scalar, Offset> arguments;

  struct Share : TileShare<Scalar, Offset, size, falls> {
    using TileShare<Scalar, Offset, size, falls>::TileShare;
    // Of the share's rows.
    Scalar* x = nullptr;
    Scalar* r = nullptr;
    Scalar* q = nullptr;
    Scalar* p = nullptr;  ///< null where it is read from the vector
    const Scalar* d = nullptr;  ///< null without a preconditioner
    // Of all rows.
    Scalar* all_of_x = nullptr;
    Scalar* z = nullptr;
    Scalar* p_even = nullptr;
    Scalar* p_odd = nullptr;
  };

  template <class Crew>
  KOKKOS_FUNCTION Share make_share(const Crew& crew, int number) const {
    Share share(crew, arguments, number);
    Scratch scratch(crew.scratch(), arguments.scratch_bytes);
    share.note_long_rows(crew, arguments.lanes_per_row, scratch);
    share.note_long_rows_of_tiles(crew, arguments.tiles, arguments.lanes_per_row, scratch);
    const int rows = share.rows;
    const Ordinal first = share.first;
    share.z = arguments.vector(z);
    share.p_even = arguments.vector(p);
    share.p_odd = arguments.vector(other_p);
    const bool is_all = rows == arguments.A.num_rows;
    if (is_all) {
      share.z = own_part(scratch, rows, share.z);
      share.p_even = own_part(scratch, rows, share.p_even);
      share.p_odd = own_part(scratch, rows, share.p_odd);
    }
    share.stage_heads(crew, scratch);
    share.r = own_part(scratch, rows, arguments.vector(r) + first);
    share.q = own_part(scratch, rows, arguments.vector(q) + first);
    share.x = own_part(scratch, rows, arguments.x + first);
    share.all_of_x = is_all ? share.x : arguments.x;
    if (!is_all) share.p = scratch.template take<Scalar>(rows);
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
        share.r[l] = r;
        share.z[share.first + l] = precondition(share, scales, l, r);
      });
    });
    rhs = sums[0];
    residual = sums[1];
  }

  template <class Crew, class Shares>
  KOKKOS_FORCEINLINE_FUNCTION void iterate(Crew& crew, const Shares& shares, const Scales& scales,
                                           FallingControl& control, FallingNotes& notes) const {
    double norms[2];
    add_up_residual(crew, shares, norms);
    double rr = norms[0];
    double rz = norms[1];
    double beta = 0;
    // <p, p> where r and z are parallel to each other, and less than that otherwise.
    double pp = rz * rz / rr;
    const double matrix_norm = arguments.options.matrix_norm * scales.matrix;
    LevelRule rule(arguments.options.ranges, control.epsilon(arguments.tiles.num_tile_rows));
    [[maybe_unused]] ConvergenceWatch watch(rr, arguments.options.patience,
                                            control.falling_iterations(arguments.options));
    bool starts = true;
    for (int turn = 0;; turn ^= 1) {
      double pq[1 + with_lowered] = {};
      Quotient<Scalar> alpha;
      rule.lowers = notes.lowers;
      rule.amplification = Kokkos::sqrt(pp * rr) / rz;
      if (!Kokkos::isfinite(rz)) {
        alpha.what = Iterated::not_a_number;
      } else if (!(rz > 0)) {
        alpha.what = Iterated::broke_down;
      } else {
        const auto product = [&](bool) {
          multiply(crew, shares, scales, turn, static_cast<Scalar>(beta), starts, rule, notes, pq);
          return pq[with_lowered] > 0 && falls;
        };
        alpha = step_of_product(crew, rule, matrix_norm, notes, product,
                                [&] { return Quotient<Scalar>::of(rz, pq[0]); });
        if (alpha.what == Iterated::well && pq[0] < 0) alpha.what = Iterated::broke_down;
      }
      if (crew.has_failed()) return;
      if (alpha.what != Iterated::well) {
        control.advance(rr, alpha.what, crew.time_is_up(), crew.is_first());
        return;
      }
      update(crew, shares, scales, turn, alpha.value, norms);
      if (crew.has_failed()) return;
      rr = norms[0];
      beta = norms[1] / rz;
      rz = norms[1];
      pp = rz * rz / rr + beta * beta * pp;
      rule.step(alpha.value, matrix_norm);
      if constexpr (falls) {
        if (watch.has_slowed(rr, pq[1] > 0)) notes.lowers = false;
      }
      if (!control.advance(rr, Iterated::well, crew.time_is_up(), crew.is_first())) return;
      starts = false;
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

  /// <r, r> and <r, z> at the start of a cycle, where there is no p yet.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void add_up_residual(Crew& crew, const Shares& shares, double (&sums)[2]) const {
    double* const norms[num_norms] = {arguments.norms(of_z), arguments.norms(of_p)};
    crew.template sum<2>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      visit_segments<size, falls>(crew, share, norms, [&](int l, double (&values)[num_norms]) {
        const double r = share.r[l];
        const double zi = share.z[share.first + l];
        part[0] += r * r;
        part[1] += r * zi;
        values[of_z] = zi;
        values[of_p] = 0;
      });
    });
  }

  /// p = z + beta p, where each row of the product makes the entries of p that it reads, q = A p,
  /// <p, q>, and how many lanes have lowered tiles.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void multiply(Crew& crew, const Shares& shares, const Scales& scales, int turn,
                                Scalar beta, bool starts, const LevelRule& rule,
                                FallingNotes& notes, double (&pq)[1 + with_lowered]) const {
    ++notes.products;
    crew.template sum<1 + with_lowered>(pq, [&](int number, double* part) {
      const Share& share = shares(number);
      if constexpr (falls) {
        const double* const norms_of_z = arguments.norms(of_z);
        const double* const norms_of_p = arguments.norms(of_p);
        const double factor = Kokkos::abs(static_cast<double>(beta));
        const bool lowered = share.set_levels(
            crew, rule,
            [&](std::uint32_t segment) {
              return norms_of_z[segment] + factor * norms_of_p[segment];
            },
            notes);
        part[1] += lowered ? 1 : 0;
        crew.synchronize_lanes();
      }
      const Scalar* const z = share.z;
      Scalar* const now = turn == 0 ? share.p_even : share.p_odd;
      // At the start nothing stands in the other p.
      const Scalar* const before = starts ? z : turn == 0 ? share.p_odd : share.p_even;
      multiply_rows(
          crew, RowsOfTiles<Share>(share), arguments.lanes_per_row,
          [&](Ordinal c) { return z[c] + beta * before[c]; },
          [&](int l, double Ap) {
            const Ordinal i = share.first + l;
            const Scalar pi = z[i] + beta * before[i];
            const auto qi = static_cast<Scalar>(scales.matrix * Ap);
            now[i] = pi;
            if (share.p != nullptr) share.p[l] = pi;
            share.q[l] = qi;
            part[0] += static_cast<double>(pi) * static_cast<double>(qi);
          });
    });
  }

  /// x = x + alpha p, r = r - alpha q, z = M r, <r, r> and <r, z>.
  template <class Crew, class Shares>
  KOKKOS_FUNCTION void update(Crew& crew, const Shares& shares, const Scales& scales, int turn,
                              Scalar alpha, double (&sums)[2]) const {
    double* const norms[num_norms] = {arguments.norms(of_z), arguments.norms(of_p)};
    crew.template sum<2>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      const Scalar* const p =
          share.p != nullptr ? share.p : (turn == 0 ? share.p_even : share.p_odd) + share.first;
      visit_segments<size, falls>(crew, share, norms, [&](int l, double (&values)[num_norms]) {
        share.x[l] += alpha * p[l];
        const Scalar r = share.r[l] - alpha * share.q[l];
        const Scalar zi = precondition(share, scales, l, r);
        share.r[l] = r;
        share.z[share.first + l] = zi;
        part[0] += static_cast<double>(r) * static_cast<double>(r);
        part[1] += static_cast<double>(r) * static_cast<double>(zi);
        values[of_z] = zi;
        values[of_p] = p[l];
      });
    });
  }
};

}  // namespace tessera::kernels::detail
