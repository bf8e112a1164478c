// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/host_arrays.hpp"

#include "tessera/io/detail/entry_values.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/matrix/validate.hpp"

namespace tessera::detail {

inline void require_sizes(Ordinal num_rows, Ordinal num_cols) {
  require(num_rows >= 0 && num_cols >= 0, [&] {
    return "the matrix is " + std::to_string(num_rows) + " by " + std::to_string(num_cols) +
           ", expected sizes of 0 or more";
  });
}

inline void require_array(const void* array, std::size_t length, const char* name) {
  require(array != nullptr || length == 0, [&] {
    return std::string(name) + " is null, expected " + std::to_string(length) + " numbers";
  });
}

/// Copies that are on their way when this returns.
template <class T, class Space>
Array<T, Space> copied(const Space& exec, const char* label, const T* from, std::size_t length) {
  const auto to = allocate<T>(exec, label, length);
  if (length > 0) Kokkos::deep_copy(exec, to, HostView<const T>(from, length));
  return to;
}

/// How many entries the rows have, once the offsets are known to ascend from 0.
template <class Offset>
std::size_t entries_of(const Offset* offsets, Ordinal num_rows) {
  const auto refuse = [&](Ordinal i, const std::string& expected) {
    throw Error(ErrorKind::bad_input, "offsets[" + std::to_string(i) + "] is " +
                                          std::to_string(offsets[i]) + ", expected " + expected);
  };
  if (offsets[0] != 0) refuse(0, "0");
  for (Ordinal i = 1; i <= num_rows; ++i) {
    if (offsets[i] < offsets[i - 1])
      refuse(i,
             "at least offsets[" + std::to_string(i - 1) + "] = " + std::to_string(offsets[i - 1]));
  }
  return static_cast<std::size_t>(offsets[num_rows]);
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> copied_rows(const Space& exec, Ordinal num_rows,
                                                Ordinal num_cols, const Offset* offsets,
                                                const Ordinal* columns, const Scalar* values) {
  require_sizes(num_rows, num_cols);
  if (num_rows == 0 && offsets == nullptr) return {0, num_cols, {}, {}, {}};
  const auto length = static_cast<std::size_t>(num_rows) + 1;
  require_array(offsets, length, "offsets");
  const std::size_t count = entries_of(offsets, num_rows);
  require_array(columns, count, "columns");
  require_array(values, count, "values");
  const kernels::Csr<Scalar, Space, Offset> A{
      num_rows, num_cols, copied(exec, "tessera::csr_from_host::offsets", offsets, length),
      copied(exec, "tessera::csr_from_host::columns", columns, count),
      copied(exec, "tessera::csr_from_host::values", values, count)};
  exec.fence("tessera::csr_from_host");
  for (const MatrixProblem& problem : validate(exec, A.view()).problems) {
    // The order of a row does not matter, and a value that is not finite is the solve's to tell.
    if (problem.defect == MatrixDefect::column || problem.defect == MatrixDefect::duplicate)
      throw Error(ErrorKind::bad_input, problem.message);
  }
  return A;
}

/// Throws where a row or a column is outside the matrix.
inline void require_inside(const char* name, const Ordinal* numbers, std::size_t count,
                           Ordinal size) {
  for (std::size_t k = 0; k < count; ++k) {
    if (numbers[k] >= 0 && numbers[k] < size) continue;
    throw Error(ErrorKind::bad_input,
                std::string(name) + "[" + std::to_string(k) + "] is " + std::to_string(numbers[k]) +
                    (size == 0 ? ", and the matrix has none"
                               : ", expected 0 to " + std::to_string(size - 1)));
  }
}

template <class Scalar, class Space, class Offset>
kernels::Csr<Scalar, Space, Offset> rows_of_triplets(const Space& exec, Ordinal num_rows,
                                                     Ordinal num_cols, std::size_t count,
                                                     const Ordinal* rows, const Ordinal* columns,
                                                     const Scalar* values) {
  require_sizes(num_rows, num_cols);
  require_array(rows, count, "rows");
  require_array(columns, count, "columns");
  require_array(values, count, "values");
  kernels::require_countable<Offset>(static_cast<std::int64_t>(count), "the list of triplets");
  require_inside("rows", rows, count, num_rows);
  require_inside("columns", columns, count, num_cols);
  const auto own_rows = copied(exec, "tessera::csr_from_triplets::rows", rows, count);
  const auto own_columns = copied(exec, "tessera::csr_from_triplets::columns", columns, count);
  Array<Scalar, Space> own_values =
      copied(exec, "tessera::csr_from_triplets::values", values, count);
  exec.fence("tessera::csr_from_triplets: copied");
  const EntryList<Space> entries{num_rows, own_rows, own_columns};
  if (is_sorted(exec, entries)) {
    const kernels::Csr<Scalar, Space, Offset> A{
        num_rows, num_cols, row_offsets<Space, Offset>(exec, entries), own_columns, own_values};
    exec.fence("tessera::csr_from_triplets");
    return A;
  }
  auto sorted = sort_entries<Space, Offset>(exec, entries, count);
  own_values = gather_values<Scalar, Space, Offset>(exec, sorted, own_values, Scalar(1));
  if (find_duplicate(exec, sorted)) sum_duplicates(exec, sorted, own_values);
  exec.fence("tessera::csr_from_triplets");
  return {num_rows, num_cols, sorted.offsets, sorted.columns, own_values};
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, copied_rows)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, rows_of_triplets)

}  // namespace tessera::detail
