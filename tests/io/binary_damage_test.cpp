// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Damaged binary files: each changed byte and each cut is noticed.
#include <cstring>

#include "io/files.hpp"
#include "support/random_matrix.hpp"
#include "tessera/io/binary.hpp"
#include "tessera/io/detail/binary_layout.hpp"

namespace tessera::test::binary_damage_test {

class BinaryDamage : public ::testing::Test {
 protected:
  void SetUp() override {
    const HostSpace exec;
    write_binary<double, HostSpace, std::int32_t>(
        exec, m_path, make_csr(exec, poisson<double>(4, 3)),
        to_multivector(exec, std::vector<double>(12), 12));
    m_bytes = read_bytes(m_path);
  }

  void expect_refused(const std::string& bytes, const std::string& reason = {}) const {
    const auto path = m_folder.write("bad.tsr", bytes);
    expect_error(error_of([&] { read_matrix<double>(DeviceSpace(), path); }), ErrorKind::bad_input,
                 {reason});
  }

  // The file with other sections; its checksums are right.
  std::string with_sections(std::vector<std::int32_t> offsets, std::vector<std::int32_t> columns,
                            std::vector<double> values) const {
    detail::BinaryHeader header =
        detail::make_binary_header(8, 4, static_cast<std::int64_t>(offsets.size()) - 1, 3,
                                   static_cast<std::int64_t>(columns.size()), 0, 0);
    const auto path = m_folder.path() / "made.tsr";
    detail::write_sections(path, header,
                           {offsets.data(), columns.data(), values.data(), nullptr, nullptr}, 1);
    return read_bytes(path);
  }

  TemporaryFolder m_folder;
  std::filesystem::path m_path = m_folder.path() / "a.tsr";
  std::string m_bytes;
};

TEST_F(BinaryDamage, EveryChangedByteIsNoticed) {
  for (std::size_t i = 0; i < m_bytes.size(); ++i) {
    std::string bytes = m_bytes;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    SCOPED_TRACE("byte " + std::to_string(i));
    expect_refused(bytes);
  }
}

TEST_F(BinaryDamage, EveryCutAndEveryTailIsNoticed) {
  for (std::size_t size = 0; size < m_bytes.size(); size += 13) {
    SCOPED_TRACE(size);
    expect_refused(m_bytes.substr(0, size));
  }
  expect_refused(m_bytes + "x");
}

TEST_F(BinaryDamage, ReasonsAreSaid) {
  const auto changed = [this](std::size_t at, char value) {
    std::string bytes = m_bytes;
    bytes[at] = value;
    return bytes;
  };
  expect_refused(m_bytes.substr(0, 100), "ends within its header");
  expect_refused(changed(8, 2), "version 2; only version 1 is known");
  expect_refused(changed(12, 1), "another byte order");
  expect_refused(changed(24, 9), "its header is damaged (checksum)");
  expect_refused(changed(128, 9), "its offsets are damaged (checksum)");
  expect_refused(m_bytes.substr(0, m_bytes.size() - 64), "promises a file of");
  expect_refused(with_sections({0, 1, 2}, {0, 3}, {1, 1}), "1 column numbers that lie outside");
  expect_refused(with_sections({0, 1, 2}, {0, -1}, {1, 1}), "1 column numbers that lie outside");
  expect_refused(with_sections({0, 2, 1}, {0, 1}, {1, 1}), "row offsets that do not ascend");
  expect_refused(with_sections({1, 1, 2}, {0, 1}, {1, 1}), "row offsets that do not ascend");
  expect_refused(with_sections({0, 1, 3}, {0, 1}, {1, 1}), "row offsets that do not ascend");
  expect_refused(with_sections({0, 1, 2}, {0, 1}, {1, 1.0 / 0.0}), "1 values that are not finite");
  EXPECT_NO_THROW((m_folder.write("b", with_sections({0, 1, 2}, {0, 1}, {1, 1e300})),
                   read_matrix<double>(HostSpace(), m_folder.path() / "b")));
  EXPECT_THROW(read_matrix<float>(HostSpace(), m_folder.path() / "b"), Error);
}

}  // namespace tessera::test::binary_damage_test
