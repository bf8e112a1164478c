// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Writing a file so that it is there in whole or not at all, and compressed where its name says
/// so.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace tessera::detail {

/// Writes to a file without a name in the folder of `path`, and gives it its name in `commit`.
/// Until then, after any error, and where the program is killed, `path` is what it was and nothing
/// is left behind; on file systems where every file has a name it is a temporary one beside `path`,
/// which only a program that is killed leaves. A device, a pipe or a file by its descriptor's name
/// (/dev/stdout) is written directly, behind what is there. A path that ends in .gz is packed by
/// gzip. Each failure, the full disk among them, throws `Error(io)`.
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

  /// Flushes to the disk, closes, puts the file in its place, flushes the folder.
  void commit();

 private:
  void open_new_file();
  bool open_without_name();
  void open_temporary();
  /// Gives the file without a name this one; false where it is taken.
  bool link_to(const std::filesystem::path& name);
  void put_in_place();
  void flush_folder() const;
  std::filesystem::path temporary_name() const;
  [[noreturn]] void fail(const char* what, int error) const;

  std::filesystem::path m_path;  ///< as given
  std::filesystem::path m_target;  ///< what is replaced, behind links; empty where nothing is
  std::filesystem::path m_temporary;  ///< empty while the file has no name
  bool m_packed = false;
  int m_descriptor = -1;
};

/// The bytes as one gzip member. A file of several members, one behind the other, unpacks to their
/// contents joined (RFC 1952, section 2.2), so that threads pack the pieces of a file side by side.
/// Throws `Error(out_of_memory)`.
std::vector<char> pack_gzip(const void* data, std::size_t size);

}  // namespace tessera::detail
