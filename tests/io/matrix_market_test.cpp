// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Good Matrix Market files: every form that is accepted, against plain references.
#include "tessera/io/matrix_market.hpp"

#include <map>

#include "io/files.hpp"
#include "support/random_matrix.hpp"

namespace tessera::test::matrix_market_test {

const std::string banner = "%%MatrixMarket matrix ";

template <class Param>
class MatrixMarketTest : public ::testing::Test {
 protected:
  TESSERA_TEST_TYPES(Param);

  auto read(const std::string& content, const ReadOptions& options = {}) {
    return read_matrix<Scalar, Offset>(Space(), m_folder.write("a.mtx", content), options);
  }

  // Rows as lists of (column, value), columns ascending.
  void expect(const std::string& content, std::int32_t num_cols,
              const std::vector<std::vector<std::pair<std::int32_t, Scalar>>>& rows) {
    SCOPED_TRACE(content);
    expect_same(to_host(read(content).A), from_rows(num_cols, rows));
  }

  TemporaryFolder m_folder;
};
TYPED_TEST_SUITE(MatrixMarketTest, Matrices, TypeNames);

TYPED_TEST(MatrixMarketTest, General) {
  this->expect(banner + "coordinate real general\n2 3 4\n1 1 1.5\n1 3 -2\n2 1 3e0\n2 2 .25\n", 3,
               {{{0, 1.5}, {2, -2}}, {{0, 3}, {1, 0.25}}});
  this->expect(banner + "coordinate real general\n2 3 4\n2 2 .25\n1 3 -2\n2 1 3e0\n1 1 1.5\n", 3,
               {{{0, 1.5}, {2, -2}}, {{0, 3}, {1, 0.25}}});
}

TYPED_TEST(MatrixMarketTest, SymmetricAndSkewSymmetric) {
  this->expect(banner + "coordinate real symmetric\n3 3 4\n1 1 2\n2 1 -1\n3 1 7\n3 3 4\n", 3,
               {{{0, 2}, {1, -1}, {2, 7}}, {{0, -1}}, {{0, 7}, {2, 4}}});
  this->expect(banner + "coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 2 -1\n", 3,
               {{{1, -5}}, {{0, 5}, {2, 1}}, {{1, -1}}});
}

TYPED_TEST(MatrixMarketTest, IntegerPatternDouble) {
  this->expect(banner + "coordinate integer general\n1 2 2\n1 1 -3\n1 2 +4\n", 2,
               {{{0, -3}, {1, 4}}});
  this->expect(banner + "coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n", 2,
               {{{1, 1}}, {{0, 1}, {1, 1}}});
  this->expect(banner + "coordinate double general\n1 1 1\n1 1 1\n", 1, {{{0, 1}}});
}

TYPED_TEST(MatrixMarketTest, ArraysLeaveOutZeros) {
  this->expect(banner + "array real general\n2 3\n1\n0\n2\n3\n0\n4\n", 3,
               {{{0, 1}, {1, 2}}, {{1, 3}, {2, 4}}});
  this->expect(banner + "array real symmetric\n2 2\n1\n2\n3\n", 2,
               {{{0, 1}, {1, 2}}, {{0, 2}, {1, 3}}});
  this->expect(banner + "array integer skew-symmetric\n3 3\n1\n2\n3\n", 3,
               {{{1, -1}, {2, -2}}, {{0, 1}, {2, -3}}, {{0, 2}, {1, 3}}});
}

TYPED_TEST(MatrixMarketTest, LooseLayout) {
  this->expect(
      "%%matrixmarket MATRIX Coordinate Real GENERAL \r\n% a\r\n\r\n  2 2\t2  \r\n% b\r\n"
      "\r\n   1 1   +1.5 \r\n%c\r\n\t2 2 -.5e+1",
      2, {{{0, 1.5}}, {{1, -5}}});
  this->expect(banner + "coordinate real general\n2 2 2\n0000000000001 1 1e-999\n2 2 -1e-999\n", 2,
               {{{0, 0}}, {{1, 0}}});
}

TYPED_TEST(MatrixMarketTest, Amgx) {
  using Scalar = typename TypeParam::Scalar;
  const auto file = this->read(banner +
                               "coordinate real general\n%%AMGX 1 1 sorted diagonal rhs solution\n"
                               "2 2 2\n1 2 -1\n2 1 -2\n% the diagonal\n4\n5\n\n1\n2\n.5\n.25\n");
  expect_same(to_host(file.A), from_rows<Scalar>(2, {{{0, 4}, {1, -1}}, {{0, -2}, {1, 5}}}));
  ASSERT_TRUE(file.rhs && file.solution);
  EXPECT_EQ(to_host(*file.rhs), (std::vector<Scalar>{1, 2}));
  EXPECT_EQ(to_host(*file.solution), (std::vector<Scalar>{0.5, 0.25}));
  this->expect(
      banner + "coordinate real general\n%%NVAMG 2 diagonal\n4 4 0\n1\n2\n3\n4\n5\n6\n7\n8\n", 4,
      {{{0, 1}, {1, 2}}, {{0, 3}, {1, 4}}, {{2, 5}, {3, 6}}, {{2, 7}, {3, 8}}});
  this->expect(banner + "coordinate real general\n%%AMGX base0\n2 2 1\n0 1 7\n", 2, {{{1, 7}}, {}});
}

TYPED_TEST(MatrixMarketTest, EmptyMatrices) {
  this->expect(banner + "coordinate real general\n0 0 0\n", 0, {});
  this->expect(banner + "coordinate real symmetric\n0 0 0", 0, {});
  this->expect(banner + "coordinate real general\n3 2 0\n% end\n", 2, {{}, {}, {}});
  this->expect(banner + "array real general\n0 5\n", 5, {});
}

TYPED_TEST(MatrixMarketTest, GzipOfOneAndOfTwoMembers) {
  using Scalar = typename TypeParam::Scalar;
  const std::string start = banner + "coordinate real general\n2 2 2\n1 1 ";
  const std::string rest = "1\n2 2 2\n";
  const auto expected = from_rows<Scalar>(2, {{{0, 1}}, {{1, 2}}});
  expect_same(to_host(this->read(gzip(start + rest)).A), expected);
  expect_same(to_host(this->read(gzip(start) + gzip(rest)).A), expected);
}

// Entries in random order, comments and blank lines between them, several chunks long.
template <class Scalar>
std::string shuffled_text(const HostMatrix<Scalar>& A, bool lower, Random& random) {
  std::vector<std::string> lines;
  for_each_entry(A, [&](std::int32_t row, std::int32_t column, Scalar value) {
    if (lower && column > row) return;
    lines.push_back(std::to_string(row + 1) + " " + std::to_string(column + 1) + " " +
                    std::to_string(value) + "\n");
  });
  for (std::size_t i = lines.size(); i > 1; --i) {
    std::swap(lines[i - 1], lines[random.below(static_cast<std::int32_t>(i))]);
  }
  std::string text = banner + "coordinate real " + (lower ? "symmetric\n" : "general\n") +
                     std::to_string(A.num_rows) + " " + std::to_string(A.num_cols) + " " +
                     std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) {
    text += line;
    if (random.below(50) == 0) text += "% between\n\n \t\r\n";
  }
  return text;
}

// Values that six decimal places and float hold exactly.
template <class Scalar>
void round_values(HostMatrix<Scalar>& A) {
  for (Scalar& value : A.values)
    value = std::round(value * 64) / 64;
}

TYPED_TEST(MatrixMarketTest, RandomMatricesInAnyOrder) {
  using Scalar = typename TypeParam::Scalar;
  Random random(7);
  const std::vector<RandomMatrixOptions> cases = {
      {.num_rows = 400, .num_cols = 400, .density = 0.1, .seed = 1},
      {.num_rows = 300, .num_cols = 700, .density = 0.05, .empty_row_fraction = 0.5, .seed = 2},
      {.num_rows = 900, .num_cols = 3000, .density = 0.01, .dense_row = 17, .seed = 3},
      {.num_rows = 1, .num_cols = 500, .density = 0.5, .seed = 4},
      {.num_rows = 500, .num_cols = 1, .density = 0.5, .seed = 5}};
  for (const RandomMatrixOptions& options : cases) {
    HostMatrix<Scalar> A = random_matrix<Scalar>(options);
    round_values(A);
    const std::string text = shuffled_text(A, false, random);
    for (const int threads : {1, 2, 5}) {
      ReadOptions read_options;
      read_options.threads = threads;
      SCOPED_TRACE(options.seed);
      expect_same(to_host(this->read(text, read_options).A), A);
    }
  }
}

TYPED_TEST(MatrixMarketTest, RandomSymmetricMatrixInAnyOrder) {
  using Scalar = typename TypeParam::Scalar;
  Random random(8);
  std::map<std::pair<std::int32_t, std::int32_t>, Scalar> entries;
  constexpr std::int32_t n = 300;
  for (int i = 0; i < 9000; ++i) {
    const std::int32_t row = i % 10 == 0 ? n - 1 : random.below(n);  // a dense last row
    const std::int32_t column = random.below(n);
    entries[{row, column}] = entries[{column, row}] = Scalar(random.below(1000)) / 8;
  }
  std::vector<std::vector<std::pair<std::int32_t, Scalar>>> rows(n);
  for (const auto& [place, value] : entries)
    rows[place.first].push_back({place.second, value});
  const HostMatrix<Scalar> A = from_rows(n, rows);
  expect_same(to_host(this->read(shuffled_text(A, true, random)).A), A);
}

TYPED_TEST(MatrixMarketTest, DuplicatesAreSummedInTheFilesOrderWhereAskedFor) {
  using Scalar = typename TypeParam::Scalar;
  ReadOptions options;
  options.duplicates = Duplicates::sum;
  const Scalar large = std::is_same_v<Scalar, float> ? 1e8F : 1e17;
  const std::string l = std::is_same_v<Scalar, float> ? "1e8" : "1e17";
  // (large + 1) - large is 0 in this precision, and (large - large) + 1 is not.
  const auto file =
      this->read(banner + "coordinate real general\n2 2 7\n2 2 " + l +
                     "\n1 1 1\n2 2 1\n1 1 2\n2 2 -" + l + "\n2 1 " + l + "\n2 1 -" + l + "\n",
                 options);
  expect_same(to_host(file.A),
              from_rows<Scalar>(2, {{{0, 3}}, {{0, 0}, {1, (large + 1) - large}}}));
  const auto symmetric =
      this->read(banner + "coordinate real symmetric\n2 2 3\n2 1 1\n2 1 2\n1 1 5\n", options);
  expect_same(to_host(symmetric.A), from_rows<Scalar>(2, {{{0, 5}, {1, 3}}, {{0, 3}}}));
}

TYPED_TEST(MatrixMarketTest, HeaderAndProgress) {
  std::size_t last = 0;
  std::size_t total = 0;
  ReadOptions options;
  options.progress = [&](std::size_t done, std::size_t all) {
    EXPECT_LE(last, done);
    last = done;
    total = all;
  };
  const std::string text =
      banner + "coordinate integer symmetric\n% one\n%two\n3 3 1\n% later\n2 1 4\n";
  const auto file = this->read(text, options);
  EXPECT_EQ(file.header.comment, " one\ntwo\n");
  EXPECT_EQ(file.header.field, MatrixField::integer);
  EXPECT_EQ(file.header.symmetry, MatrixSymmetry::symmetric);
  EXPECT_EQ(file.header.num_entries, 1);
  EXPECT_EQ(last, text.size());
  EXPECT_EQ(total, text.size());
}

TEST(Progress, WhatItThrowsComesThrough) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.mtx", banner + "coordinate real general\n1 1 1\n1 1 1\n");
  struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("cancelled") {}
  };
  ReadOptions options;
  options.progress = [](std::size_t, std::size_t) { throw Cancelled(); };
  EXPECT_THROW(read_matrix<double>(HostSpace(), path, options), Cancelled);
}

TEST(InspectMatrix, TellsTheOffsetsWidthFromTheHeadAlone) {
  const TemporaryFolder folder;
  const std::string head = banner + "coordinate real ";
  const auto inspect = [&](const std::string& text) {
    return inspect_matrix(folder.write("a.mtx", text));
  };
  EXPECT_FALSE(inspect(head + "general\n9 9 2147483647\n1 1 1\n").needs_64_bit_offsets());
  EXPECT_TRUE(inspect(head + "general\n9 9 2147483648\n1 1 1\n").needs_64_bit_offsets());
  EXPECT_TRUE(inspect(head + "symmetric\n9 9 1073741824\n1 1 1\n").needs_64_bit_offsets());
  const MatrixInfo packed = inspect(gzip(head + "symmetric\n5 5 3\n1 1 1\n2 2 2\n3 3 3\n"));
  EXPECT_EQ(packed.header.num_rows, 5);
  EXPECT_EQ(packed.max_entries, 6);
  // A head longer than what is read at first.
  const std::string comment = "% " + std::string(3000000, 'c') + "\n";
  EXPECT_EQ(inspect(head + "general\n" + comment + "7 8 1\n1 1 1\n").header.num_cols, 8);
  EXPECT_THROW(inspect("nothing\n"), Error);
  EXPECT_THROW(inspect_matrix(folder.path() / "absent"), Error);
}

TEST(OffsetWidth, TooManyEntriesForTheOffsetsIsNotTried) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.mtx", banner + "coordinate real general\n9 9 2147483648\n");
  expect_error(error_of([&] { read_matrix<double>(HostSpace(), path); }), ErrorKind::bad_input, {});
}

}  // namespace tessera::test::matrix_market_test
