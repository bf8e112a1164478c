// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/text_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "tessera/io/detail/output_file.hpp"
#include "tessera/io/detail/output_place.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera {

void write_text(const std::filesystem::path& path, std::string_view text) {
  detail::OutputFile file(path);
  file.write_as_is(text.data(), text.size());
  file.commit();
}

bool is_written_directly(const std::filesystem::path& path) {
  if (detail::descriptor_of(path)) return true;
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

void check_writable(const std::filesystem::path& path) {
  const bool opens_none = is_written_directly(path) && !detail::descriptor_of(path);
  if (!opens_none) {
    const detail::OutputFile file(path);
  } else if (::access(path.c_str(), W_OK) != 0) {
    throw Error(ErrorKind::io,
                path.string() + ": cannot be written: " + detail::write_error_text(errno));
  }
}

}  // namespace tessera
