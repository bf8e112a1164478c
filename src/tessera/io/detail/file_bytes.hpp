// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A whole file in memory, unpacked where it is a gzip.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tessera/io/detail/text.hpp"

namespace tessera::detail {

/// Bytes in memory with one newline behind the last, as `Text` promises.
class FileBytes {
 public:
  FileBytes() : FileBytes(0) {}
  /// Room for `size` bytes, not initialised; aligned to 64 bytes. Throws `std::bad_alloc`.
  explicit FileBytes(std::size_t size);

  char* data() { return m_data.get(); }
  const char* data() const { return m_data.get(); }
  std::size_t size() const { return m_size; }
  /// Keeps the first min(size(), size) bytes; may allocate.
  void resize(std::size_t size);

  Text text(std::string name) const { return {std::move(name), data(), data() + size()}; }

 private:
  struct Free {
    void operator()(char* p) const;
  };
  std::unique_ptr<char, Free> m_data;
  std::size_t m_size = 0;
  std::size_t m_capacity = 0;
};

/// Bytes of memory that this process may use, the machine's or its control group's: what a damaged
/// size, a gzip bomb or an endless pipe must not pass.
std::size_t physical_memory();

/// The least limit of the control groups (version 1 or 2) that `groups` lists, mounted at `root`.
std::size_t control_group_memory(const std::filesystem::path& groups,
                                 const std::filesystem::path& root);

/// True where the bytes start as a gzip does.
bool is_gzip(const FileBytes& bytes);

/// Unpacks all members of a gzip. Throws `Error(bad_input)` for a truncated or damaged one and for
/// anything behind its end, `Error(out_of_memory)` past `limit` bytes.
FileBytes unpack_gzip(const FileBytes& packed, const std::string& name, std::size_t limit);

/// The start of a gzip's content, at most `size` bytes; damage behind it is not seen.
FileBytes unpack_gzip_start(const FileBytes& packed, const std::string& name, std::size_t size);

/// The next piece of a gzip, which lasts until the next call; empty behind the last.
using PackedSource = std::function<std::string_view()>;

/// The content of a gzip that is never in memory as a whole. Throws as `unpack_gzip`.
class GzipStream {
 public:
  GzipStream(PackedSource more, const std::string& name);
  ~GzipStream();

  /// Fills `to` as far as the content goes; returns how many bytes.
  std::size_t read(char* to, std::size_t size);

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

/// Sees the first few MB of a pipe that has more; what it throws ends the reading.
using StartCheck = std::function<void(const FileBytes&)>;

/// Reads a file, a pipe or a terminal to its end, a regular file by `threads` at once. Throws
/// `Error(io)` where it is absent, a directory, or cannot be read, and `Error(out_of_memory)` where
/// it has more than `memory` bytes, a pipe more than half of that.
FileBytes read_file(const std::filesystem::path& path, int threads,
                    std::size_t memory = physical_memory(), const StartCheck& check = {});

/// At most the first `size` bytes.
FileBytes read_file_start(const std::filesystem::path& path, std::size_t size);

}  // namespace tessera::detail
