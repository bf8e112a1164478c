// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/matrix.hpp"

#include "tessera/distributed/distributed_operator.hpp"
#include "tessera/distributed/ordered_operator.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::distributed {
namespace {

/// For each of `count` columns its number less `first`, where it is one from `first` up to `last`;
/// else -1.
template <class Space>
Array<Ordinal, Space> numbers_between(const Space& exec, Ordinal count, Ordinal first,
                                      Ordinal last) {
  const auto numbers = allocate<Ordinal>(exec, "tessera::distributed::numbers", count);
  Kokkos::parallel_for(
      "tessera::distributed::numbers", Kokkos::RangePolicy<Space>(exec, 0, count),
      KOKKOS_LAMBDA(const Ordinal j) { numbers(j) = j >= first && j < last ? j - first : -1; });
  return numbers;
}

/// The entry of row i in `column`, 0 where there is none; the sum of those that say the same
/// column.
template <class View>
KOKKOS_INLINE_FUNCTION double entry_of_column(const View& A, Ordinal i, Ordinal column) {
  const std::int64_t first = A.offsets(i);
  const auto length = static_cast<Ordinal>(A.offsets(i + 1) - first);
  const Ordinal* const columns = A.columns.data() + first;
  // Without a branch, which compilers vectorise.
  Ordinal count = 0;
  Ordinal place = 0;
  for (Ordinal k = 0; k < length; ++k) {
    count += columns[k] == column ? 1 : 0;
    place += columns[k] == column ? k : 0;
  }
  if (count == 1) return A.values(first + place);
  double sum = 0;
  for (Ordinal k = 0; count > 0 && k < length; ++k)
    if (columns[k] == column) sum += A.values(first + k);
  return sum;
}

}  // namespace

template <class Space>
Matrix<Space> matrix_of(const Space& exec, const std::shared_ptr<const Communicator>& processes,
                        const LocalRows<Space>& rows,
                        const std::shared_ptr<const Partition>& row_shares,
                        const std::shared_ptr<const Partition>& column_shares,
                        const ColumnNumbers<Space>& numbers) {
  return {processes,
          rows,
          row_shares,
          column_shares,
          halo_plan(exec, processes, *column_shares, numbers.others()),
          numbers.others(),
          nullptr,
          nullptr};
}

template <class Space>
LocalRows<Space> own_block(const Space& exec, const Matrix<Space>& A) {
  const Ordinal own = A.num_own_columns();
  if (own == A.rows.num_cols) return A.rows;
  return kept_columns(exec, A.rows.view(), numbers_between(exec, A.rows.num_cols, Ordinal(0), own),
                      own);
}

template <class Working, class Space>
std::shared_ptr<const SparseOperator<Working, Space>> make_operator(
    const Space& exec, const Matrix<Space>& A, const StorageParameters& storage) {
  using Made = DistributedOperator<Working, Space>;
  using Given = typename Made::Given;
  if (!A.has_share())
    return std::make_shared<Made>(exec, Given{}, Given{}, Exchange<Working, Space>(), storage);
  if (A.processes->is_reproducible())
    return std::make_shared<OrderedOperator<Working, Space>>(exec, A);
  const Ordinal own = A.num_own_columns();
  const Ordinal all = A.rows.num_cols;
  const Exchange<Working, Space> exchange(A.halo);
  if (A.parts != nullptr)
    return std::make_shared<Made>(exec, A.parts->own, A.parts->others, exchange, storage, A.owner);
  if (own == all)
    return std::make_shared<Made>(exec, A.rows, rows_without_entries(exec, A.rows.num_rows, 0),
                                  exchange, storage, A.owner);
  const auto split = split_columns(exec, A.rows.view(), own);
  return std::make_shared<Made>(exec, split.own, split.others, exchange, storage);
}

template <class Space>
Array<double, Space> inverse_diagonal(const Space& exec, const Matrix<Space>& A) {
  const auto view = A.rows.view();
  const auto inverse = allocate<double>(exec, "tessera::distributed::inverse_diagonal",
                                        static_cast<std::size_t>(view.num_rows));
  Kokkos::parallel_for(
      "tessera::distributed::inverse_diagonal", Kokkos::RangePolicy<Space>(exec, 0, view.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        const double diagonal = entry_of_column(view, i, i);
        inverse(i) = diagonal != 0 ? 1 / diagonal : 0;
      });
  exec.fence("tessera::distributed::inverse_diagonal");
  return inverse;
}

template <class Space>
int exponent_for_float(const Space& exec, const Matrix<Space>& A) {
  constexpr int room = 40;
  const auto values = A.rows.values;
  double own = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::largest_entry", Kokkos::RangePolicy<Space>(exec, 0, values.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e, double& most) {
        const double magnitude = Kokkos::abs(values(e));
        if (magnitude > most) most = magnitude;
      },
      Kokkos::Max<double>(own));
  exec.fence("tessera::distributed::largest_entry");
  const double largest = A.processes->maximum_of(std::max(own, 0.0));  // of no entries
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = std::ilogb(largest) / 2 * 2;
  return std::abs(exponent) > room ? exponent : 0;
}

template <class Space>
Matrix<Space> times_power_of_two(const Space& exec, const Matrix<Space>& A, int exponent) {
  Matrix<Space> scaled = A;
  const auto given = A.rows.values;
  const auto values = allocate<double>(exec, "tessera::distributed::values", given.extent(0));
  // In two factors, each of which a double holds.
  const double first = std::ldexp(1.0, exponent / 2);
  const double second = std::ldexp(1.0, exponent - exponent / 2);
  Kokkos::parallel_for(
      "tessera::distributed::times_power_of_two",
      Kokkos::RangePolicy<Space>(exec, 0, given.extent(0)),
      KOKKOS_LAMBDA(const std::size_t e) { values(e) = given(e) * first * second; });
  exec.fence("tessera::distributed::times_power_of_two");
  scaled.rows.values = values;
  scaled.parts = nullptr;
  return scaled;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, matrix_of)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, own_block)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, inverse_diagonal)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, exponent_for_float)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, times_power_of_two)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, make_operator)

}  // namespace tessera::distributed
