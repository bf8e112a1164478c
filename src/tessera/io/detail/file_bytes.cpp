// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "tessera/io/detail/parallel.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t piece_bytes = std::size_t{4} << 20U;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
  throw Error(ErrorKind::io,
              path.string() + ": " + what + ": " + std::generic_category().message(error));
}

class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path)
      : m_path(path), m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (m_descriptor < 0) fail(m_path, "cannot open for reading", errno);
    struct ::stat status{};
    if (::fstat(m_descriptor, &status) != 0) {
      const int error = errno;
      ::close(m_descriptor);
      fail(m_path, "cannot examine", error);
    }
    if (S_ISDIR(status.st_mode)) {
      ::close(m_descriptor);
      fail(m_path, "cannot read", EISDIR);
    }
    if (S_ISREG(status.st_mode)) m_size = static_cast<std::size_t>(status.st_size);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { ::close(m_descriptor); }

  /// Zero for what is not a regular file.
  std::size_t size() const { return m_size; }

  /// Reads on from the last `read` until `size` bytes or the end; returns how many.
  std::size_t read(char* to, std::size_t size) const {
    return repeat(size,
                  [&](std::size_t done) { return ::read(m_descriptor, to + done, size - done); });
  }

  std::size_t read_at(std::size_t offset, char* to, std::size_t size) const {
    return repeat(size, [&](std::size_t done) {
      return ::pread(m_descriptor, to + done, size - done, static_cast<off_t>(offset + done));
    });
  }

 private:
  template <class Call>
  std::size_t repeat(std::size_t size, const Call& call) const {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t n = call(done);
      if (n == 0) break;
      if (n < 0 && errno != EINTR) fail(m_path, "cannot read", errno);
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    return done;
  }

  std::filesystem::path m_path;
  int m_descriptor;
  std::size_t m_size = 0;
};

FileBytes read_stream(const InputFile& file, const std::string& name, std::size_t limit) {
  FileBytes bytes(std::min(piece_bytes, limit));
  std::size_t size = 0;
  for (;;) {
    size += file.read(bytes.data() + size, bytes.size() - size);
    if (size < bytes.size()) break;
    if (size >= limit) {
      throw Error(ErrorKind::out_of_memory, name + ": it does not end within " +
                                                std::to_string(limit) +
                                                " bytes, half of this machine's memory");
    }
    bytes.resize(std::min(2 * size, limit));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

void FileBytes::Free::operator()(char* p) const { std::free(p); }

FileBytes::FileBytes(std::size_t size) : m_size(size) {
  m_capacity = (size / alignment + 1) * alignment;
  m_data.reset(static_cast<char*>(std::aligned_alloc(alignment, m_capacity)));
  if (!m_data) {
    throw Error(ErrorKind::out_of_memory,
                "no memory for the " + std::to_string(size) + " bytes of a file");
  }
  m_data.get()[size] = '\n';
}

void FileBytes::resize(std::size_t size) {
  if (size >= m_capacity) {
    FileBytes larger(size);
    std::memcpy(larger.data(), data(), m_size);
    *this = std::move(larger);
  }
  m_size = size;
  m_data.get()[size] = '\n';
}

std::size_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                               : static_cast<std::size_t>(-1);
}

FileBytes read_file(const std::filesystem::path& path, int threads, std::size_t memory) {
  const InputFile file(path);
  // While its buffer grows, the old one and the new one are there together.
  if (file.size() == 0) return read_stream(file, path.string(), memory / 2);
  if (file.size() > memory) {
    throw Error(ErrorKind::out_of_memory, path.string() + ": its " + std::to_string(file.size()) +
                                              " bytes are more than this machine's memory");
  }
  FileBytes bytes(file.size());
  for_each_task(threads, (file.size() - 1) / piece_bytes + 1, [&](std::size_t i) {
    const std::size_t offset = i * piece_bytes;
    const std::size_t size = std::min(piece_bytes, file.size() - offset);
    if (file.read_at(offset, bytes.data() + offset, size) != size) {
      throw Error(ErrorKind::io, path.string() + ": it became shorter while it was read");
    }
  });
  return bytes;
}

FileBytes read_file_start(const std::filesystem::path& path, std::size_t size) {
  const InputFile file(path);
  FileBytes bytes(size);
  bytes.resize(file.read(bytes.data(), size));
  return bytes;
}

}  // namespace tessera::detail
