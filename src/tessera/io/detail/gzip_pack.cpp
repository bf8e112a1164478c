// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The only place that knows zlib's deflate.
#include "tessera/io/detail/gzip_pack.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

std::vector<char> pack_gzip(const void* data, std::size_t size) {
  constexpr int gzip_header = 16 + MAX_WBITS;
  constexpr int default_memory = 8;
  constexpr std::size_t largest = std::numeric_limits<uInt>::max();
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_header, default_memory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(ErrorKind::out_of_memory, "no memory to pack a file");
  }
  std::vector<char> packed(deflateBound(&stream, size));
  // zlib counts 32 bits at a time; `packed` has room for all, so that no step can fail.
  const auto* next = static_cast<const Bytef*>(data);
  std::size_t left = size;
  std::size_t done = 0;
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    stream.next_in = const_cast<Bytef*>(next);
    stream.avail_in = static_cast<uInt>(std::min(left, largest));
    stream.next_out = reinterpret_cast<Bytef*>(packed.data() + done);
    stream.avail_out = static_cast<uInt>(std::min(packed.size() - done, largest));
    const uInt in = stream.avail_in;
    const uInt out = stream.avail_out;
    result = deflate(&stream, left <= largest ? Z_FINISH : Z_NO_FLUSH);
    next += in - stream.avail_in;
    left -= in - stream.avail_in;
    done += out - stream.avail_out;
  }
  deflateEnd(&stream);
  packed.resize(done);
  return packed;
}

}  // namespace tessera::detail
