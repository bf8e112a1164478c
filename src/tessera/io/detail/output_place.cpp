// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/output_place.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

namespace tessera::detail {

std::optional<int> descriptor_of(const std::filesystem::path& path) {
  const std::string& name = path.native();
  if (name == "/dev/stdin") return STDIN_FILENO;
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int number = -1;
    const char* const end = name.data() + name.size();
    const auto [behind, error] = std::from_chars(name.data() + folder.size(), end, number);
    if (error == std::errc() && behind == end && number >= 0) return number;
  }
  return std::nullopt;
}

bool is_writable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int max_links = 40;  // as the kernel counts them
  std::error_code error;
  for (int i = 0; i < max_links; ++i) {
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) break;
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  const auto folder =
      std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".", error);
  return error ? path : folder / path.filename();
}

std::string write_error_text(int error) {
  const auto remedy = [error]() -> std::string_view {
    switch (error) {
      case ENOSPC:
      case EDQUOT:
        return "; free some or name a file elsewhere";
      case EFBIG:
        return "; raise the limit of a file's size (ulimit -f)";
      case ENOENT:
        return "; its folder must be there";
      case EACCES:
      case EPERM:
      case EROFS:
        return "; name a file where you may write";
      default:
        return "";
    }
  };
  return std::generic_category().message(error).append(remedy());
}

}  // namespace tessera::detail
