// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// From a file's bytes to a matrix; the formats meet here.
#pragma once

#include <string>

#include "tessera/io/detail/file_bytes.hpp"
#include "tessera/io/matrix_file.hpp"
#include "tessera/operator/out_of_memory.hpp"

namespace tessera::detail {

/// The whole file, unpacked where it is a gzip.
FileBytes load_unpacked(const std::filesystem::path& path, int threads,
                        const StartCheck& check = {});

/// Throws where a matrix of no format begins so, as in a pipe that gives anything else without end.
void check_matrix_start(const std::string& name, const FileBytes& start);

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> load_matrix_market(const Space& exec, const FileBytes& bytes,
                                                     const std::string& name,
                                                     const ReadOptions& options);

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> load_binary(const Space& exec, const FileBytes& bytes,
                                              const std::string& name, const ReadOptions& options);

/// Runs `work`, which allocates; where memory runs out in it, throws `Error(out_of_memory)` that
/// names the file.
template <class Work>
auto with_memory_errors(const std::string& name, const MatrixMarketHeader& header,
                        const Work& work) {
  const auto step = [&] {
    return name + ": no memory for its matrix of " + std::to_string(header.num_rows) +
           " rows and " + std::to_string(header.num_entries) + " stored entries";
  };
  return with_memory_errors(step, work, "");
}

}  // namespace tessera::detail
