// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two triangular factors as the preconditioner of a solve within one launch.
#pragma once

#include "tessera/kernels/persistent/detail/factor_walks.hpp"
#include "tessera/kernels/persistent/detail/multiply_rows.hpp"
#include "tessera/kernels/persistent/detail/preconditioners.hpp"

namespace tessera::kernels::detail {

/// z = U^-1 L^-1 r.
///
/// On a device that is done by one worker where levels are small, or by all, each row as soon as it
/// can be: then the rows of U begin while the last ones of L are on their way, and all that they
/// wait for are values that were reset when r was taken, a barrier before. On a host it goes
/// level by level.
template <class Scalar>
struct FactorSteps {
  static constexpr Reach reach = Reach::group;

  PlainLevels<Scalar> L, U;
  Scalar* taken;  ///< r; of length num_rows, as y and z
  Scalar* y;
  Scalar* z;
  int lanes;  ///< that share a row on a device
  int walkers;  ///< lanes of a worker that solves by itself
  int warps;  ///< that work at once where all workers solve
  bool by_one_block;

  struct Share {
    PlainLevels<Scalar> L,
        U;  ///< of a worker that solves by itself: as far as there is room, staged
    Scalar* x = nullptr;  ///< of all rows, for L^-1 r and for z
    Ordinal first = 0;
    int rows = 0;
    int number = 0;
    bool blanks = false;
    bool walks = false;
  };

  KOKKOS_FUNCTION Ordinal granule() const { return 1; }

  template <class Group, class Rows>
  KOKKOS_FUNCTION Share make_share(const Group& group, const Rows& rows, Scratch& scratch) const {
    Share share{L, U, z, rows.first, rows.rows, rows.number, false, false};
    if constexpr (Group::one_share_per_worker) {
      share.walks = by_one_block || group.num_shares() == 1;
      share.blanks = !share.walks;
      if (share.walks && rows.number == 0) {
        if (auto* const x = scratch.template take<Scalar>(L.num_rows)) share.x = x;
        stage(group, share.L, scratch);
        stage(group, share.U, scratch);
      }
    }
    return share;
  }

  KOKKOS_FUNCTION void take(const Share& share, Ordinal i, Scalar r, double) const {
    if (!share.blanks) {
      taken[i] = r;
      return;
    }
    Sentinel<Scalar>::publish(taken + i, r);  // which is waited for as y is
    y[i] = Sentinel<Scalar>::value();
    z[i] = Sentinel<Scalar>::value();
  }

  template <class Group, class Shares>
  KOKKOS_FUNCTION void work(Group& group, const Shares& shares) const {
    if constexpr (!Group::one_share_per_worker) {
      solve_level_by_level(group, L, taken, y);
      solve_level_by_level(group, U, y, z);
    } else {
      const Share& share = shares(0).M;
      if (share.walks) {
        if (share.number == 0) walk(group, share);
        group.barrier();
      } else {
        SynchronizationFreeRows<Scalar>{L, lanes, warps, taken, y}(group, share.number,
                                                                   [](Ordinal, Scalar) {});
      }
    }
  }

  template <class Group, class Function>
  KOKKOS_FUNCTION void finish(const Group& group, const Share& share, int, const Scales& scales,
                              double, const Function& f) const {
    const auto give = [&](Ordinal i, Scalar value) {
      f(i, scales.matrix == 1 ? value
                              : static_cast<Scalar>(static_cast<double>(value) / scales.matrix));
    };
    if constexpr (Group::one_share_per_worker) {
      if (!share.walks) {
        SynchronizationFreeRows<Scalar>{U, lanes, warps, y, z}(group, share.number, give);
        return;
      }
    }
    visit_rows(group, share, [&](int l) { give(share.first + l, z[share.first + l]); });
  }

 private:
  template <class Group>
  KOKKOS_FUNCTION void walk(const Group& group, const Share& share) const {
    const int walking = group.lanes_that_synchronize(walkers);
    BlockWalk<Scalar>{share.L, lanes, walking, taken, share.x, nullptr}(group);
    Scalar* const copy = share.x != z ? z : nullptr;
    BlockWalk<Scalar>{share.U, lanes, walking, share.x, share.x, copy}(group);
  }

  /// What is read in each turn first.
  template <class Group>
  KOKKOS_FUNCTION static void stage(const Group& group, PlainLevels<Scalar>& T, Scratch& scratch) {
    const auto n = static_cast<std::size_t>(T.num_rows);
    const auto entries = static_cast<std::size_t>(T.offsets[T.num_rows]);
    T.level_offsets =
        staged(group, T.level_offsets, static_cast<std::size_t>(T.num_levels) + 1, scratch);
    T.offsets = staged(group, T.offsets, n + 1, scratch);
    T.rows = staged(group, T.rows, n, scratch);
    T.columns = staged(group, T.columns, entries, scratch);
    T.values = staged(group, T.values, entries, scratch);
    if (T.inverse_diagonal != nullptr)
      T.inverse_diagonal = staged(group, T.inverse_diagonal, n, scratch);
  }
  template <class Group, class T>
  KOKKOS_FUNCTION static const T* staged(const Group& group, const T* from, std::size_t count,
                                         Scratch& scratch) {
    T* const to = scratch.take<T>(count);
    if (to == nullptr) return from;
    for (std::size_t i = group.lane(); i < count; i += group.num_lanes())
      to[i] = from[i];
    return to;
  }
};

}  // namespace tessera::kernels::detail
