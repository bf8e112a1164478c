// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Output files that are checked before the work and appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace tessera::app {

/// A file to be written later. The constructor proves that it can be; a reader never sees half of
/// what `write` writes, and a failure leaves the old file. What is not a regular file (/dev/stdout,
/// a pipe) is written as it is. The path "-" is standard output.
class OutputFile {
 public:
  /// @throws OutputError naming `option` and `path` where the file cannot be written
  OutputFile(std::string option, std::string path);

  const std::string& option() const { return m_option; }
  /// As typed, but for "-".
  const std::string& path() const { return m_path; }
  /// A device or a pipe, which holds nothing that could be lost.
  bool is_stream() const { return m_in_place; }
  bool is_standard_output() const { return m_path == "/dev/stdout"; }

  /// Writes text: first a temporary file beside it, which then takes its place.
  /// @throws OutputError, also for a full disk
  void write(std::string_view text) const;

 private:
  std::string temporary_path() const;
  void write_to(const std::string& path, std::string_view text) const;
  [[noreturn]] void fail(int error) const;

  std::string m_option;
  std::string m_path;
  std::string m_target;  ///< what is replaced: the file that a link leads to
  bool m_in_place = false;
};

}  // namespace tessera::app
