// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/fine_inverse.hpp"

#include "tessera/amg/coarsening/detail/relative_sizes.hpp"
#include "tessera/amg/coarsening/gmres_polynomial.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/throwing_parallel_for.hpp"
#include "tessera/kernels/format/find_entry.hpp"
#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tessera::amg {
namespace detail {

/// The fine points that a fine point is coupled to.
template <class Scalar, class Space, class Offset>
struct FineCouplings {
  RelativeSizes<Scalar, Space, Offset> sizes;
  ArrayView<const Ordinal, Space> coarse_number;

  template <class Visit>
  KOKKOS_FUNCTION void for_each(Ordinal i, const Visit& visit) const {
    if (coarse_number(i) >= 0) return;
    const auto& A = sizes.A;
    const float bound = sizes.bound_of_couplings(i);
    for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
      const Ordinal j = A.columns(k);
      if (j != i && coarse_number(j) < 0 && !(sizes.of(k) < bound)) visit(j);
    }
  }
};

/// Ones in a pattern without values.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> with_ones(const Space& exec,
                                              kernels::Csr<Scalar, Space, Offset> A) {
  A.values = allocate<Scalar>(exec, "tessera::fine_inverse::ones", A.num_entries());
  Kokkos::deep_copy(exec, A.values, Scalar(1));
  return A;
}

/// The pattern of A_ff with its diagonal, rows ascending, and ones.
template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> couplings_of_fine_points(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const ArrayView<const Ordinal, Space>& coarse_number, double drop) {
  const FineCouplings<Scalar, Space, Offset> couplings{{A, drop}, coarse_number};
  const Ordinal n = A.num_rows;
  const auto offsets = allocate<Offset>(exec, "tessera::fine_inverse::offsets", n + 1ul);
  const Kokkos::RangePolicy<Space> rows(exec, 0, n);
  Kokkos::parallel_for(
      "tessera::fine_inverse::count", rows, KOKKOS_LAMBDA(const Ordinal i) {
        Offset count = coarse_number(i) < 0 ? 1 : 0;
        couplings.for_each(i, [&](Ordinal) { ++count; });
        offsets(i) = count;
      });
  const std::size_t total = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
  const auto columns = allocate<Ordinal>(exec, "tessera::fine_inverse::columns", total);
  const auto values = allocate<Scalar>(exec, "tessera::fine_inverse::values", total);
  Kokkos::deep_copy(exec, values, Scalar(1));
  Kokkos::parallel_for(
      "tessera::fine_inverse::columns", rows, KOKKOS_LAMBDA(const Ordinal i) {
        if (coarse_number(i) >= 0) return;
        Offset at = offsets(i);
        columns(at++) = i;
        couplings.for_each(i, [&](Ordinal j) { columns(at++) = j; });
      });
  const kernels::Csr<Scalar, Space, Offset> unsorted{n, n, offsets, columns, values};
  return kernels::sort_rows(exec, unsorted.view());
}

/// A row of c I + N M, of which the pattern of M is kept.
template <class Scalar, class Space, class Offset>
struct HornerStep {
  kernels::CsrView<Scalar, Space, Offset> N;
  kernels::CsrView<Scalar, Space, Offset> M;
  Scalar c;
  Array<Scalar, Space> result;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Offset begin = M.offsets(i);
    const Offset end = M.offsets(i + 1);
    for (Offset k = begin; k < end; ++k)
      result(k) = M.columns(k) == i ? c : Scalar(0);
    for (Offset l = N.offsets(i); l < N.offsets(i + 1); ++l) {
      const Ordinal j = N.columns(l);
      if (j == i) continue;
      // Both rows ascend.
      Offset at = begin;
      for (Offset k = M.offsets(j); k < M.offsets(j + 1); ++k) {
        while (at < end && M.columns(at) < M.columns(k))
          ++at;
        if (at == end) break;
        if (M.columns(at) == M.columns(k)) result(at) += N.values(l) * M.values(k);
      }
    }
  }
};

/// The rows of a chunk by a thread of a host. For each column it keeps where the row's sum of it
/// is; columns that the row has not go to sums that nobody reads, by turns, so that one does not
/// wait for the next. Sums have the order of `HornerStep`.
template <class Scalar, class Space, class Offset>
struct HornerChunk {
  static constexpr Ordinal rows_per_chunk = 512;
  static constexpr Ordinal unread = 8;

  HornerStep<Scalar, Space, Offset> step;
  Kokkos::Experimental::UniqueToken<Space> token;
  Array<Ordinal, Space> places;  ///< of each thread, by column
  std::vector<Scalar>* sums;  ///< of each thread

  void operator()(Ordinal chunk) const {
    const int id = token.acquire();
    Ordinal* const place = places.data() + static_cast<std::size_t>(id) * step.M.num_cols;
    const Ordinal first = chunk * rows_per_chunk;
    const Ordinal last = first + std::min(rows_per_chunk, step.M.num_rows - first);
    for (Ordinal i = first; i < last; ++i)
      sum_row(i, place, sums[id]);
    token.release(id);
  }

 private:
  void sum_row(Ordinal i, Ordinal* place, std::vector<Scalar>& sum) const {
    const auto& [N, M, c, result] = step;
    const Offset begin = M.offsets(i);
    const Offset end = M.offsets(i + 1);
    if (begin == end) return;
    sum.assign(unread + static_cast<std::size_t>(end - begin), Scalar(0));
    for (Offset k = begin; k < end; ++k)
      place[M.columns(k)] = unread + static_cast<Ordinal>(k - begin);
    sum[place[i]] = c;
    for (Offset l = N.offsets(i); l < N.offsets(i + 1); ++l) {
      const Ordinal j = N.columns(l);
      if (j == i) continue;
      const Scalar factor = N.values(l);
      for (Offset k = M.offsets(j); k < M.offsets(j + 1); ++k)
        sum[place[M.columns(k)]] += factor * M.values(k);
    }
    for (Offset k = begin; k < end; ++k) {
      const Ordinal j = M.columns(k);
      result(k) = sum[place[j]];
      place[j] = j % unread;
    }
  }
};

/// By the threads of a host.
template <class Scalar, class Space, class Offset>
void horner_by_chunks(const Space& exec, const HornerStep<Scalar, Space, Offset>& step) {
  using Chunk = HornerChunk<Scalar, Space, Offset>;
  const Kokkos::Experimental::UniqueToken<Space> token(exec);
  const auto threads = static_cast<std::size_t>(token.size());
  const auto n = static_cast<std::size_t>(step.M.num_cols);
  const auto places = allocate<Ordinal>(exec, "tessera::fine_inverse::places", threads * n);
  Kokkos::parallel_for(
      "tessera::fine_inverse::places",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, threads * n),
      [=](const std::size_t at) { places(at) = static_cast<Ordinal>(at % n % Chunk::unread); });
  std::vector<std::vector<Scalar>> sums(threads);
  Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<Ordinal>> chunks(
      exec, 0, (step.M.num_rows + Chunk::rows_per_chunk - 1) / Chunk::rows_per_chunk);
  chunks.set_chunk_size(1);
  kernels::throwing_parallel_for("tessera::fine_inverse::horner", chunks,
                                 Chunk{step, token, places, sums.data()});
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
FineInverse<Scalar, Space, Offset> fine_inverse_pattern(
    const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, double drop) {
  require(
      A.num_rows == A.num_cols && coarse_number.extent(0) == static_cast<std::size_t>(A.num_rows),
      [&] {
        return "A is " + std::to_string(A.num_rows) + " by " + std::to_string(A.num_cols) +
               " beside numbers of " + std::to_string(coarse_number.extent(0)) +
               " points; expected a square matrix and a number for each row";
      });
  FineInverse<Scalar, Space, Offset> inverse;
  inverse.N = detail::couplings_of_fine_points<Scalar, Space, Offset>(exec, A, coarse_number, drop);
  inverse.N.values = {};
  inverse.M = inverse.N;
  return inverse;
}

template <class Scalar, class Space, class Offset>
void raise_pattern(const Space& exec, FineInverse<Scalar, Space, Offset>& inverse) {
  const auto N = detail::with_ones(exec, inverse.N);
  const auto M = detail::with_ones(exec, inverse.M);
  inverse.M = kernels::spgemm(exec, N.view(), M.view());
  inverse.M.values = {};
}

template <class Scalar, class Space, class Offset>
void fill_couplings(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                    const NonDeduced<kernels::Csr<Scalar, Space, Offset>>& N) {
  const auto pattern = N.view();
  const auto values = N.values;
  Kokkos::parallel_for(
      "tessera::fine_inverse::couplings", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        const Offset end = pattern.offsets(i + 1);
        for (Offset k = pattern.offsets(i); k < end; ++k)
          values(k) = 0;
        if (pattern.offsets(i) == end) return;
        for (Offset k = A.offsets(i); k < A.offsets(i + 1); ++k) {
          if (A.columns(k) == i) continue;
          const Offset at = kernels::find_entry(pattern, i, A.columns(k));
          if (at < end) values(at) = -inverse_diagonal(i) * A.values(k);
        }
      });
}

template <class Scalar, class Space, class Offset>
void horner_step(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& N,
                 const NonDeduced<kernels::CsrView<Scalar, Space, Offset>>& M, Scalar c,
                 const NonDeduced<Array<Scalar, Space>>& result) {
  Kokkos::parallel_for("tessera::fine_inverse::horner",
                       Kokkos::RangePolicy<Space>(exec, 0, M.num_rows),
                       detail::HornerStep<Scalar, Space, Offset>{N, M, c, result});
}

template <class Scalar, class Space, class Offset>
void divide_columns(const Space& exec, const kernels::Csr<Scalar, Space, Offset>& M,
                    const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal) {
  const auto columns = M.columns;
  const auto values = M.values;
  Kokkos::parallel_for(
      "tessera::fine_inverse::scale", Kokkos::RangePolicy<Space>(exec, 0, M.num_entries()),
      KOKKOS_LAMBDA(const std::size_t k) { values(k) *= inverse_diagonal(columns(k)); });
}

template <class Scalar, class Space, class Offset>
void fill_fine_inverse(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                       const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                       int order, FineInverse<Scalar, Space, Offset>& inverse) {
  auto& N = inverse.N;
  auto& M = inverse.M;
  N.values = allocate<Scalar>(exec, "tessera::fine_inverse::N", N.num_entries());
  fill_couplings(exec, A, inverse_diagonal, N);
  const auto c = gmres_polynomial(exec, N.view(), order);
  M.values = allocate<Scalar>(exec, "tessera::fine_inverse::M", M.num_entries());
  auto next = allocate<Scalar>(exec, "tessera::fine_inverse::M", M.num_entries());
  Kokkos::deep_copy(exec, M.values, Scalar(0));
  for (int k = order; k >= 0; --k) {
    const auto coefficient = static_cast<Scalar>(c[k]);
    if constexpr (kernels::is_host_space<Space>) {
      detail::horner_by_chunks(
          exec, detail::HornerStep<Scalar, Space, Offset>{N.view(), M.view(), coefficient, next});
    } else {
      horner_step(exec, N.view(), M.view(), coefficient, next);
    }
    std::swap(M.values, next);
  }
  divide_columns(exec, M, inverse_diagonal);
  N.values = {};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fine_inverse_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, raise_pattern)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_fine_inverse)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, fill_couplings)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, horner_step)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, divide_columns)

}  // namespace tessera::amg
