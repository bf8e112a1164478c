// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/spgemm/spgemm_algorithms.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/spgemm/detail/row_bins.hpp"
#include "tessera/kernels/spgemm/detail/row_runs.hpp"
#include "tessera/kernels/spgemm/detail/shapes.hpp"

namespace tessera::kernels {
namespace spgemm_detail {

/// offsets(p) = the entries of A in the first rows of the runs before run p.
template <class Space, class Offset>
struct StartLeaders {
  ArrayView<const Ordinal, Space> leaders;
  ArrayView<const Offset, Space> a_offsets;
  ArrayView<Offset, Space> offsets;

  KOKKOS_FUNCTION void operator()(Ordinal run, Offset& sum, bool final) const {
    if (final) offsets(run) = sum;
    if (run + 1 == static_cast<Ordinal>(offsets.extent(0))) return;
    const Ordinal row = leaders(run);
    sum += a_offsets(row + 1) - a_offsets(row);
  }
};

/// Copies the first row of a run of A.
template <class Scalar, class Space, class Offset>
struct CopyLeader {
  CsrView<Scalar, Space, Offset> A;
  ArrayView<const Ordinal, Space> leaders;
  ArrayView<const Offset, Space> offsets;
  ArrayView<Ordinal, Space> columns;
  ArrayView<Scalar, Space> values;

  KOKKOS_FUNCTION void operator()(Ordinal run) const {
    const Offset from = A.offsets(leaders(run));
    const Offset to = offsets(run);
    for (Offset k = 0; k < offsets(run + 1) - to; ++k) {
      columns(to + k) = A.columns(from + k);
      values(to + k) = A.values(from + k);
    }
  }
};

/// The first rows of the runs of A, one below the other, in one allocation.
template <class Scalar, class Space, class Offset>
struct Leaders {
  Array<Scalar, Space> memory;
  CsrView<Scalar, Space, Offset> view;
};

template <class Scalar, class Space, class Offset>
Leaders<Scalar, Space, Offset> gather_leaders(const Space& exec,
                                              const CsrView<Scalar, Space, Offset>& A,
                                              const RowRuns<Space>& runs) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>;
  const auto num_entries = static_cast<std::size_t>(runs.leader_entries);
  const std::size_t num_offsets = static_cast<std::size_t>(runs.num_runs) + 1;
  const std::size_t index_bytes = num_offsets * sizeof(Offset) + num_entries * sizeof(Ordinal);
  const auto memory = allocate<Scalar>(exec, "tessera::spgemm::leaders",
                                       num_entries + index_bytes / sizeof(Scalar) + 2);
  // Offsets after values, so that both are aligned whatever their sizes are.
  const std::size_t aligned = num_entries + num_entries % 2;
  auto* const first_offset = reinterpret_cast<Offset*>(memory.data() + aligned);
  const ArrayView<Scalar, Space> values(memory.data(), num_entries);
  const ArrayView<Offset, Space> offsets(first_offset, num_offsets);
  const ArrayView<Ordinal, Space> columns(reinterpret_cast<Ordinal*>(first_offset + num_offsets),
                                          num_entries);
  Kokkos::parallel_scan("tessera::spgemm::start_leaders", Policy(exec, 0, runs.num_runs + 1),
                        StartLeaders<Space, Offset>{runs.leaders, A.offsets, offsets});
  Kokkos::parallel_for(
      "tessera::spgemm::copy_leaders", Policy(exec, 0, runs.num_runs),
      CopyLeader<Scalar, Space, Offset>{A, runs.leaders, offsets, columns, values});
  return {memory, {runs.num_runs, A.num_cols, num_entries, offsets, columns, values}};
}

/// offsets(row) = the entries of C before the row. A step is `rows_per_step` rows: a scan costs
/// more by its steps than by what they do.
template <class Space, class Offset>
struct StartRows {
  static constexpr Ordinal rows_per_step = 32;

  ArrayView<const Ordinal, Space> run_of;
  ArrayView<const Offset, Space> leader_offsets;
  ArrayView<Offset, Space> offsets;

  static Ordinal num_steps(Ordinal num_rows) { return num_rows / rows_per_step + 1; }

  KOKKOS_FUNCTION void operator()(Ordinal step, Offset& sum, bool final) const {
    const auto num_rows = static_cast<std::int64_t>(run_of.extent(0));
    const std::int64_t first = static_cast<std::int64_t>(step) * rows_per_step;
    for (Ordinal i = 0; i < rows_per_step; ++i) {
      const std::int64_t row = first + i;
      if (final && row <= num_rows) offsets(row) = sum;
      if (row >= num_rows) return;
      const Ordinal run = run_of(row);
      sum += leader_offsets(run + 1) - leader_offsets(run);
    }
  }
};

}  // namespace spgemm_detail

template <class Scalar, class Space, class Offset>
std::optional<Csr<Scalar, Space, Offset>> repeat_rows_spgemm(
    const Space& exec, const CsrView<Scalar, Space, Offset>& A,
    const CsrView<Scalar, Space, Offset>& B, Ordinal max_runs,
    spgemm_detail::RowRuns<Space>* kept) {
  using namespace spgemm_detail;
  require_inner_dimension(A, B);
  const RowRuns<Space> runs = find_row_runs<Space, Offset>(exec, A.offsets, A.columns, B.offsets,
                                                           B.columns, B.num_cols, max_runs);
  if (runs.num_runs > max_runs) return std::nullopt;
  std::int64_t total = 0;
  const auto leaders = multiply_leaders(exec, gather_leaders(exec, A, runs).view, B, runs, total);
  require_countable<Offset>(total, "the product");

  const auto offsets = allocate<Offset>(exec, "tessera::spgemm::offsets", A.num_rows + 1);
  using Start = StartRows<Space, Offset>;
  Kokkos::parallel_scan(
      "tessera::spgemm::start_rows",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, Start::num_steps(A.num_rows)),
      Start{runs.run_of, leaders.offsets, offsets});
  const auto columns = allocate<Ordinal>(exec, "tessera::spgemm::columns", total);
  const auto values = allocate<Scalar>(exec, "tessera::spgemm::values", total);
  fill_runs<Scalar, Space, Offset>(exec, A, B, runs, leaders.view(), offsets, columns, values);
  if (kept != nullptr) *kept = runs;
  return Csr<Scalar, Space, Offset>{A.num_rows, B.num_cols, offsets, columns, values};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, repeat_rows_spgemm)

}  // namespace tessera::kernels
