// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

[[noreturn]] void fail_to_read(const std::filesystem::path& path, const std::string& what,
                               int error) {
  throw Error(ErrorKind::io,
              path.string() + ": " + what + ": " + std::generic_category().message(error));
}

/// Calls until `size` bytes are there, or no more come.
template <class Call>
std::size_t read_whole(const std::filesystem::path& path, std::size_t size, const Call& call) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = call(done);
    if (n == 0) break;
    if (n < 0 && errno != EINTR) fail_to_read(path, "cannot read", errno);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return done;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : m_path(path), m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (m_descriptor < 0) fail_to_read(m_path, "cannot open for reading", errno);
  struct ::stat status{};
  if (::fstat(m_descriptor, &status) != 0) {
    const int error = errno;
    ::close(m_descriptor);
    fail_to_read(m_path, "cannot examine", error);
  }
  if (S_ISDIR(status.st_mode)) {
    ::close(m_descriptor);
    fail_to_read(m_path, "cannot read", EISDIR);
  }
  m_is_regular = S_ISREG(status.st_mode);
  if (m_is_regular) m_size = static_cast<std::size_t>(status.st_size);
}

InputFile::~InputFile() { ::close(m_descriptor); }

std::size_t InputFile::read(char* to, std::size_t size) const {
  return read_whole(m_path, size,
                    [&](std::size_t done) { return ::read(m_descriptor, to + done, size - done); });
}

std::size_t InputFile::read_at(std::size_t offset, char* to, std::size_t size) const {
  return read_whole(m_path, size, [&](std::size_t done) {
    return ::pread(m_descriptor, to + done, size - done, static_cast<off_t>(offset + done));
  });
}

}  // namespace tessera::detail
