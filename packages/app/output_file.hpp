// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The files that a command line names: checked before any work, and written in whole.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/io/text_file.hpp"

namespace tessera::app {

/// A file to be written later, by `write_text` or what writes matrices and vectors. The constructor
/// proves that it can be. The path "-" is standard output.
class OutputFile {
 public:
  /// @throws OutputError naming `option` and `path` where the file cannot be written
  OutputFile(std::string option, std::string path);

  const std::string& option() const { return m_option; }
  /// As typed, but for "-".
  const std::string& path() const { return m_path; }
  /// A device or a pipe, which holds nothing that could be lost.
  bool is_stream() const { return m_is_stream; }
  bool is_standard_output() const { return m_path == "/dev/stdout"; }

  /// Writes text.
  /// @throws OutputError, also for a full disk
  void write(std::string_view text) const {
    guarded([&] { write_text(m_path, text); });
  }

  /// Calls what writes the file; its `Error(io)` goes on as an OutputError that names the option.
  void guarded(const std::function<void()>& write) const;

 private:
  std::string m_option;
  std::string m_path;
  bool m_is_stream = false;
};

/// Calls all of them. Where some throw an OutputError, the first of these goes on after the last
/// call: a folder that is gone takes no other output with it.
void write_each(std::initializer_list<std::function<void()>> writes);

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
