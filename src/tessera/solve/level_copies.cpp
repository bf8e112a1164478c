// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A level's matrices listed on the host, whatever they are stored in, and rows of these lists.
#include "tessera/solve/level_copies.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/kernels/spmv/storage_formats.hpp"
#include "tessera/matrix/stored_matrix.hpp"
#include "tessera/operator/error.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

/// The entries of each row, in any order.
template <class Scalar>
struct LevelEntries {
  std::vector<std::vector<std::pair<Ordinal, Scalar>>> rows;
  std::int64_t count = 0;

  void add(Ordinal row, Ordinal column, double value) {
    rows[row].emplace_back(column, static_cast<Scalar>(value));
    ++count;
  }
};

/// A copy of an array on the host. Waits.
template <class T, class Space>
std::vector<T> host_copy(const Space& exec, const ArrayView<const T, Space>& array) {
  std::vector<T> copy(array.extent(0));
  Kokkos::deep_copy(exec,
                    Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        copy.data(), copy.size()),
                    array);
  exec.fence("tessera::levels: copied to the host");
  return copy;
}

template <class Scalar, class Storage, class Space, class Offset>
void list_entries(const Space& exec, const kernels::CsrView<Storage, Space, Offset>& A,
                  LevelEntries<Scalar>& entries) {
  const auto offsets = host_copy<Offset, Space>(exec, A.offsets);
  const auto columns = host_copy<Ordinal, Space>(exec, A.columns);
  const auto values = host_copy<Storage, Space>(exec, A.values);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (Offset e = offsets[i]; e < offsets[i + 1]; ++e)
      entries.add(i, columns[e], static_cast<double>(values[e]));
  }
}

template <class Scalar, class Storage, class Space>
void list_entries(const Space& exec, const kernels::MbsrView<Storage, Space>& A,
                  LevelEntries<Scalar>& entries) {
  const auto rows = kernels::mbsr_to_csr<Scalar, std::int64_t>(exec, A);
  list_entries<Scalar>(exec, rows.view(), entries);
}

template <class Scalar, class Storage, class Space>
void list_entries(const Space& exec, const kernels::EllView<Storage, Space>& A,
                  LevelEntries<Scalar>& entries) {
  const auto columns = host_copy<Ordinal, Space>(exec, A.columns);
  const auto values = host_copy<Storage, Space>(exec, A.values);
  for (Ordinal i = 0; i < A.num_rows; ++i) {
    for (Ordinal slot = 0; slot < A.width; ++slot) {
      const std::size_t k = i + slot * A.stride;
      if (columns[k] == kernels::ell_no_column) break;
      entries.add(i, columns[k], A.scale * static_cast<double>(values[k]));
    }
  }
}

template <class Scalar, class Storage, class Space>
void list_entries(const Space& exec, const kernels::CooView<Storage, Space>& A,
                  LevelEntries<Scalar>& entries) {
  const auto rows = host_copy<Ordinal, Space>(exec, A.rows);
  const auto columns = host_copy<Ordinal, Space>(exec, A.columns);
  const auto values = host_copy<Storage, Space>(exec, A.values);
  for (std::size_t k = 0; k < columns.size(); ++k)
    entries.add(rows[k], columns[k], A.scale * static_cast<double>(values[k]));
}

template <class Scalar, class Storage, class Space>
void list_entries(const Space& exec, const kernels::HybView<Storage, Space>& A,
                  LevelEntries<Scalar>& entries) {
  list_entries<Scalar>(exec, A.ell, entries);
  list_entries<Scalar>(exec, A.coo, entries);
}

/// Lists the entries of an operator that is a `Matrix`; false where it is something else.
template <class Matrix, class Scalar, class Working, class Space>
bool list_as(const Space& exec, const SparseOperator<Working, Space>& op,
             LevelEntries<Scalar>& entries) {
  const auto* const stored = dynamic_cast<const StoredMatrix<Working, Matrix>*>(&op);
  if (stored == nullptr) return false;
  list_entries<Scalar>(exec, stored->view(), entries);
  return true;
}

template <class Storage, class Scalar, class Working, class Space>
bool list_in(const Space& exec, const SparseOperator<Working, Space>& op,
             LevelEntries<Scalar>& entries) {
  bool found = list_as<kernels::Csr<Storage, Space, std::int32_t>>(exec, op, entries) ||
               list_as<kernels::Csr<Storage, Space, std::int64_t>>(exec, op, entries);
#define TESSERA_DETAIL_LIST(Matrix, ...) \
  found = found || list_as<kernels::Matrix<Storage, Space>>(exec, op, entries);
  TESSERA_FOR_EACH_FORMAT_BESIDE_CSR(TESSERA_DETAIL_LIST, )
#undef TESSERA_DETAIL_LIST
  return found;
}

/// Lists the entries of any operator that are not zero, column by column: of products with unit
/// vectors.
/// @throws Error of kind `configuration` where there are more than `max_columns_by_products`
/// columns
template <class Scalar, class Working, class Space>
void list_by_products(const Space& exec, const SparseOperator<Working, Space>& op,
                      LevelEntries<Scalar>& entries) {
  constexpr Ordinal width = 32;  // unit vectors at a time
  const Ordinal n = op.num_cols();
  if (n > max_columns_by_products)
    throw Error(ErrorKind::configuration,
                "the matrix is stored as " + op.info().format +
                    ", a registered format, of which rows are read by a product for each column: "
                    "expected at most " +
                    std::to_string(max_columns_by_products) + " columns, and there are " +
                    std::to_string(n));
  const auto x = allocate_multivector<Working>(exec, "tessera::levels::units", n, width);
  const auto y =
      allocate_multivector<Working>(exec, "tessera::levels::columns", op.num_rows(), width);
  const auto units = Kokkos::create_mirror_view(x);
  const auto columns = Kokkos::create_mirror_view(y);
  for (Ordinal first = 0; first < n; first += width) {
    Kokkos::deep_copy(units, Working(0));
    const Ordinal count = std::min(width, n - first);
    for (Ordinal j = 0; j < count; ++j)
      units(first + j, j) = Working(1);
    Kokkos::deep_copy(exec, x, units);
    op.apply(exec, Working(1), x, Working(0), y);
    Kokkos::deep_copy(exec, columns, y);
    exec.fence("tessera::levels: columns on the host");
    for (Ordinal j = 0; j < count; ++j) {
      for (Ordinal i = 0; i < op.num_rows(); ++i) {
        const auto value = static_cast<double>(columns(i, j));
        if (value != 0) entries.add(i, first + j, value);
      }
    }
  }
}

/// A copy of an array of the host.
template <class T, class Space>
Array<T, Space> device_copy(const Space& exec, const std::vector<T>& array) {
  const auto copy = allocate<T>(exec, "tessera::levels", array.size());
  Kokkos::deep_copy(
      exec, copy,
      Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
          array.data(), array.size()));
  exec.fence("tessera::levels: copied from the host");
  return copy;
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> compressed(const Space& exec, Ordinal num_cols,
                                               LevelEntries<Scalar>& entries) {
  kernels::require_countable<Offset>(entries.count, "the level's matrix");
  std::vector<Offset> offsets{0};
  std::vector<Ordinal> columns;
  std::vector<Scalar> values;
  for (auto& row : entries.rows) {
    std::ranges::sort(row, {}, &std::pair<Ordinal, Scalar>::first);
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    offsets.push_back(static_cast<Offset>(columns.size()));
  }
  return {static_cast<Ordinal>(entries.rows.size()), num_cols,
          device_copy<Offset, Space>(exec, offsets), device_copy<Ordinal, Space>(exec, columns),
          device_copy<Scalar, Space>(exec, values)};
}

template <class Scalar, class Offset, class Working, class Space>
kernels::Csr<Scalar, Space, Offset> rows_of(
    const Space& exec, const std::shared_ptr<const SparseOperator<Working, Space>>& op) {
  if (op == nullptr) return {};
  LevelEntries<Scalar> entries;
  entries.rows.resize(op->num_rows());
  bool found = false;
#define TESSERA_DETAIL_LIST(Storage, ...) found = found || list_in<Storage>(exec, *op, entries);
  TESSERA_FOR_EACH_STORAGE(TESSERA_DETAIL_LIST, )
#undef TESSERA_DETAIL_LIST
  if (!found) list_by_products(exec, *op, entries);
  return compressed<Scalar, Space, Offset>(exec, op->num_cols(), entries);
}

template <class Scalar, class Offset, class Working, class Space>
LevelMatrices<Scalar, Space, Offset> matrices_of(const Space& exec,
                                                 const amg::Level<Working, Space>& level) {
  return {rows_of<Scalar, Offset>(exec, level.A), rows_of<Scalar, Offset>(exec, level.P),
          rows_of<Scalar, Offset>(exec, level.R)};
}

/// Of level `number` of the whole, which the hierarchy or its tail has.
template <class Scalar, class Offset, class Working, class Space>
LevelMatrices<Scalar, Space, Offset> matrices_in(const Space& exec,
                                                 const amg::Hierarchy<Working, Space>& hierarchy,
                                                 int number) {
  const int own = number - hierarchy.first_level;
  if (own < static_cast<int>(hierarchy.levels.size()))
    return matrices_of<Scalar, Offset>(exec, hierarchy.levels[own]);
  return matrices_in<Scalar, Offset>(exec, *hierarchy.tail, number);
}

template <class Scalar, class Space, class Offset>
LevelMatrices<Scalar, Space, Offset> copied_level(const Space& exec,
                                                  const BuiltMultigrid<Scalar, Space>& built,
                                                  int number) {
  if (built.same != nullptr)
    return matrices_in<Scalar, Offset>(exec, built.same->hierarchy(), number);
  return matrices_in<Scalar, Offset>(exec, built.in_float->hierarchy(), number);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, copied_level)

}  // namespace tessera::detail
