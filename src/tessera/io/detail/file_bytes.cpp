// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/io/detail/file_bytes.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>

#include "tessera/io/detail/input_file.hpp"
#include "tessera/io/detail/parallel.hpp"
#include "tessera/kernels/execution/error.hpp"

namespace tessera::detail {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t piece_bytes = std::size_t{4} << 20U;

FileBytes read_stream(const InputFile& file, const std::string& name, std::size_t limit,
                      const StartCheck& check) {
  FileBytes bytes(std::min(piece_bytes, limit));
  std::size_t size = 0;
  for (;;) {
    const bool first = size == 0;
    size += file.read(bytes.data() + size, bytes.size() - size);
    if (size < bytes.size()) break;
    if (first && check) check(bytes);
    if (size >= limit) {
      throw Error(ErrorKind::out_of_memory,
                  name + ": it does not end within " + std::to_string(limit) +
                      " bytes, half of the memory that this process may use");
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
  if (!m_data) throw std::bad_alloc();
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
  const auto machine = pages > 0 && page > 0
                           ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                           : static_cast<std::size_t>(-1);
  return std::min(machine, control_group_memory("/proc/self/cgroup", "/sys/fs/cgroup"));
}

std::size_t control_group_memory(const std::filesystem::path& groups,
                                 const std::filesystem::path& root) {
  auto least = static_cast<std::size_t>(-1);
  std::ifstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    // HIERARCHY:CONTROLLERS:/PATH; version 2 names no controllers.
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && controllers != "memory") continue;
    auto folder = root / controllers;
    const auto look = [&] {
      std::ifstream file(folder / (controllers.empty() ? "memory.max" : "memory.limit_in_bytes"));
      std::size_t limit = 0;
      if (file >> limit) least = std::min(least, limit);  // it may be the word "max"
    };
    look();
    for (const auto& part : std::filesystem::path(line.substr(second + 1)).relative_path()) {
      folder /= part;
      look();
    }
  }
  return least;
}

FileBytes read_file(const std::filesystem::path& path, int threads, std::size_t memory,
                    const StartCheck& check) {
  const InputFile file(path);
  // While its buffer grows, the old one and the new one are there together.
  if (file.size() == 0) return read_stream(file, path.string(), memory / 2, check);
  if (file.size() > memory) {
    throw Error(ErrorKind::out_of_memory,
                path.string() + ": its " + std::to_string(file.size()) +
                    " bytes are more than the memory that this process may use");
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
