// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vectors written piece by piece, for programs of which no process holds the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace tessera {

/// Writes vectors as `write_vector` does: values column after column, each column's in its order.
/// The file is there in whole after `commit`, or not at all. Errors as for `write_vector`.
class VectorWriter {
 public:
  VectorWriter(const std::filesystem::path& path, std::int64_t num_rows, std::size_t num_cols);
  ~VectorWriter();

  /// The next `count` values, in the host's memory.
  void write(const double* values, std::size_t count);
  void commit();

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace tessera
