// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Any bytes as a binary matrix whose checksums are right: run with checks/fuzz/corpus_binary as
/// seeds.
#include <sys/mman.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "tessera/io/binary.hpp"
#include "tessera/io/detail/binary_layout.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

namespace tessera::fuzz {

namespace {

using detail::BinaryHeader;
using detail::FileBytes;

constexpr std::size_t max_promised_bytes = std::size_t{1} << 16U;

/// Sizes of which none is large enough for a file's length to overflow.
bool is_small(const BinaryHeader& h) {
  const auto small = [](std::int64_t n) {
    return n >= 0 && n < static_cast<std::int64_t>(max_promised_bytes);
  };
  return small(h.num_rows) && small(h.num_cols) && small(h.num_entries) && small(h.rhs_columns) &&
         small(h.solution_columns);
}

/// Gives the sections the length that the header promises, and the checksums and zeros for padding
/// that they need to be read any further.
void mend_sections(BinaryHeader& header, FileBytes& bytes) {
  const detail::BinarySections sections = detail::locate_sections(header);
  if (sections.file_size > max_promised_bytes) return;
  const std::size_t size = bytes.size();
  if (size < sections.file_size) {
    bytes.resize(sections.file_size);
    std::memset(bytes.data() + size, 0, sections.file_size - size);
  }
  bytes.resize(sections.file_size);
  for (std::size_t s = 0; s < detail::num_binary_sections; ++s) {
    char* const begin = bytes.data() + sections.begin[s];
    header.checksums[s] = detail::checksum(begin, sections.size[s], 1);
    const bool last = s + 1 == detail::num_binary_sections;
    const std::size_t end = last ? sections.file_size : sections.begin[s + 1];
    std::fill(begin + sections.size[s], bytes.data() + end, '\0');
  }
}

FileBytes mend(const std::uint8_t* data, std::size_t size) {
  const BinaryHeader right = detail::make_binary_header(8, 4, 0, 0, 0, 0, 0);
  FileBytes bytes(std::max(size, sizeof(BinaryHeader)));
  std::memset(bytes.data(), 0, bytes.size());
  if (size > 0) std::memcpy(bytes.data(), data, size);
  BinaryHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.magic = right.magic;
  header.version = right.version;
  header.byte_order = right.byte_order;
  if (is_small(header)) mend_sections(header, bytes);
  header.header_checksum = detail::checksum(reinterpret_cast<const char*>(&header),
                                            offsetof(BinaryHeader, header_checksum), 1);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

/// A file that takes every input in turn: in memory where the system has such files.
class InputFile {
 public:
  InputFile() {
#ifdef __linux__
    m_descriptor = ::memfd_create("tessera_fuzz", MFD_CLOEXEC);
    if (m_descriptor >= 0) m_path = "/proc/self/fd/" + std::to_string(m_descriptor);
#endif
    if (m_descriptor >= 0) return;
    std::string name = (std::filesystem::temp_directory_path() / "tessera_fuzz_XXXXXX").string();
    m_descriptor = ::mkstemp(name.data());
    m_path = m_to_remove = name;
    if (m_descriptor < 0) std::abort();
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    ::close(m_descriptor);
    std::error_code ignored;
    if (!m_to_remove.empty()) std::filesystem::remove(m_to_remove, ignored);
  }

  const std::filesystem::path& write(const FileBytes& bytes) {
    if (::ftruncate(m_descriptor, 0) != 0 || ::pwrite(m_descriptor, bytes.data(), bytes.size(),
                                                      0) != static_cast<ssize_t>(bytes.size())) {
      std::abort();
    }
    return m_path;
  }

 private:
  int m_descriptor = -1;
  std::filesystem::path m_path;
  std::filesystem::path m_to_remove;
};

void require_that(bool holds) {
  if (!holds) __builtin_trap();  // the reader let bad data pass
}

template <class Vectors>
void check_vectors(const Vectors& x, std::int64_t rows) {
  if (!x) return;
  require_that(x->extent(0) == static_cast<std::size_t>(rows) && x->extent(1) > 0);
  for (std::size_t j = 0; rows > 0 && j < x->extent(1); ++j) {
    for (std::size_t i = 0; i < x->extent(0); ++i)
      require_that(std::isfinite((*x)(i, j)));
  }
}

template <class Scalar, class Offset>
void read(const std::filesystem::path& path) {
  try {
    const auto file = read_binary<Scalar, Offset>(HostSpace(), path);
    const auto& A = file.A;
    require_that(A.offsets.extent(0) == static_cast<std::size_t>(A.num_rows) + 1);
    require_that(A.offsets(0) == 0 && A.columns.extent(0) == A.values.extent(0));
    for (Ordinal i = 0; i < A.num_rows; ++i)
      require_that(A.offsets(i) <= A.offsets(i + 1));
    require_that(static_cast<std::size_t>(A.offsets(A.num_rows)) == A.columns.extent(0));
    for (std::size_t k = 0; k < A.columns.extent(0); ++k) {
      require_that(A.columns(k) >= 0 && A.columns(k) < A.num_cols && std::isfinite(A.values(k)));
    }
    check_vectors(file.rhs, A.num_rows);
    check_vectors(file.solution, A.num_cols);
  } catch (const Error&) {
  }
}

}  // namespace

}  // namespace tessera::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  static const Kokkos::ScopeGuard kokkos(
      Kokkos::InitializationSettings().set_num_threads(2).set_disable_warnings(true));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera::fuzz;
  static InputFile file;
  const auto& path = file.write(mend(data, size));
  read<double, std::int32_t>(path);
  read<double, std::int64_t>(path);
  read<float, std::int32_t>(path);
  read<float, std::int64_t>(path);
  return 0;
}
