// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Output files that are checked before the work and appear whole or not at all.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

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
  void write(std::string_view text) const { guarded([&] { write_text(m_path, text); }); }

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

}  // namespace tessera::app
