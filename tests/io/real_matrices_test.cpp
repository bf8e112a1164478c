// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Real matrices: rows and entries as their index says, each the same from binary as from text.
#include <algorithm>
#include <sstream>

#include "io/files.hpp"
#include "support/matrices.hpp"
#include "support/reference.hpp"
#include "support/share.hpp"
#include "tessera/io/binary.hpp"

namespace tessera::test::real_matrices_test {

struct IndexLine {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::size_t entries = 0;
  bool symmetric = false;
};

std::vector<IndexLine> read_index(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<IndexLine> index;
  std::string text;
  std::getline(file, text);  // the columns' names
  while (std::getline(file, text)) {
    std::istringstream line(text);
    std::vector<std::string> fields;
    for (std::string field; std::getline(line, field, '\t');)
      fields.push_back(field);
    if (fields.size() < 6) continue;
    index.push_back({fields[0], std::stoll(fields[2]), std::stoll(fields[3]),
                     static_cast<std::size_t>(std::stoll(fields[4])), fields[5] == "yes"});
  }
  return index;
}

TEST(RealMatrices, RowsAndEntriesAreThoseOfTheIndex) {
  if (const auto why = why_unreadable(); !why.empty()) GTEST_SKIP() << why;
  const auto folder = matrices();
  if (!std::filesystem::exists(folder / "INDEX.tsv"))
    GTEST_SKIP() << "the folder of matrices has no INDEX.tsv";
  const TemporaryFolder scratch;
  const DeviceSpace exec;
  std::size_t read = 0;
  Share share;
  for (const IndexLine& line : read_index(folder / "INDEX.tsv")) {
    const auto packed = packed_matrix(line.name);
    if (!std::filesystem::exists(packed) || !share.takes()) continue;
    const auto path = scratch.path() / "a.mtx";
    const std::string unpack = "xz -dc '" + packed.string() + "' > '" + path.string() + "'";
    ASSERT_EQ(std::system(unpack.c_str()), 0) << unpack;
    const auto file = read_matrix<double>(exec, path);
    SCOPED_TRACE(line.name);
    EXPECT_EQ(file.A.num_rows, line.rows);
    EXPECT_EQ(file.A.num_cols, line.cols);
    EXPECT_EQ(file.A.num_entries(), line.entries);
    EXPECT_LE(file.A.num_entries(), static_cast<std::size_t>(inspect_matrix(path).max_entries));
    const HostMatrix<double> A = to_host(file.A);
    if (line.symmetric) expect_same(A, transpose(A));
    write_binary(exec, scratch.path() / "a.tsr", file.A);
    expect_same(to_host(read_matrix<double>(exec, scratch.path() / "a.tsr").A), A);
    ++read;
  }
  EXPECT_GT(read, 0U);
}

}  // namespace tessera::test::real_matrices_test
