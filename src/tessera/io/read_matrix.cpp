// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include <new>
#include <optional>

#include "tessera/io/detail/binary_layout.hpp"
#include "tessera/io/detail/header.hpp"
#include "tessera/io/detail/load.hpp"
#include "tessera/io/detail/staging.hpp"
#include "tessera/io/matrix_file.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera {

template <class Scalar, class Offset, class Space>
MatrixFile<Scalar, Space, Offset> read_matrix(const Space& exec, const std::filesystem::path& path,
                                              const ReadOptions& options) {
  const detail::FileBytes bytes = detail::load_unpacked(
      path, detail::host_threads(exec, options.threads),
      [&](const auto& start) { detail::check_matrix_start(path.string(), start); });
  if (detail::is_binary(bytes)) {
    return detail::load_binary<Scalar, Offset>(exec, bytes, path.string(), options);
  }
  return detail::load_matrix_market<Scalar, Offset>(exec, bytes, path.string(), options);
}

namespace detail {

FileBytes load_unpacked(const std::filesystem::path& path, int threads, const StartCheck& check) {
  try {
    FileBytes bytes = read_file(path, threads, physical_memory(), check);
    if (!is_gzip(bytes)) return bytes;
    // While its buffer grows, the old one and the new one are there together.
    return unpack_gzip(bytes, path.string(), physical_memory() / 2);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory, path.string() + ": no memory for its content");
  }
}

void check_matrix_start(const std::string& name, const FileBytes& start) {
  const Text text = start.text(name);
  const char* body = nullptr;
  const bool known = is_gzip(start) || is_binary(start) || has_matrix_market_banner(text);
  if (!known) parse_header(text, body);  // says what is expected there
}

}  // namespace detail

namespace {

// Of a file's first piece, where that does not end within the size line; nothing for a bad file,
// too.
std::optional<MatrixMarketHeader> header_of_piece(const detail::Text& text) {
  try {
    const char* body = nullptr;
    MatrixMarketHeader header = detail::parse_header(text, body);
    if (body < text.end) return header;
  } catch (const Error&) {
    return std::nullopt;
  }
  return std::nullopt;
}

// The head, or all where it is longer than the first piece.
MatrixMarketHeader inspect_text(const std::filesystem::path& path, const detail::FileBytes& start) {
  const std::string name = path.string();
  const char* body = nullptr;
  const detail::Text text = start.text(name);
  if (start.size() == 0 || !detail::has_matrix_market_banner(text)) {
    return detail::parse_header(text, body);
  }
  if (const auto header = header_of_piece(text)) return *header;
  const detail::FileBytes whole = detail::load_unpacked(path, 1);
  return detail::parse_header(whole.text(name), body);
}

}  // namespace

MatrixInfo inspect_matrix(const std::filesystem::path& path) {
  constexpr std::size_t piece = std::size_t{1} << 20U;
  detail::FileBytes start = detail::read_file_start(path, piece);
  if (detail::is_gzip(start)) start = detail::unpack_gzip_start(start, path.string(), piece / 2);
  MatrixInfo info;
  if (detail::is_binary(start)) {
    info.header = detail::parse_binary_header(start, path.string());
    info.max_entries = info.header.num_entries;
    return info;
  }
  info.header = inspect_text(path, start);
  const MatrixMarketHeader& h = info.header;
  info.max_entries = h.symmetry == MatrixSymmetry::general ? h.num_entries : 2 * h.num_entries;
  if (h.external_diagonal) info.max_entries += h.num_rows * h.block_cols;
  return info;
}

#define TESSERA_INSTANTIATE(Scalar, Space, Offset) \
  TESSERA_INSTANTIATE_FUNCTION(read_matrix, Scalar, Offset, Space)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
