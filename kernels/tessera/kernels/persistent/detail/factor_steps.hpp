// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two triangular factors as the preconditioner of a solve within one launch.
#pragma once

#include "tessera/kernels/persistent/detail/factor_walks.hpp"
#include "tessera/kernels/persistent/detail/preconditioners.hpp"

namespace tessera::kernels::detail {

/// z = U^-1 L^-1 r.
///
/// On a device that is done by one worker where levels are small, or by all, each row as soon as it
/// can be: then the rows of U begin while the last ones of L are on their way, and all that they
/// wait for are values that were blanked when r was taken, a meeting before. On a host it goes
/// level by level.
template <class Scalar>
struct FactorSteps {
  static constexpr Reach reach = Reach::crew;

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

  template <class Crew, class Rows>
  KOKKOS_FUNCTION Share make_share(const Crew& crew, const Rows& rows, Scratch& scratch) const {
    Share share{L, U, z, rows.first, rows.rows, rows.number, false, false};
    if constexpr (Crew::one_share_a_worker) {
      share.walks = by_one_block || crew.num_shares() == 1;
      share.blanks = !share.walks;
      if (share.walks && rows.number == 0) {
        if (auto* const x = scratch.template take<Scalar>(L.num_rows)) share.x = x;
        stage(crew, share.L, scratch);
        stage(crew, share.U, scratch);
      }
    }
    return share;
  }

  KOKKOS_FUNCTION void take(const Share& share, Ordinal i, Scalar r, double) const {
    if (!share.blanks) {
      taken[i] = r;
      return;
    }
    Blank<Scalar>::publish(taken + i, r);  // which is waited for as y is
    y[i] = Blank<Scalar>::value();
    z[i] = Blank<Scalar>::value();
  }

  template <class Crew, class Shares>
  KOKKOS_FUNCTION void work(Crew& crew, const Shares& shares) const {
    if constexpr (!Crew::one_share_a_worker) {
      solve_level_by_level(crew, L, taken, y);
      solve_level_by_level(crew, U, y, z);
    } else {
      const Share& share = shares(0).M;
      if (share.walks) {
        if (share.number == 0) walk(crew, share);
        crew.barrier();
      } else {
        RowsAsTheyCome<Scalar>{L, lanes, warps, taken, y}(crew, share.number,
                                                          [](Ordinal, Scalar) {});
      }
    }
  }

  template <class Crew, class Function>
  KOKKOS_FUNCTION void finish(const Crew& crew, const Share& share, int, const Scales& scales,
                              double, const Function& f) const {
    const auto give = [&](Ordinal i, Scalar value) {
      f(i, scales.matrix == 1 ? value
                              : static_cast<Scalar>(static_cast<double>(value) / scales.matrix));
    };
    if constexpr (Crew::one_share_a_worker) {
      if (!share.walks) {
        RowsAsTheyCome<Scalar>{U, lanes, warps, y, z}(crew, share.number, give);
        return;
      }
    }
    visit_rows(crew, share, [&](int l) { give(share.first + l, z[share.first + l]); });
  }

 private:
  template <class Crew>
  KOKKOS_FUNCTION void walk(const Crew& crew, const Share& share) const {
    const int walking = crew.lanes_that_meet(walkers);
    BlockWalk<Scalar>{share.L, lanes, walking, taken, share.x, nullptr}(crew);
    Scalar* const copy = share.x != z ? z : nullptr;
    BlockWalk<Scalar>{share.U, lanes, walking, share.x, share.x, copy}(crew);
  }

  /// What is read in each turn first.
  template <class Crew>
  KOKKOS_FUNCTION static void stage(const Crew& crew, PlainLevels<Scalar>& T, Scratch& scratch) {
    const auto n = static_cast<std::size_t>(T.num_rows);
    const auto entries = static_cast<std::size_t>(T.offsets[T.num_rows]);
    T.level_offsets =
        staged(crew, T.level_offsets, static_cast<std::size_t>(T.num_levels) + 1, scratch);
    T.offsets = staged(crew, T.offsets, n + 1, scratch);
    T.rows = staged(crew, T.rows, n, scratch);
    T.columns = staged(crew, T.columns, entries, scratch);
    T.values = staged(crew, T.values, entries, scratch);
    if (T.inverse_diagonal != nullptr)
      T.inverse_diagonal = staged(crew, T.inverse_diagonal, n, scratch);
  }
  template <class Crew, class T>
  KOKKOS_FUNCTION static const T* staged(const Crew& crew, const T* from, std::size_t count,
                                         Scratch& scratch) {
    T* const to = scratch.take<T>(count);
    if (to == nullptr) return from;
    for (std::size_t i = crew.lane(); i < count; i += crew.num_lanes())
      to[i] = from[i];
    return to;
  }
};

}  // namespace tessera::kernels::detail
