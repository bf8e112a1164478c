// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/line_stream.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

std::size_t count_newlines(const char* begin, const char* end) {
  return static_cast<std::size_t>(std::count(begin, end, '\n'));
}

/// Null where there is none.
const char* last_newline(const char* begin, const char* end) {
  while (end != begin)
    if (*--end == '\n') return end;
  return nullptr;
}

}  // namespace

LineStream::LineStream(const std::filesystem::path& path)
    : m_name(path.string()), m_file(path), m_bytes(piece_bytes) {
  fill(2);
  FileBytes start(m_size);
  std::memcpy(start.data(), m_bytes.data(), m_size);
  if (!is_gzip(start)) return;
  // What was read is the first packed piece.
  m_packed = std::move(m_bytes);
  m_bytes = FileBytes(piece_bytes);
  const auto more = [this, first = m_size]() mutable {
    const std::size_t come =
        first > 0 ? std::exchange(first, 0) : read_file(m_packed.data(), piece_bytes);
    return std::string_view(m_packed.data(), come);
  };
  m_size = 0;
  m_at_end = false;
  m_gzip = std::make_unique<GzipStream>(more, m_name);
}

std::size_t LineStream::read(char* to, std::size_t size) {
  return m_gzip != nullptr ? m_gzip->read(to, size) : read_file(to, size);
}

std::size_t LineStream::read_file(char* to, std::size_t size) {
  if (!m_file.is_regular()) return m_file.read(to, size);
  const std::size_t come = m_file.read_at(m_read_position, to, size);
  m_read_position += come;
  return come;
}

/// Makes at least `size` bytes from m_begin on be there, or all.
void LineStream::fill(std::size_t size) {
  if (m_begin > 0) {
    std::memmove(m_bytes.data(), m_bytes.data() + m_begin, m_size - m_begin);
    m_size -= m_begin;
    m_begin = 0;
  }
  if (size > m_bytes.size()) m_bytes.resize(size);
  while (m_size < size && !m_at_end) {
    const std::size_t come = read(m_bytes.data() + m_size, m_bytes.size() - m_size);
    m_size += come;
    m_at_end = come == 0;
  }
}

Text LineStream::look_ahead(std::size_t size) {
  fill(size);
  m_bytes.data()[m_size] = '\n';
  return {m_name, m_bytes.data(), m_bytes.data() + m_size, m_lines};
}

void LineStream::skip(std::size_t size) {
  const char* const begin = m_bytes.data() + m_begin;
  m_lines += count_newlines(begin, begin + size);
  m_begin += size;
  m_position += size;
}

bool LineStream::next(Text& piece) {
  if (m_position >= m_stop) return false;
  for (std::size_t wanted = piece_bytes;; wanted *= 2) {
    fill(wanted);
    const char* const begin = m_bytes.data();
    if (m_size == 0) return false;
    // The first newline at or behind the byte before `m_stop` ends the last line that is ours.
    const char* end = nullptr;
    const std::size_t left = m_stop - 1 - m_position;
    if (left < m_size)
      end = static_cast<const char*>(std::memchr(begin + left, '\n', m_size - left));
    if (end == nullptr) end = last_newline(begin, begin + m_size);
    if (end == nullptr && m_at_end) {
      m_bytes.data()[m_size] = '\n';
      end = begin + m_size;
    }
    if (end != nullptr) {
      piece = {m_name, begin, end, m_lines};
      const auto taken = static_cast<std::size_t>(end - begin) + 1;
      m_lines += count_newlines(begin, end) + 1;
      m_begin = std::min(taken, m_size);
      m_position += taken;
      return true;
    }
    if (wanted > longest_line) {
      throw Error(ErrorKind::bad_input, m_name + ":" + std::to_string(m_lines + 1) +
                                            ": this line does not end within " +
                                            std::to_string(longest_line) + " bytes");
    }
  }
}

void LineStream::restrict_to(std::size_t begin, std::size_t end) {
  m_begin = 0;
  m_size = 0;
  m_lines = 0;
  m_at_end = false;
  m_stop = static_cast<std::size_t>(-1);
  m_position = begin;
  m_read_position = begin;
  if (begin > 0 && begin < end) {
    // The line that began before is somebody else's, up to its newline.
    m_position = begin - 1;
    m_read_position = begin - 1;
    if (!drop_partial_line()) m_position = end;
  }
  m_stop = end;
}

bool LineStream::drop_partial_line() {
  for (;;) {
    fill(piece_bytes);
    if (m_size == 0) return false;
    const void* const found = std::memchr(m_bytes.data(), '\n', m_size);
    if (found == nullptr) {
      m_position += m_size;
      m_begin = m_size;
      continue;
    }
    m_begin = static_cast<std::size_t>(static_cast<const char*>(found) - m_bytes.data()) + 1;
    m_position += m_begin;
    return true;
  }
}

std::size_t LineStream::count_lines_before(std::size_t position) const {
  FileBytes piece(piece_bytes);
  std::size_t lines = 0;
  for (std::size_t at = 0; at < position;) {
    const std::size_t come = m_file.read_at(at, piece.data(), std::min(piece_bytes, position - at));
    if (come == 0) break;
    lines += count_newlines(piece.data(), piece.data() + come);
    at += come;
  }
  return lines;
}

}  // namespace tessera::detail
