// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The text of a file in pieces of whole lines, of which one is in memory at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "tessera/io/detail/file_bytes.hpp"
#include "tessera/io/detail/input_file.hpp"
#include "tessera/io/detail/text.hpp"

namespace tessera::detail {

/// Reads a file, a pipe or a terminal once, unpacked where it is a gzip. Throws `Error` as
/// `read_file` and `unpack_gzip` do, and of kind bad_input for a line that does not end within a
/// piece of 64 MB.
class LineStream {
 public:
  explicit LineStream(const std::filesystem::path& path);

  /// What comes next, from a line's start on and as much as is in memory; the last line may be a
  /// part of one. At least `size` bytes, unless the file ends before.
  Text look_ahead(std::size_t size);
  /// True where nothing follows what is in memory.
  bool is_all_here() const { return m_at_end; }

  /// Goes on behind the first `size` bytes of what is in memory.
  void skip(std::size_t size);

  /// The next whole lines, without the last one's newline; false where there are none. The piece
  /// lasts until the next call.
  bool next(Text& piece);

  /// True for a regular file that is not packed: processes may read a part each.
  bool is_divisible() const { return m_file.is_regular() && m_gzip == nullptr; }
  /// Where in the file the next piece begins; of one that is divisible.
  std::size_t position() const { return m_position; }
  std::size_t file_size() const { return m_file.size(); }

  /// Goes on with the lines that begin from `begin` up to `end` in the file, which is divisible.
  /// Lines are counted from there on then.
  void restrict_to(std::size_t begin, std::size_t end);
  /// Lines of the file that end before `position`, by reading up to there.
  std::size_t count_lines_before(std::size_t position) const;

 private:
  static constexpr std::size_t piece_bytes = std::size_t{4} << 20U;
  static constexpr std::size_t longest_line = std::size_t{64} << 20U;

  std::size_t read(char* to, std::size_t size);
  std::size_t read_file(char* to, std::size_t size);  ///< as it lies there
  void fill(std::size_t size);
  bool drop_partial_line();

  std::string m_name;
  InputFile m_file;
  FileBytes m_packed;
  std::unique_ptr<GzipStream> m_gzip;
  FileBytes m_bytes;
  std::size_t m_begin = 0;  ///< of what is not yet given out
  std::size_t m_size = 0;  ///< bytes that are there
  std::size_t m_position = 0;  ///< of m_begin in the file, or in the unpacked text
  std::size_t m_read_position = 0;  ///< behind m_size; of a divisible file
  std::size_t m_stop = static_cast<std::size_t>(-1);  ///< lines that begin here are others'
  std::size_t m_lines = 0;  ///< before m_begin
  bool m_at_end = false;
};

}  // namespace tessera::detail
