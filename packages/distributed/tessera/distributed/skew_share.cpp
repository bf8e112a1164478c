// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/skew_share.hpp"

#include "tessera/distributed/exchange.hpp"
#include "tessera/distributed/level_rows.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/transposition.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"
#include "tessera/solve/row_samples.hpp"

#include <algorithm>
#include <span>

namespace tessera::distributed {
namespace detail {

using tessera::detail::SampledRows;
using tessera::detail::SkewSums;

/// Its rows on one process.
struct OwnSample {
  SampledRows of_all;
  Partition::Global first;
  std::uint32_t begin, end;

  OwnSample(const SampledRows& sample, const Partition& rows)
      : of_all(sample),
        first(rows.first()),
        begin(sample.first_from(first)),
        end(std::max(begin, sample.first_from(first + rows.own()))) {}
  KOKKOS_FUNCTION Ordinal row(std::uint32_t k) const {
    return static_cast<Ordinal>(of_all.row(begin + k) - first);
  }
};

/// The columns of A that are rows of the sample keep their numbers, others have none.
template <class Space>
Array<Ordinal, Space> sampled_columns(const Space& exec, const Matrix<Space>& A,
                                      const OwnSample& sample) {
  const auto numbers = allocate<Ordinal>(exec, "tessera::distributed::skew_share::columns",
                                         static_cast<std::size_t>(A.rows.num_cols));
  const Ordinal own = A.num_own_columns();
  const auto ghosts = A.ghosts;
  const SampledRows rows = sample.of_all;
  const Partition::Global first = sample.first;
  Kokkos::parallel_for(
      "tessera::distributed::skew_share::columns",
      Kokkos::RangePolicy<Space>(exec, 0, A.rows.num_cols), KOKKOS_LAMBDA(const Ordinal c) {
        numbers(c) = rows.has(c < own ? first + c : ghosts(c - own)) ? c : -1;
      });
  exec.fence("tessera::distributed::skew_share");
  return numbers;
}

/// How many entries there are in the row of each column of A, of others' too. Collective.
template <class Space>
MultiVector<double, Space> lengths_of_columns(const Space& exec, const Matrix<Space>& A) {
  const char* const label = "tessera::distributed::skew_share::lengths";
  const Ordinal rows = A.rows.num_rows;
  MultiVector<double, Space> own, all;
  Exchange<double, Space> halo;
  on_all_processes(*A.processes, [&] {
    own = allocate_multivector<double>(exec, label, rows, 1);
    all = allocate_multivector<double>(exec, label, A.rows.num_cols, 1);
    halo = Exchange<double, Space>(A.halo);
    halo.reserve(1);
  });
  const auto offsets = A.rows.offsets;
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Space>(exec, 0, rows), KOKKOS_LAMBDA(const Ordinal i) {
        own(i, 0) = static_cast<double>(offsets(i + 1) - offsets(i));
      });
  halo.forward(exec, own, all);
  return all;
}

/// The sums over this process's rows of the sample; `columns` are of A by those of `transposed`.
template <class Space>
SkewSums own_sums(const Space& exec, const LocalRows<Space>& A, const LocalRows<Space>& transposed,
                  const Array<Ordinal, Space>& columns, const MultiVector<double, Space>& lengths,
                  const OwnSample& sample) {
  constexpr double max_length = tessera::detail::max_length_of_sample;
  const auto rows = A.view();
  const auto other = transposed.view();
  return kernels::ordered_sum<SkewSums>(
      exec, "tessera::distributed::skew_share", sample.end - sample.begin,
      KOKKOS_LAMBDA(const std::uint32_t k, SkewSums& sum) {
        const Ordinal i = sample.row(k);
        if (lengths(i, 0) > max_length) return;
        double diagonal = 0;
        SkewSums row;
        for (auto e = rows.offsets(i); e < rows.offsets(i + 1); ++e) {
          const Ordinal j = rows.columns(e);
          if (j == i) diagonal += rows.values(e);
          if (j == i || lengths(j, 0) > max_length) continue;
          double opposite = 0;
          for (auto f = other.offsets(i); f < other.offsets(i + 1); ++f)
            if (columns(other.columns(f)) == j) opposite += other.values(f);
          row.add(rows.values(e), opposite);
        }
        sum.add_over(diagonal, row);
      });
}

}  // namespace detail

template <class Space>
double skew_share(const Space& exec, const Matrix<Space>& A) {
  const Communicator& processes = *A.processes;
  if (processes.size() == 1) return sampled_skew_share(exec, A.rows.view());
  const detail::OwnSample sample(tessera::detail::sample_of_skew(A.row_shares->size()),
                                 *A.row_shares);
  // What others' rows have in the columns of the sample's rows comes by a transposition of that.
  Matrix<Space> entries = A;
  entries.parts = nullptr;
  on_all_processes(processes, [&] {
    if (A.rows.num_rows > 0)
      entries.rows = kept_columns(exec, A.rows.view(), detail::sampled_columns(exec, A, sample),
                                  A.rows.num_cols);
  });
  Transposition<Space> transposition;
  const Matrix<Space>& transposed = transposition.make(exec, entries);
  const auto lengths = detail::lengths_of_columns(exec, A);
  detail::SkewSums sums;
  on_all_processes(processes, [&] {
    const auto columns = level_transpose(exec, A, transposed, 1).columns_of_A;
    sums = detail::own_sums(exec, A.rows, transposed.rows, columns, lengths, sample);
  });
  double all[] = {sums.differences, sums.magnitudes};
  processes.sum(std::span<double>(all));
  return all[1] > 0 ? all[0] / all[1] : 0;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, skew_share)

}  // namespace tessera::distributed
