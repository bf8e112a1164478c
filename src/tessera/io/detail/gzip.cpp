// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Unpacking of gzip; the only place that knows zlib's inflate.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "tessera/io/detail/file_bytes.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

/// Unpacks what `more` gives, piece after piece until an empty one.
class Inflater {
 public:
  Inflater(PackedSource more, std::string name) : m_more(std::move(more)), m_name(std::move(name)) {
    refill();
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&m_stream, gzip_only) != Z_OK) {
      throw Error(ErrorKind::out_of_memory, m_name + ": no memory to unpack it");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&m_stream); }

  /// Fills `to` as far as the content goes; returns how many bytes.
  std::size_t read(char* to, std::size_t size) {
    std::size_t done = 0;
    while (done < size && !m_finished) {
      const auto in = static_cast<uInt>(std::min<std::size_t>(m_left, largest));
      const auto out = static_cast<uInt>(std::min<std::size_t>(size - done, largest));
      // zlib takes its input non-const and does not write to it.
      m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(m_next));
      m_stream.avail_in = in;
      m_stream.next_out = reinterpret_cast<Bytef*>(to + done);
      m_stream.avail_out = out;
      const int result = inflate(&m_stream, Z_NO_FLUSH);
      m_next += in - m_stream.avail_in;
      m_left -= in - m_stream.avail_in;
      done += out - m_stream.avail_out;
      if (m_left == 0) refill();
      if (result == Z_STREAM_END) {
        end_member();
      } else if (result == Z_MEM_ERROR) {
        throw Error(ErrorKind::out_of_memory, m_name + ": no memory to unpack it");
      } else if (result == Z_BUF_ERROR && m_left == 0) {
        fail("it is truncated");
      } else if (result != Z_OK) {
        fail(m_stream.msg ? m_stream.msg : "zlib error " + std::to_string(result));
      }
    }
    return done;
  }

  bool finished() const { return m_finished; }

 private:
  static constexpr std::size_t largest = std::numeric_limits<uInt>::max();

  void refill() {
    const std::string_view piece = m_more();
    m_next = piece.data();
    m_left = piece.size();
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorKind::bad_input, m_name + ": damaged gzip: " + reason);
  }

  // RFC 1952: a gzip file is a sequence of members.
  void end_member() {
    if (m_left == 0) {
      m_finished = true;
      return;
    }
    // The second byte may be in the next piece; inflate looks at it, too.
    const bool is_member = m_next[0] == '\x1f' && (m_left < 2 || m_next[1] == '\x8b');
    if (!is_member) fail(std::to_string(m_left) + " bytes behind its end");
    inflateReset(&m_stream);
  }

  PackedSource m_more;
  std::string m_name;
  const char* m_next = nullptr;
  std::size_t m_left = 0;
  bool m_finished = false;
  z_stream m_stream{};
};

namespace {

/// All of it at once.
PackedSource whole(const FileBytes& packed) {
  return [rest = std::string_view(packed.data(), packed.size())]() mutable {
    return std::exchange(rest, {});
  };
}

}  // namespace

class GzipStream::Impl : public Inflater {
 public:
  using Inflater::Inflater;
};

GzipStream::GzipStream(PackedSource more, const std::string& name)
    : m_impl(std::make_unique<Impl>(std::move(more), name)) {}
GzipStream::~GzipStream() = default;

std::size_t GzipStream::read(char* to, std::size_t size) { return m_impl->read(to, size); }

bool is_gzip(const FileBytes& bytes) {
  return bytes.size() >= 2 && bytes.data()[0] == '\x1f' && bytes.data()[1] == '\x8b';
}

FileBytes unpack_gzip(const FileBytes& packed, const std::string& name, std::size_t limit) {
  Inflater inflater(whole(packed), name);
  FileBytes bytes(std::min(limit, 4 * packed.size() + 4096));
  std::size_t size = 0;
  for (;;) {
    size += inflater.read(bytes.data() + size, bytes.size() - size);
    if (inflater.finished()) break;
    if (size >= limit) {
      throw Error(ErrorKind::out_of_memory,
                  name + ": unpacks to more than " + std::to_string(limit) + " bytes");
    }
    bytes.resize(std::min(limit, 2 * size));
  }
  bytes.resize(size);
  return bytes;
}

FileBytes unpack_gzip_start(const FileBytes& packed, const std::string& name, std::size_t size) {
  Inflater inflater(whole(packed), name);
  FileBytes bytes(size);
  bytes.resize(inflater.read(bytes.data(), size));
  return bytes;
}

}  // namespace tessera::detail
