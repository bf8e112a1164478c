// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Writing a file so that it is there in whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace tessera::detail {

/// Writes to a temporary file beside `path` and renames it in `commit`. Until then, and after any
/// error, `path` is what it was and nothing is left behind. A device, a pipe or a file by its
/// descriptor's name (/dev/stdout) is written directly, behind what is there. A path that ends in
/// .gz is packed by gzip. Each failure, the full disk among them, throws `Error(io)`.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Content; packed here where the file is.
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }

  bool is_packed() const { return m_packed; }
  /// The file's bytes: content that `pack_gzip` packed where the file is packed.
  void write_as_is(const void* data, std::size_t size);

  /// Flushes to the disk, closes, renames.
  void commit();

 private:
  void open_temporary();
  [[noreturn]] void fail(const char* what, int error) const;

  std::filesystem::path m_path;
  std::filesystem::path m_temporary;  ///< empty where the file is written directly
  bool m_packed = false;
  int m_descriptor = -1;
};

}  // namespace tessera::detail
