// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The pattern of a factorised sparse approximate inverse: of each row the strongest couplings.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/ilu/detail/worker_room.hpp"

namespace tessera::kernels::fsai_detail {

/// |a_ij| / sqrt(|a_ii a_jj|), or 0 where it is not above `drop` or not finite.
template <class Scalar, class Space, class Offset>
struct ScaleCouplings {
  CsrView<Scalar, Space, Offset> A;
  Array<Scalar, Space> diagonal;
  double drop;
  Array<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const auto root_of = [&](Ordinal row) {
      return Kokkos::sqrt(Kokkos::abs(static_cast<double>(diagonal(row))));
    };
    const double own = root_of(i);
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double value =
          Kokkos::abs(static_cast<double>(A.values(e))) / own / root_of(A.columns(e));
      values(e) = value > drop && Kokkos::isfinite(value) ? static_cast<Scalar>(value) : Scalar(0);
    }
  }
};

/// The strongest columns before the diagonal of a row, one row of a worker at a time.
template <class Scalar, class Space, class Offset>
struct StrongestColumns {
  CsrView<Scalar, Space, Offset> couplings;
  int most;
  WorkerRoom<Ordinal, Space> columns;
  WorkerRoom<Scalar, Space> strengths;

  KOKKOS_FUNCTION bool is_stronger(Scalar a, Ordinal i, Scalar b, Ordinal j) const {
    return a > b || (a == b && i > j);
  }

  KOKKOS_FUNCTION int find(Ordinal worker, int count, Ordinal column) const {
    for (int k = 0; k < count; ++k)
      if (columns(worker, k) == column) return k;
    return -1;
  }

  KOKKOS_FUNCTION int weakest(Ordinal worker, int count) const {
    int at = 0;
    for (int k = 1; k < count; ++k) {
      if (is_stronger(strengths(worker, at), columns(worker, at), strengths(worker, k),
                      columns(worker, k)))
        at = k;
    }
    return at;
  }

  KOKKOS_FUNCTION void put(Ordinal worker, int at, Ordinal column, Scalar strength) const {
    columns(worker, at) = column;
    strengths(worker, at) = strength;
  }

  /// How many there are in the worker's room, in no order.
  KOKKOS_FUNCTION int collect(Ordinal worker, Ordinal i) const {
    int count = 0;
    for (Offset e = couplings.offsets(i); e < couplings.offsets(i + 1); ++e) {
      const Ordinal j = couplings.columns(e);
      const Scalar strength = couplings.values(e);
      if (j >= i || !(strength > Scalar(0)) || most == 0) continue;
      const int known = find(worker, count, j);
      if (known >= 0) {
        strengths(worker, known) = Kokkos::max(strengths(worker, known), strength);
      } else if (count < most) {
        put(worker, count++, j, strength);
      } else {
        const int at = weakest(worker, count);
        if (is_stronger(strength, j, strengths(worker, at), columns(worker, at)))
          put(worker, at, j, strength);
      }
    }
    return count;
  }
};

/// One more than the columns of each row: the diagonal is the last.
template <class Scalar, class Space, class Offset>
struct CountColumns {
  StrongestColumns<Scalar, Space, Offset> strongest;
  Ordinal num_workers;
  Array<Offset, Space> counts;

  KOKKOS_FUNCTION void operator()(Ordinal worker) const {
    const Share share = share_of<Space>(worker, num_workers, strongest.couplings.num_rows);
    for (Ordinal i = share.first; i < share.last; i += share.step)
      counts(i) = strongest.collect(worker, i) + 1;
  }
};

/// The columns of each row in ascending order.
template <class Scalar, class Space, class Offset>
struct WriteColumns {
  StrongestColumns<Scalar, Space, Offset> strongest;
  Ordinal num_workers;
  Array<Offset, Space> offsets;
  Array<Ordinal, Space> columns;

  KOKKOS_FUNCTION void operator()(Ordinal worker) const {
    const Share share = share_of<Space>(worker, num_workers, strongest.couplings.num_rows);
    for (Ordinal i = share.first; i < share.last; i += share.step) {
      const int count = strongest.collect(worker, i);
      const Offset begin = offsets(i);
      for (int k = 0; k < count; ++k) {
        const Ordinal column = strongest.columns(worker, k);
        Offset at = begin + k;
        for (; at > begin && columns(at - 1) > column; --at)
          columns(at) = columns(at - 1);
        columns(at) = column;
      }
      columns(begin + count) = i;
    }
  }
};

}  // namespace tessera::kernels::fsai_detail
