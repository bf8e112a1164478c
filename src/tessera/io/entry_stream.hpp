// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The entries of a Matrix Market file batch by batch, for programs of which no process holds the
/// whole.
#pragma once

#include "tessera/io/matrix_market_header.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace tessera {

/// Some entries in the file's order: values[k] stands in row rows[k] and column columns[k], both
/// from 0.
struct EntryBatch {
  std::vector<Ordinal> rows;
  std::vector<Ordinal> columns;
  std::vector<double> values;
};

/// Reads a Matrix Market file, plain or packed by gzip, or a pipe, from its start to its end, with
/// a few MB of it in memory. What is accepted is what `read_matrix` accepts, but that nobody looks
/// for entries of one place. Errors as for `read_matrix`.
class EntryStream {
 public:
  /// Reads the head. `threads` of the host parse.
  explicit EntryStream(const std::filesystem::path& path, int threads = 1);
  ~EntryStream();
  EntryStream(const EntryStream&) = delete;
  EntryStream& operator=(const EntryStream&) = delete;

  const MatrixMarketHeader& header() const;

  /// True where several processes may read a part each: a regular file of a coordinate matrix that
  /// is neither packed nor has AmgX's sections.
  bool is_divisible() const;
  /// Of a divisible file, before the first `next`: goes on with one of `parts` parts of about the
  /// same length. Together they have each entry once, and `part` + 1 has those behind `part`'s.
  void take_part(int part, int parts);

  /// The next entries, the mirrored half of a symmetric matrix included, an entry's image behind
  /// it; false where there are no more.
  bool next(EntryBatch& batch);

  /// What the head promises (entries or, of an array, values) and this stream has come upon so far.
  /// The file is whole where all parts together have as many as `header().num_entries`.
  std::int64_t num_found() const;
  /// Throws `Error(bad_input)` unless `found` is what the head promises.
  void check_found(std::int64_t found) const;

  /// AmgX's right-hand side, num_rows values, once `next` has returned false; empty without one.
  std::vector<double> take_rhs();

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace tessera
