// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tessera/io/detail/output_place.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

constexpr const char* cannot_write = "cannot be written";

/// How the kernel names the file behind an open descriptor.
std::string descriptor_name(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path)
    : m_path(path), m_packed(path.extension() == ".gz") {
  if (const auto open_file = descriptor_of(path)) {
    // Not opened a second time: what is written here and what is printed there share one position.
    if (!is_writable(*open_file)) fail(cannot_write, EBADF);
    m_descriptor = ::fcntl(*open_file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (m_descriptor < 0) fail(cannot_write, errno);
    return;
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) fail(cannot_write, EISDIR);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) {
    m_target = behind_links(path);
    open_new_file();
  } else {
    m_descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (m_descriptor < 0) fail(cannot_write, errno);
  }
}

void OutputFile::open_new_file() {
  struct ::stat existing{};
  const bool replaces = ::stat(m_target.c_str(), &existing) == 0;
  if (replaces && ::access(m_target.c_str(), W_OK) != 0) fail(cannot_write, errno);
  if (!open_without_name()) open_temporary();
  // On a failure the new file keeps its default mode; its content is not in danger.
  if (replaces) static_cast<void>(::fchmod(m_descriptor, existing.st_mode & 07777U));
}

bool OutputFile::open_without_name() {
#ifdef O_TMPFILE
  const auto folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
  m_descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (m_descriptor < 0) return false;
  // It gets a name by way of /proc alone.
  if (::access(descriptor_name(m_descriptor).c_str(), F_OK) == 0) return true;
  ::close(m_descriptor);
  m_descriptor = -1;
#endif
  return false;
}

std::filesystem::path OutputFile::temporary_name() const {
  static std::atomic<unsigned> counter{0};
  std::string file = ".";
  file += m_target.filename().string();
  file.append(".").append(std::to_string(::getpid()));
  file.append(".").append(std::to_string(counter++)).append(".tmp");
  return m_target.parent_path() / file;
}

void OutputFile::open_temporary() {
  while (m_temporary.empty()) {
    auto name = temporary_name();
    m_descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (m_descriptor >= 0) {
      m_temporary = std::move(name);  // a copy may find no memory, and the file would stay
    } else if (errno != EEXIST) {
      fail(cannot_write, errno);
    }
  }
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
      fail(cannot_write, errno);
    }
    next += n;
    size -= static_cast<std::size_t>(n);
  }
}

bool OutputFile::link_to(const std::filesystem::path& name) {
  if (::linkat(AT_FDCWD, descriptor_name(m_descriptor).c_str(), AT_FDCWD, name.c_str(),
               AT_SYMLINK_FOLLOW) == 0) {
    return true;
  }
  if (errno != EEXIST) fail("cannot be put in place", errno);
  return false;
}

void OutputFile::put_in_place() {
  if (m_temporary.empty()) {
    if (link_to(m_target)) return;
    // A link replaces nothing, a renaming does.
    while (m_temporary.empty()) {
      auto name = temporary_name();
      if (link_to(name)) m_temporary = std::move(name);
    }
  }
  if (::rename(m_temporary.c_str(), m_target.c_str()) != 0) fail("cannot be put in place", errno);
  m_temporary.clear();
}

void OutputFile::flush_folder() const {
  // Without the right to read the folder, or on a file system that flushes none, the name follows
  // in its own time.
  const auto folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error == EIO || error == ENOSPC || error == EDQUOT) {
    fail("its folder cannot be flushed to the disk", error);
  }
}

void OutputFile::commit() {
  const bool replaces = !m_target.empty();
  // Pipes and terminals have nothing to flush, and say so by EINVAL, ENOTSUP or EROFS.
  if (::fsync(m_descriptor) != 0 && replaces) fail("cannot be flushed to the disk", errno);
  if (replaces) put_in_place();
  const int descriptor = m_descriptor;
  m_descriptor = -1;
  if (::close(descriptor) != 0) fail(cannot_write, errno);
  if (replaces) flush_folder();
}

void OutputFile::fail(const char* what, int error) const {
  throw Error(ErrorKind::io, m_path.string() + ": " + what + ": " + write_error_text(error));
}

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
