// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The two products of an iteration of BiCGSTAB; see bicgstab_method.hpp.
#pragma once

#include "tessera/kernels/persistent/detail/solve_work.hpp"

namespace tessera::kernels::detail {

/// v = A M p, <shadow, v>, and, where precision may be lowered, how many lanes have lowered
/// tiles; then M v, but by the group, which takes v with that factor.
template <class Method, class Group, class Shares, class Rule, class Notes>
KOKKOS_FUNCTION void multiply_bicgstab_direction(const Method& method, Group& group,
                                                 const Shares& shares, const Scales& scales,
                                                 double factor, const Rule& rule, Notes& notes,
                                                 double (&shadow_v)[1 + Method::with_lowered]) {
  using Scalar = typename Method::Scalar;
  using M = typename Method::M;
  using Share = typename Method::Share;
  if constexpr (Method::is_dynamic) ++notes.products;
  group.template sum<1 + Method::with_lowered>(shadow_v, [&](int number, double* part) {
    const Share& share = shares(number);
    if constexpr (Method::is_dynamic) {
      const double* const norms = method.arguments.norms(Method::of_Mp);
      const bool lowered = share.set_levels(
          group, rule, [&](std::uint32_t segment) { return norms[segment]; }, notes);
      part[1] += lowered ? 1 : 0;
      group.synchronize_lanes();
    }
    const Scalar* const Mp = share.Mp;
    multiply_rows(
        group, share.products(), method.arguments.lanes_per_row, [&](Ordinal c) { return Mp[c]; },
        [&](int l, double sum) {
          const auto v = static_cast<Scalar>(scales.matrix * sum);
          share.v[l] = v;
          if constexpr (Method::by_row) share.Mv[share.first + l] = M::row(share.M, scales, l, v);
          if constexpr (Method::by_group)
            method.preconditioner.take(share.M, share.first + l, v, factor);
          part[0] += static_cast<double>(share.shadow[l]) * static_cast<double>(v);
        });
    if constexpr (M::reach == Reach::share) {
      group.synchronize_lanes();
      visit_rows(group, share,
                 [&](int l) { share.Mv[share.first + l] = M::row(share.M, scales, l, share.v); });
    }
    if constexpr (Method::is_dynamic) {
      group.synchronize_lanes();
      share.template visit<Method::of_Mv, 1>(
          group, method.arguments,
          [&](int l, double (&values)[1]) { values[0] = share.Mv[share.first + l]; });
    }
  });
}

/// s = r - alpha v, which stands in the place of r where this is done `again`, t = A M s, the
/// four sums, and, where precision may be lowered, how many lanes have lowered tiles.
template <class Method, class Group, class Shares, class Rule, class Notes>
KOKKOS_FUNCTION void multiply_bicgstab_half_step(const Method& method, Group& group,
                                                 const Shares& shares, const Scales& scales,
                                                 typename Method::Scalar alpha, bool again,
                                                 const Rule& rule, Notes& notes,
                                                 double (&sums)[4 + Method::with_lowered]) {
  using Scalar = typename Method::Scalar;
  using Share = typename Method::Share;
  if constexpr (Method::is_dynamic) ++notes.products;
  group.template sum<4 + Method::with_lowered>(sums, [&](int number, double* part) {
    const Share& share = shares(number);
    if constexpr (Method::is_dynamic) {
      const double* const norms_of_Mr = method.arguments.norms(Method::of_Mr);
      const double* const norms_of_Mv = method.arguments.norms(Method::of_Mv);
      const double factor = Kokkos::abs(static_cast<double>(alpha));
      const bool lowered = share.set_levels(
          group, rule,
          [&](std::uint32_t segment) {
            return norms_of_Mr[segment] + factor * norms_of_Mv[segment];
          },
          notes);
      part[4] += lowered ? 1 : 0;
      group.synchronize_lanes();
    }
    const Scalar* const Mr = share.Mr;
    const Scalar* const Mv = share.Mv;
    multiply_rows(
        group, share.products(), method.arguments.lanes_per_row,
        [&](Ordinal c) { return Mr[c] - alpha * Mv[c]; },
        [&](int l, double sum) {
          const Scalar s =
              Method::is_dynamic && again ? share.r[l] : share.r[l] - alpha * share.v[l];
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

}  // namespace tessera::kernels::detail
