// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "tessera/io/detail/gzip_pack.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

/// True for a name that stands for an open file: that one is meant, not one that takes its place.
bool names_open_file(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path)
    : m_path(path), m_packed(path.extension() == ".gz") {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) fail("cannot write", EISDIR);
  if (!std::filesystem::exists(status) ||
      (std::filesystem::is_regular_file(status) && !names_open_file(path.string()))) {
    // Behind a symbolic link the file itself is replaced, not the link.
    const auto target = std::filesystem::weakly_canonical(path, ignored);
    if (!target.empty()) m_path = target;
    open_temporary();
  } else {
    m_descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (m_descriptor < 0) fail("cannot open for writing", errno);
  }
}

void OutputFile::open_temporary() {
  static std::atomic<unsigned> counter{0};
  struct ::stat existing{};
  const bool replaces = ::stat(m_path.c_str(), &existing) == 0;
  if (replaces && ::access(m_path.c_str(), W_OK) != 0) fail("cannot open for writing", errno);
  for (;;) {
    std::string file = ".";
    file += m_path.filename().string();
    file.append(".").append(std::to_string(::getpid()));
    file.append(".").append(std::to_string(counter++)).append(".tmp");
    const std::filesystem::path name = m_path.parent_path() / file;
    m_descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (m_descriptor >= 0) {
      m_temporary = name;
      break;
    }
    if (errno != EEXIST) fail("cannot open for writing", errno);
  }
  // On a failure the new file keeps its default mode; its content is not in danger.
  if (replaces) static_cast<void>(::fchmod(m_descriptor, existing.st_mode & 07777U));
}

OutputFile::~OutputFile() {
  if (m_descriptor >= 0) ::close(m_descriptor);
  if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
}

void OutputFile::write(const void* data, std::size_t size) {
  if (m_packed) {
    const std::vector<char> packed = pack_gzip(data, size);
    write_as_is(packed.data(), packed.size());
  } else {
    write_as_is(data, size);
  }
}

void OutputFile::write_as_is(const void* data, std::size_t size) {
  const auto* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(m_descriptor, next, size);
    if (n < 0) {
      if (errno == EINTR) continue;
      fail("cannot write", errno);
    }
    next += n;
    size -= static_cast<std::size_t>(n);
  }
}

void OutputFile::commit() {
  // Pipes and terminals have nothing to flush, and say so by EINVAL, ENOTSUP or EROFS.
  if (::fsync(m_descriptor) != 0 && !m_temporary.empty()) fail("cannot flush to the disk", errno);
  const int descriptor = m_descriptor;
  m_descriptor = -1;
  if (::close(descriptor) != 0) fail("cannot close", errno);
  if (m_temporary.empty()) return;
  if (::rename(m_temporary.c_str(), m_path.c_str()) != 0) fail("cannot rename into place", errno);
  m_temporary.clear();
}

void OutputFile::fail(const char* what, int error) const {
  throw Error(ErrorKind::io,
              m_path.string() + ": " + what + ": " + std::generic_category().message(error));
}

}  // namespace tessera::detail
