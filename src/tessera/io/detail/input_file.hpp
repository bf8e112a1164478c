// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A file, a pipe or a terminal that is read; what fails throws `Error(io)` with its name.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tessera::detail {

class InputFile {
 public:
  /// Throws where it is absent, a directory, or may not be read.
  explicit InputFile(const std::filesystem::path& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// Zero for what is not a regular file.
  std::size_t size() const { return m_size; }
  bool is_regular() const { return m_is_regular; }

  /// Reads on from the last `read` until `size` bytes or the end; returns how many.
  std::size_t read(char* to, std::size_t size) const;
  /// The same from `offset` on, of a regular file.
  std::size_t read_at(std::size_t offset, char* to, std::size_t size) const;

 private:
  std::filesystem::path m_path;
  int m_descriptor;
  std::size_t m_size = 0;
  bool m_is_regular = false;
};

}  // namespace tessera::detail
