// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Conjugate gradients by a cooperative group; see persistent/solve.hpp and
/// persistent/tiled_solve.hpp.
#pragma once

#include "tessera/kernels/persistent/detail/solve_work.hpp"

namespace tessera::kernels::detail {

/// By shares that are `Rows`: a KrylovShare, or a TileShare, whose products are those of tiles. The
/// residual of `A` is that of its CSR form in both.
///
/// M: see preconditioners.hpp. Where that is the work of the whole group it may vary a little from
/// one application to the next, and beta is that of Polak and Ribiere, <z, r - r before> over the
/// <z, r> before: r - r before is -alpha q.
template <class Rows>
struct CgMethod {
  using Scalar = typename Rows::scalar_type;
  using M = typename Rows::preconditioner_type;
  using Levels = typename Rows::Levels;
  using scalar_type = Scalar;
  using preconditioner_type = M;
  using Holding = CgMethod<typename Rows::Holding>;
  using Windowed = CgMethod<typename Rows::Windowed>;
  static constexpr int held_limit = Rows::held_limit;
  static constexpr bool may_hold_entries = Rows::may_hold_entries;
  static constexpr bool may_have_window = Rows::may_have_window;
  static constexpr bool is_dynamic = Rows::is_dynamic;
  /// With tiles. In fixed precision all that an iteration needs stays in the registers of 512.
  static constexpr int max_tiled_lanes = is_dynamic ? 384 : 512;
  enum Vector { z, p, other_p, r, q, kept, num_vectors };
  enum Norms { of_z, of_p, num_norms };
  /// Vectors of which a worker keeps its rows in shared memory: x, r, q, p and the diagonal.
  static constexpr int own_vectors = 5;
  /// Those that products read, beside x.
  static constexpr int gathered_vectors = 3;
  static constexpr int restarts = 0;
  static constexpr int products_per_iteration = 1;
  static constexpr bool by_group = M::reach == Reach::group;
  /// Where precision may be lowered, products add up whether a tile loses something as well.
  static constexpr int with_lowered = is_dynamic ? 1 : 0;

  typename Rows::Arguments arguments;
  M preconditioner;

  struct Share : Rows {
    using Rows::Rows;
    // Of the share's rows.
    Scalar* q = nullptr;
    Scalar* p = nullptr;  ///< null where it is read from the vector
    // Of all rows.
    Scalar* z = nullptr;
    Scalar* p_even = nullptr;
    Scalar* p_odd = nullptr;
  };

  template <class Group>
  KOKKOS_FUNCTION Share make_share(const Group& group, int number) const {
    Share share(group, arguments, number);
    Scratch scratch(group.scratch(), arguments.scratch_bytes);
    share.note_rows(group, arguments, scratch);
    const int rows = share.rows;
    const Ordinal first = share.first;
    share.z = arguments.vector(z);
    share.p_even = arguments.vector(p);
    share.p_odd = arguments.vector(other_p);
    share.r = arguments.vector(r) + first;
    share.q = arguments.vector(q) + first;
    const bool is_all = rows == arguments.A.num_rows;
    if (is_all) {
      share.z = own_part(scratch, rows, share.z);
      share.p_even = own_part(scratch, rows, share.p_even);
      share.p_odd = own_part(scratch, rows, share.p_odd);
    }
    share.stage_offsets(group, scratch);
    // Others read r and q where M is the group's work.
    if (!by_group) {
      share.r = own_part(scratch, rows, share.r);
      share.q = own_part(scratch, rows, share.q);
    }
    share.x = own_part(scratch, rows, arguments.x + first);
    share.all_of_x = is_all ? share.x : arguments.x;
    if (!is_all) share.p = scratch.template take<Scalar>(rows);
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
        if constexpr (M::reach == Reach::row)
          share.z[share.first + l] = M::row(share.M, scales, l, r);
      });
    });
    rhs = sums[0];
    residual = sums[1];
  }

  template <class Group, class Shares, class Control, class Notes>
  KOKKOS_FORCEINLINE_FUNCTION void iterate(Group& group, const Shares& shares, const Scales& scales,
                                           Control& control, Notes& notes) const {
    double norms[2] = {control.residual(), 0};
    double zq = 0;
    begin(group, shares, scales, norms, zq);
    if (group.has_failed()) return;
    double rr = norms[0];
    double rz = norms[1];
    double beta = 0;
    // <p, p> where r and z are parallel to each other, and less than that otherwise.
    [[maybe_unused]] double pp = rz * rz / rr;
    const double matrix_norm = Levels::matrix_norm(arguments, scales);
    auto rule = Levels::rule(arguments, control);
    [[maybe_unused]] auto monitor = Levels::monitor(arguments, control, rr);
    bool starts = true;
    for (int turn = 0;; turn ^= 1) {
      double pq[1 + with_lowered] = {};
      Quotient<Scalar> alpha;
      if constexpr (is_dynamic) {
        rule.lowers = notes.lowers;
        rule.amplification = Kokkos::sqrt(pp * rr) / rz;
      }
      if (!Kokkos::isfinite(rz)) {
        alpha.what = Iterated::not_a_number;
      } else if (!(rz > 0)) {
        alpha.what = Iterated::broke_down;
      } else {
        const auto product = [&](bool) {
          multiply(group, shares, scales, turn, static_cast<Scalar>(beta), starts, rule, notes, pq);
          return pq[with_lowered] > 0;
        };
        alpha = Levels::step_of_product(group, rule, matrix_norm, notes, product,
                                        [&] { return Quotient<Scalar>::of(rz, pq[0]); });
        if (alpha.what == Iterated::well && pq[0] < 0) alpha.what = Iterated::broke_down;
      }
      if (group.has_failed()) return;
      if (alpha.what != Iterated::well) {
        control.advance(rr, alpha.what, group.time_is_up(), group.is_first());
        return;
      }
      update(group, shares, scales, turn, alpha.value, factor_to_unit(rr), norms);
      if (group.has_failed()) return;
      if constexpr (!by_group) beta = norms[1] / rz;
      if constexpr (is_dynamic) {
        pp = norms[1] * norms[1] / norms[0] + beta * beta * pp;
        rule.step(alpha.value, matrix_norm);
        if (monitor.has_slowed(norms[0], pq[1] > 0)) notes.lowers = false;
      }
      if (!control.advance(norms[0], Iterated::well, group.time_is_up(), group.is_first())) return;
      if constexpr (by_group) {
        precondition(group, shares, scales, factor_to_unit(rr), norms[1], zq);
        if (group.has_failed()) return;
        beta = -static_cast<double>(alpha.value) * zq / rz;
      }
      rr = norms[0];
      rz = norms[1];
      starts = false;
    }
  }

 private:
  /// z = M r, <r, r> and <r, z> at the start of a cycle, where there is no p yet.
  template <class Group, class Shares>
  KOKKOS_FUNCTION void begin(Group& group, const Shares& shares, const Scales& scales,
                             double (&norms)[2], double& zq) const {
    if constexpr (by_group) {
      const double factor = factor_to_unit(norms[0]);
      group.for_each_share([&](int number) {
        const Share& share = shares(number);
        visit_rows(group, share, [&](int l) {
          share.q[l] = 0;
          preconditioner.take(share.M, share.first + l, share.r[l], factor);
        });
      });
      group.barrier();
      precondition(group, shares, scales, factor, norms[1], zq);
    } else {
      group.template sum<2>(norms, [&](int number, double* part) {
        const Share& share = shares(number);
        share.template visit<of_z, 2>(group, arguments, [&](int l, double (&values)[2]) {
          const double r = share.r[l];
          if constexpr (M::reach == Reach::share)
            share.z[share.first + l] = M::row(share.M, scales, l, share.r);
          const double zi = share.z[share.first + l];
          part[0] += r * r;
          part[1] += r * zi;
          values[of_z] = zi;
          values[of_p] = 0;
        });
      });
    }
  }

  /// z = M r by the group, of an r that it has taken, <r, z> and <q, z>.
  template <class Group, class Shares>
  KOKKOS_FUNCTION void precondition(Group& group, const Shares& shares, const Scales& scales,
                                    double factor, double& rz, double& qz) const {
    preconditioner.work(group, shares);
    double sums[2];
    group.template sum<2>(sums, [&](int number, double* part) {
      const Share& share = shares(number);
      const Scalar* const all_of_r = arguments.vector(r);
      const Scalar* const all_of_q = arguments.vector(q);
      preconditioner.finish(group, share.M, number, scales, factor, [&](Ordinal i, Scalar zi) {
        share.z[i] = zi;
        part[0] += static_cast<double>(all_of_r[i]) * static_cast<double>(zi);
        part[1] += static_cast<double>(all_of_q[i]) * static_cast<double>(zi);
      });
    });
    rz = sums[0];
    qz = sums[1];
  }

  /// p = z + beta p, where each row of the product makes the entries of p that it reads, q = A p,
  /// <p, q>, and, where precision may be lowered, how many lanes have lowered tiles.
  template <class Group, class Shares, class Rule, class Notes>
  KOKKOS_FUNCTION void multiply(Group& group, const Shares& shares, const Scales& scales, int turn,
                                Scalar beta, bool starts, const Rule& rule, Notes& notes,
                                double (&pq)[1 + with_lowered]) const {
    if constexpr (is_dynamic) ++notes.products;
    group.template sum<1 + with_lowered>(pq, [&](int number, double* part) {
      const Share& share = shares(number);
      if constexpr (is_dynamic) {
        const double* const norms_of_z = arguments.norms(of_z);
        const double* const norms_of_p = arguments.norms(of_p);
        const double factor = Kokkos::abs(static_cast<double>(beta));
        const bool lowered = share.set_levels(
            group, rule,
            [&](std::uint32_t segment) {
              return norms_of_z[segment] + factor * norms_of_p[segment];
            },
            notes);
        part[1] += lowered ? 1 : 0;
        group.synchronize_lanes();
      }
      const Scalar* const z = share.z;
      Scalar* const now = turn == 0 ? share.p_even : share.p_odd;
      // At the start nothing stands in the other p.
      const Scalar* const before = starts ? z : turn == 0 ? share.p_odd : share.p_even;
      multiply_rows(
          group, share.products(), arguments.lanes_per_row,
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

  /// x = x + alpha p, r = r - alpha q, and <r, r>; then z = M r and <r, z>, but by the group, which
  /// takes r with that factor.
  template <class Group, class Shares>
  KOKKOS_FUNCTION void update(Group& group, const Shares& shares, const Scales& scales, int turn,
                              Scalar alpha, double factor, double (&norms)[2]) const {
    group.template sum<2>(norms, [&](int number, double* part) {
      const Share& share = shares(number);
      const Scalar* const p =
          share.p != nullptr ? share.p : (turn == 0 ? share.p_even : share.p_odd) + share.first;
      share.template visit<of_z, 2>(group, arguments, [&](int l, double (&values)[2]) {
        share.x[l] += alpha * p[l];
        const Scalar r = share.r[l] - alpha * share.q[l];
        if constexpr (M::reach == Reach::row) {
          const Scalar zi = M::row(share.M, scales, l, r);
          share.z[share.first + l] = zi;
          part[1] += static_cast<double>(r) * static_cast<double>(zi);
          values[of_z] = zi;
          values[of_p] = p[l];
        }
        share.r[l] = r;
        part[0] += static_cast<double>(r) * static_cast<double>(r);
        if constexpr (by_group) preconditioner.take(share.M, share.first + l, r, factor);
      });
      if constexpr (M::reach == Reach::share) {
        group.synchronize_lanes();
        visit_rows(group, share, [&](int l) {
          const Scalar zi = M::row(share.M, scales, l, share.r);
          share.z[share.first + l] = zi;
          part[1] += static_cast<double>(share.r[l]) * static_cast<double>(zi);
        });
      }
    });
  }
};

}  // namespace tessera::kernels::detail
