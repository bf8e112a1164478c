// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "app/exit_code.hpp"

namespace tessera::app {

namespace {

/// Writes all of it; false with errno where that fails, such as ENOSPC.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// True for a name that stands for an open file: that one is meant, not one that takes its place.
bool names_open_file(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

}  // namespace

OutputFile::OutputFile(std::string option, std::string path)
    : m_option(std::move(option)),
      m_path(path == "-" ? "/dev/stdout" : std::move(path)),
      m_target(m_path) {
  struct stat status = {};
  if (::stat(m_path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(EISDIR);
    m_in_place = !S_ISREG(status.st_mode) || names_open_file(m_path);
    if (::access(m_path.c_str(), W_OK) != 0) fail(errno);
    // A link is kept: the file that it leads to is replaced.
    if (!m_in_place) m_target = std::filesystem::canonical(m_path).string();
  }
  if (m_in_place) return;
  const std::string probe = temporary_path();
  const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) fail(errno);
  ::close(file);
  ::unlink(probe.c_str());
}

std::string OutputFile::temporary_path() const {
  const std::filesystem::path path(m_target);
  const std::string name = fmt::format(".tmp-{}-{}", ::getpid(), path.filename().string());
  return (path.parent_path() / name).string();
}

void OutputFile::fail(int error) const {
  throw OutputError(
      fmt::format("{} {}: cannot be written: {}", m_option, m_path, std::strerror(error)));
}

void OutputFile::write_to(const std::string& path, std::string_view text) const {
  // In place nothing is cut off: what was printed to the same file stays.
  const int how = m_in_place ? O_APPEND : O_CREAT | O_TRUNC;
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | how, 0666);
  if (file < 0) fail(errno);
  const bool written = write_all(file, text);
  const int error = errno;
  const bool closed = ::close(file) == 0;
  if (!written) fail(error);
  if (!closed) fail(errno);
}

void OutputFile::write(std::string_view text) const {
  if (m_in_place) {
    write_to(m_path, text);
    return;
  }
  const std::string temporary = temporary_path();
  try {
    write_to(temporary, text);
    if (std::rename(temporary.c_str(), m_target.c_str()) != 0) fail(errno);
  } catch (const OutputError&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace tessera::app
