// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/ilu/fsai.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/ilu/detail/strongest_columns.hpp"
#include "tessera/kernels/ilu/detail/worker_room.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace tessera::kernels {
namespace fsai_detail {

/// Rows of G, one dense Cholesky factor of a worker at a time: packed by rows, L_pq at
/// p (p + 1) / 2 + q.
template <class Scalar, class Space, class Offset>
struct FillRows {
  CsrView<Scalar, Space, Offset> A;
  Csr<Scalar, Space, Offset> G;
  Ordinal num_workers;
  WorkerRoom<double, Space> room;

  KOKKOS_FUNCTION double& at(Ordinal worker, int p, int q) const {
    return room(worker, p * (p + 1) / 2 + q);
  }

  /// The place of `column` among those of the row, or -1.
  KOKKOS_FUNCTION int place_of(Ordinal column, Offset begin, int m) const {
    int low = 0;
    int high = m;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (G.columns(begin + middle) < column) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < m && G.columns(begin + low) == column ? low : -1;
  }

  KOKKOS_FUNCTION void gather(Ordinal worker, Offset begin, int m) const {
    for (int k = 0; k < m * (m + 1) / 2; ++k)
      room(worker, k) = 0;
    for (int p = 0; p < m; ++p) {
      const Ordinal row = G.columns(begin + p);
      for (Offset e = A.offsets(row); e < A.offsets(row + 1); ++e) {
        const Ordinal column = A.columns(e);
        if (column > row) continue;
        const int q = place_of(column, begin, m);
        if (q >= 0) at(worker, p, q) += static_cast<double>(A.values(e));
      }
    }
  }

  /// False where a pivot is not positive, or lost in the rounding of what it is the rest of.
  KOKKOS_FUNCTION bool factor(Ordinal worker, int m) const {
    for (int p = 0; p < m; ++p) {
      for (int q = 0; q <= p; ++q) {
        double sum = at(worker, p, q);
        const double least = m * Kokkos::Experimental::epsilon_v<Scalar> * sum;
        for (int k = 0; k < q; ++k)
          sum -= at(worker, p, k) * at(worker, q, k);
        if (q < p) {
          at(worker, p, q) = sum / at(worker, q, q);
        } else {
          if (!(sum > least) || !(sum > 0) || !Kokkos::isfinite(sum)) return false;
          at(worker, p, p) = Kokkos::sqrt(sum);
        }
      }
    }
    return true;
  }

  /// L^T g = e_m, in the place of L's last row.
  KOKKOS_FUNCTION bool solve(Ordinal worker, int m) const {
    const int last = m - 1;
    at(worker, last, last) = 1 / at(worker, last, last);
    bool is_finite = is_representable(at(worker, last, last));
    for (int q = last - 1; q >= 0; --q) {
      double sum = at(worker, last, q) * at(worker, last, last);
      for (int p = q + 1; p < last; ++p)
        sum += at(worker, p, q) * at(worker, last, p);
      at(worker, last, q) = -sum / at(worker, q, q);
      is_finite = is_finite && is_representable(at(worker, last, q));
    }
    return is_finite;
  }

  KOKKOS_FUNCTION static bool is_representable(double value) {
    return Kokkos::isfinite(static_cast<Scalar>(value));
  }

  KOKKOS_FUNCTION void fall_back(Ordinal i, Offset begin, int m) const {
    double diagonal = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
      if (A.columns(e) == i) diagonal += static_cast<double>(A.values(e));
    const double value = diagonal > 0 ? 1 / Kokkos::sqrt(diagonal) : 0;
    for (int k = 0; k < m - 1; ++k)
      G.values(begin + k) = 0;
    G.values(begin + m - 1) = is_representable(value) ? static_cast<Scalar>(value) : Scalar(0);
  }

  KOKKOS_FUNCTION bool fill(Ordinal worker, Ordinal i) const {
    const Offset begin = G.offsets(i);
    const int m = static_cast<int>(G.offsets(i + 1) - begin);
    gather(worker, begin, m);
    if (!factor(worker, m) || !solve(worker, m)) {
      fall_back(i, begin, m);
      return false;
    }
    for (int k = 0; k < m; ++k)
      G.values(begin + k) = static_cast<Scalar>(at(worker, m - 1, k));
    return true;
  }

  KOKKOS_FUNCTION void operator()(Ordinal worker, Ordinal& failed, Ordinal& first) const {
    const Share share = share_of<Space>(worker, num_workers, A.num_rows);
    for (Ordinal i = share.first; i < share.last; i += share.step) {
      if (fill(worker, i)) continue;
      ++failed;
      first = Kokkos::min(first, i);
    }
  }
};

}  // namespace fsai_detail

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> scaled_couplings(const Space& exec,
                                            const CsrView<Scalar, Space, Offset>& A, double drop) {
  require(A.num_rows == A.num_cols, [&] {
    return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
           ", expected a square matrix";
  });
  const auto n = static_cast<std::size_t>(A.num_rows);
  const auto offsets = allocate<Offset>(exec, "tessera::fsai::offsets", n + 1);
  const auto columns = allocate<Ordinal>(exec, "tessera::fsai::columns", A.num_entries);
  const auto values = allocate<Scalar>(exec, "tessera::fsai::couplings", A.num_entries);
  Kokkos::deep_copy(exec, offsets, A.offsets);
  Kokkos::deep_copy(exec, columns, A.columns);
  const auto diagonal = allocate<Scalar>(exec, "tessera::fsai::diagonal", n);
  extract_diagonal(exec, A, diagonal);
  Kokkos::parallel_for(
      "tessera::fsai::couplings", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      fsai_detail::ScaleCouplings<Scalar, Space, Offset>{A, diagonal, drop, values});
  return {A.num_rows, A.num_cols, offsets, columns, values};
}

template <class Scalar, class Space, class Offset>
Csr<Scalar, Space, Offset> fsai_pattern(const Space& exec,
                                        const CsrView<Scalar, Space, Offset>& couplings,
                                        int max_row_entries) {
  require(max_row_entries >= 1 && max_row_entries <= fsai_longest_row &&
              couplings.num_rows == couplings.num_cols,
          [&] {
            return "max_row_entries is " + std::to_string(max_row_entries) + " for a matrix of " +
                   std::to_string(couplings.num_rows) + " by " +
                   std::to_string(couplings.num_cols) + "; expected 1 to " +
                   std::to_string(fsai_longest_row) + ", and a square matrix";
          });
  const Ordinal n = couplings.num_rows;
  const int most = max_row_entries - 1;
  const Ordinal workers =
      fsai_detail::num_workers(exec, n, std::max(most, 1) * (sizeof(Ordinal) + sizeof(Scalar)));
  const fsai_detail::StrongestColumns<Scalar, Space, Offset> strongest{
      couplings,
      most,
      {exec, "tessera::fsai::row_columns", workers, most},
      {exec, "tessera::fsai::row_strengths", workers, most}};
  const Kokkos::RangePolicy<Space> policy(exec, 0, n == 0 ? 0 : workers);
  const auto offsets = allocate<Offset>(exec, "tessera::fsai::offsets", n + 1ul);
  Kokkos::parallel_for(
      "tessera::fsai::count", policy,
      fsai_detail::CountColumns<Scalar, Space, Offset>{strongest, workers, offsets});
  const std::size_t total = counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::fsai::columns", total);
  Kokkos::parallel_for(
      "tessera::fsai::columns", policy,
      fsai_detail::WriteColumns<Scalar, Space, Offset>{strongest, workers, offsets, columns});
  return {n, n, offsets, columns, allocate<Scalar>(exec, "tessera::fsai::values", total)};
}

template <class Scalar, class Space, class Offset>
FsaiReport fill_fsai(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                     const Csr<Scalar, Space, Offset>& G) {
  const Ordinal n = A.num_rows;
  require(A.num_cols == n && G.num_rows == n && G.num_cols == n, [&] {
    return "A is " + std::to_string(n) + " by " + std::to_string(A.num_cols) + ", G " +
           std::to_string(G.num_rows) + " by " + std::to_string(G.num_cols) +
           "; expected square matrices of one size";
  });
  if (n == 0) return {};
  Offset longest = 0;
  Kokkos::parallel_reduce(
      "tessera::fsai::longest_row", Kokkos::RangePolicy<Space>(exec, 0, n),
      KOKKOS_LAMBDA(const Ordinal i, Offset& most) {
        most = Kokkos::max(most, G.offsets(i + 1) - G.offsets(i));
      },
      Kokkos::Max<Offset>(longest));
  require(longest <= fsai_longest_row, [&] {
    return "G has a row of " + std::to_string(longest) + " entries, expected at most " +
           std::to_string(fsai_longest_row);
  });
  const int size = static_cast<int>(longest * (longest + 1) / 2);
  const Ordinal workers = fsai_detail::num_workers(exec, n, size * sizeof(double));
  const fsai_detail::FillRows<Scalar, Space, Offset> fill{
      A, G, workers, {exec, "tessera::fsai::dense_systems", workers, size}};
  FsaiReport report;
  Kokkos::parallel_reduce("tessera::fsai::fill", Kokkos::RangePolicy<Space>(exec, 0, workers), fill,
                          Kokkos::Sum<Ordinal>(report.num_diagonal),
                          Kokkos::Min<Ordinal>(report.first_row));
  exec.fence("tessera::fsai::fill");
  if (report.num_diagonal == 0) report.first_row = n;
  return report;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, scaled_couplings)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fsai_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_fsai)

}  // namespace tessera::kernels
