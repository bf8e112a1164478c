// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a command says, on standard output and in the file of --log.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output_file.hpp"

namespace tessera::app {

/// Text for the terminal that a log may keep. The log grows as the text comes, so that a batch job
/// which is ended by its limit leaves what it had said.
class Transcript {
 public:
  /// Prints nothing where `printed` is false; keeps nothing before `open_log`.
  explicit Transcript(bool printed) : m_printed(printed) {}

  /// Empties the file of --log, unless it is one of the inputs or outputs. An empty path: no log.
  /// @throws UsageError, or OutputError where the file cannot be written
  void open_log(const std::string& path, const std::vector<InputName>& others);

  /// Prints the text and adds it to the log. A log that fails does not end the work: `finish` says.
  void show(const std::string& text);

  /// Adds to the log alone, such as an error, which others print.
  void keep(const std::string& text) noexcept;

  /// @throws OutputError where the log lacks something, such as on a full disk
  void finish() const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  bool m_printed;
  std::optional<OutputFile> m_file;
  std::unique_ptr<std::FILE, Close> m_log;
  int m_error = 0;  ///< errno of the first write that failed
};

}  // namespace tessera::app
