// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/dense_text.hpp"

#include <cstdint>
#include <string>

#include "tessera/io/detail/entry_lines.hpp"
#include "tessera/io/detail/header.hpp"
#include "tessera/io/detail/matrix_text.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

template <class T>
void place_entries(MatrixText& matrix, DenseColumns<T>& columns) {
  const std::size_t room = matrix.max_entries();
  std::vector<std::int32_t> rows(room);
  std::vector<std::int32_t> cols(room);
  std::vector<T> values(room);
  const std::size_t size = matrix.parse_entries(rows.data(), cols.data(), values.data());
  columns.values.assign(columns.num_rows * columns.num_cols, T(0));
  std::vector<bool> taken(columns.values.size());
  for (std::size_t e = 0; e < size; ++e) {
    const std::size_t place =
        static_cast<std::size_t>(cols[e]) * columns.num_rows + static_cast<std::size_t>(rows[e]);
    if (taken[place]) {
      matrix.fail_at_entry(e, "this entry's place in the vector is taken by an earlier entry");
    }
    taken[place] = true;
    columns.values[place] = values[e];
  }
}

}  // namespace

template <class T>
DenseColumns<T> parse_dense_columns(const Text& text, int threads, std::size_t memory) {
  DenseColumns<T> columns;
  if (!has_matrix_market_banner(text)) {
    columns.values = parse_value_list<T>(text, text.begin, MatrixField::real, threads, true);
    if (columns.values.empty()) fail_at(text, text.begin, "there is no number in this file");
    columns.num_rows = columns.values.size();
    columns.num_cols = 1;
    return columns;
  }
  MatrixText matrix(text, threads);
  const MatrixMarketHeader& header = matrix.header();
  if (header.symmetry != MatrixSymmetry::general) {
    fail_at(text, text.begin, "a vector is general, never symmetric");
  }
  columns.num_rows = static_cast<std::size_t>(header.num_rows);
  columns.num_cols = static_cast<std::size_t>(header.num_cols);
  if (columns.num_rows > 0 && columns.num_cols > memory / sizeof(T) / columns.num_rows) {
    throw Error(ErrorKind::out_of_memory, text.name + ": " + std::to_string(columns.num_rows) +
                                              " by " + std::to_string(columns.num_cols) +
                                              " values are more than " + std::to_string(memory) +
                                              " bytes");
  }
  if (header.object == MatrixObject::array) {
    columns.values = matrix.parse_array<T>();
  } else {
    place_entries(matrix, columns);
  }
  return columns;
}

template DenseColumns<float> parse_dense_columns(const Text&, int, std::size_t);
template DenseColumns<double> parse_dense_columns(const Text&, int, std::size_t);

}  // namespace tessera::detail
