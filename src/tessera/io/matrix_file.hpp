// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What reading a matrix takes and gives.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "tessera/io/matrix_market_header.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/types.hpp"
#include "tessera/kernels/format/csr.hpp"

namespace tessera {

/// What two entries of a Matrix Market file for one place mean.
enum class Duplicates {
  error,  ///< the file is bad
  sum  ///< they are added, in the file's order
};

struct ReadOptions {
  Duplicates duplicates = Duplicates::error;
  /// Host threads that parse; 0: as many as the execution space or the machine has.
  int threads = 0;
  /// Called now and then with the bytes parsed and all bytes, from the calling thread.
  std::function<void(std::size_t, std::size_t)> progress;
};

/// A matrix from a file with all that the file said. `A` has its columns ascending in each row
/// where it came from Matrix Market; from a binary file it is as it was written.
template <class Scalar, class Space, class Offset = std::int32_t>
struct MatrixFile {
  kernels::Csr<Scalar, Space, Offset> A;
  std::optional<MultiVector<Scalar, Space>> rhs;  ///< num_rows by k
  std::optional<MultiVector<Scalar, Space>> solution;  ///< num_cols by k
  MatrixMarketHeader header;  ///< of a binary file: its sizes, with symmetry general
};

/// The head of a matrix file.
struct MatrixInfo {
  MatrixMarketHeader header;
  /// Entries of `A` at most, mirrored half and external diagonal included.
  std::int64_t max_entries = 0;

  bool needs_64_bit_offsets() const {
    return max_entries > std::numeric_limits<std::int32_t>::max();
  }
};

/// Reads the head alone, to choose the width of the offsets before reading the rest. Takes what
/// `read_matrix` takes and throws as it does. What it reads of a pipe is gone from there.
MatrixInfo inspect_matrix(const std::filesystem::path& path);

/// Reads a matrix of any format that Tessera knows, told apart by content, never by name: Matrix
/// Market, the same packed by gzip, or Tessera's binary format. `exec` waits for nothing but the
/// copy; on return the matrix is complete. Throws `Error`: `io` where the file cannot be read,
/// `bad_input` with file, line and reason where it is malformed, `out_of_memory`.
template <class Scalar, class Offset = std::int32_t, class Space>
MatrixFile<Scalar, Space, Offset> read_matrix(const Space& exec, const std::filesystem::path& path,
                                              const ReadOptions& options = {});

}  // namespace tessera
