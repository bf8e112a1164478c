// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Checks of the files that a command line names, before any work.
#pragma once

#include <string>
#include <vector>

#include "app/output_file.hpp"

namespace tessera::app {

/// What a command reads from a file.
struct InputName {
  std::string what;  ///< such as "--rhs", or "the matrix"
  std::string path;  ///< empty where there is none
};

/// Throws where an output would replace an input, or another output. Links are followed; a device
/// or a pipe may be named twice. @throws UsageError
void check_distinct(const std::vector<InputName>& inputs, const std::vector<OutputFile>& outputs);

/// Throws unless the name ends in what is written to it; a device or a pipe may have any name.
/// @throws UsageError with the endings that there are
void check_ending(const OutputFile& output, const std::vector<std::string>& endings);

/// The endings of vectors.
const std::vector<std::string>& vector_endings();

/// The endings of matrices.
const std::vector<std::string>& matrix_endings();

}  // namespace tessera::app
