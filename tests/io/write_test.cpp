// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Writers: what they write is read back to the same bits, and a failure leaves nothing behind.
#include <sys/resource.h>

#include <csignal>
#include <limits>

#include "io/files.hpp"
#include "support/random_matrix.hpp"
#include "tessera/io/binary.hpp"
#include "tessera/io/matrix_market.hpp"
#include "tessera/io/vector.hpp"

namespace tessera::test::write_test {

template <class Param>
class WriteTest : public ::testing::Test {
 protected:
  TemporaryFolder m_folder;
};
TYPED_TEST_SUITE(WriteTest, Matrices, TypeNames);

TYPED_TEST(WriteTest, MatrixMarketRoundTripKeepsEveryBit) {
  TESSERA_TEST_TYPES(TypeParam);
  using Limits = std::numeric_limits<Scalar>;
  const Space exec;
  const auto path = this->m_folder.path() / "a.mtx";
  HostMatrix<Scalar> A = random_matrix<Scalar>(
      {.num_rows = 700, .num_cols = 900, .density = 0.1, .empty_row_fraction = 0.1, .seed = 3});
  A.values[0] = Limits::max();
  A.values[1] = -Limits::min();
  A.values[2] = Limits::denorm_min();
  A.values[3] = Scalar(0.1);
  write_matrix_market(exec, path, make_csr<Offset>(exec, A),
                      {.comment = "first\n%second\r\n\nend"});
  const auto file = read_matrix_market<Scalar, Offset>(exec, path);
  expect_same(to_host(file.A), A);
  EXPECT_EQ(file.header.comment, "first\n %second\n\nend\n");
  EXPECT_EQ(this->m_folder.num_files(), 1U);
}

TYPED_TEST(WriteTest, SymmetricRoundTrips) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto path = this->m_folder.path() / "a.mtx";
  const HostMatrix<Scalar> A = poisson<Scalar>(7, 6, 5);
  write_matrix_market(exec, path, make_csr<Offset>(exec, A),
                      {.symmetry = MatrixSymmetry::symmetric});
  const auto file = read_matrix_market<Scalar, Offset>(exec, path);
  EXPECT_EQ(file.header.symmetry, MatrixSymmetry::symmetric);
  expect_same(to_host(file.A), A);

  const auto skew = from_rows<Scalar>(3, {{{1, -2}}, {{0, 2}, {2, 3}}, {{1, -3}}});
  write_matrix_market(exec, path, make_csr<Offset>(exec, skew),
                      {.symmetry = MatrixSymmetry::skew_symmetric});
  expect_same(to_host(read_matrix_market<Scalar, Offset>(exec, path).A), skew);

  for (const auto& bad : {from_rows<Scalar>(2, {{{1, 1}}, {{0, 2}}}),
                          from_rows<Scalar>(2, {{{1, 1}}, {}}), from_rows<Scalar>(2, {{{0, 1}}})}) {
    const auto write = [&](MatrixSymmetry symmetry) {
      write_matrix_market(exec, path, make_csr<Offset>(exec, bad), {.symmetry = symmetry});
    };
    EXPECT_THROW(write(MatrixSymmetry::symmetric), Error);
    EXPECT_THROW(write(MatrixSymmetry::skew_symmetric), Error);
  }
  expect_same(to_host(read_matrix_market<Scalar, Offset>(exec, path).A), skew);
}

TYPED_TEST(WriteTest, PackedFilesRoundTrip) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto path = this->m_folder.path() / "a.mtx.gz";
  const auto is_packed = [&] { return read_bytes(path).starts_with("\x1f\x8b"); };
  // Several pieces of text, each a member of the file.
  const HostMatrix<Scalar> A = poisson<Scalar>(150, 150);
  write_matrix_market(exec, path, make_csr<Offset>(exec, A));
  EXPECT_TRUE(is_packed());
  expect_same(to_host(read_matrix_market<Scalar, Offset>(exec, path).A), A);

  const std::vector<Scalar> x(70000, Scalar(0.25));
  write_vector(exec, path, to_multivector(exec, x, 35000, 2));
  EXPECT_TRUE(is_packed());
  EXPECT_EQ(to_host(read_vector<Scalar>(exec, path)), x);

  write_binary(exec, path, make_csr<Offset>(exec, A));
  EXPECT_TRUE(is_packed());
  expect_same(to_host(read_matrix<Scalar, Offset>(exec, path).A), A);
}

TYPED_TEST(WriteTest, ValuesThatNoReaderTakesAreNotWritten) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto path = this->m_folder.path() / "a.mtx";
  const auto A = from_rows<Scalar>(1, {{{0, std::numeric_limits<Scalar>::quiet_NaN()}}});
  EXPECT_THROW(write_matrix_market(exec, path, make_csr<Offset>(exec, A)), Error);
  EXPECT_THROW(
      write_vector(exec, path,
                   to_multivector<Scalar>(exec, {std::numeric_limits<Scalar>::infinity()}, 1)),
      Error);
  EXPECT_EQ(this->m_folder.num_files(), 0U);
}

TYPED_TEST(WriteTest, BinaryRoundTripKeepsOrderAndVectors) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto path = this->m_folder.path() / "a.tsr";
  const auto A = random_matrix<Scalar>(
      {.num_rows = 50, .num_cols = 70, .density = 0.2, .unsorted = true, .seed = 5});
  const auto b = random_vector<Scalar>(100, 6), x = random_vector<Scalar>(70, 7);
  write_binary<Scalar, Space, Offset>(exec, path, make_csr<Offset>(exec, A),
                                      to_multivector(exec, b, 50, 2), to_multivector(exec, x, 70));
  const auto file = read_matrix<Scalar, Offset>(exec, path);
  expect_same(to_host(file.A), A);
  ASSERT_TRUE(file.rhs && file.solution);
  EXPECT_EQ(file.rhs->extent(1), 2U);
  EXPECT_EQ(to_host(*file.rhs), b);
  EXPECT_EQ(to_host(*file.solution), x);
  EXPECT_EQ(inspect_matrix(path).max_entries, static_cast<std::int64_t>(A.num_entries()));

  const HostMatrix<Scalar> empty = from_rows<Scalar>(0, {});
  write_binary(exec, path, make_csr<Offset>(exec, empty));
  const auto none = read_binary<Scalar, Offset>(exec, path);
  expect_same(to_host(none.A), empty);
  EXPECT_FALSE(none.rhs || none.solution);
}

TYPED_TEST(WriteTest, BinaryConvertsScalarsAndOffsets) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto path = this->m_folder.path() / "a.tsr";
  const auto A = poisson<Scalar>(5, 4);
  write_binary(exec, path, make_csr<Offset>(exec, A));
  const auto as_float = to_host(read_binary<float, std::int64_t>(exec, path).A);
  const auto as_double = to_host(read_binary<double, std::int32_t>(exec, path).A);
  expect_same(as_float, poisson<float>(5, 4));
  expect_same(as_double, poisson<double>(5, 4));
}

TYPED_TEST(WriteTest, VectorRoundTrip) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec;
  const auto path = this->m_folder.path() / "x.mtx";
  const auto x = random_vector<Scalar>(3 * 40000, 11);
  write_vector(exec, path, to_multivector(exec, x, 40000, 3));
  const auto y = read_vector<Scalar>(exec, path);
  EXPECT_EQ(y.extent(0), 40000U);
  EXPECT_EQ(y.extent(1), 3U);
  EXPECT_EQ(to_host(y), x);
}

// All three writers into one path.
std::vector<std::function<void(const std::filesystem::path&)>> writers() {
  const HostSpace exec;
  const auto A = make_csr(exec, poisson<double>(100, 100));
  const auto x = to_multivector(exec, std::vector<double>(10000, 0.1), 10000);
  return {[=](const std::filesystem::path& path) { write_matrix_market(exec, path, A); },
          [=](const std::filesystem::path& path) { write_binary(exec, path, A); },
          [=](const std::filesystem::path& path) { write_vector(exec, path, x); }};
}

TEST(WriteFailure, FullDevice) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  for (const auto& write : writers()) {
    expect_error(error_of([&] { write("/dev/full"); }), ErrorKind::io,
                 {"/dev/full: cannot be written"});
  }
}

// The file system's limit on a file's size stands in for a full disk: the write fails half-way.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &m_old);
    rlimit limit = m_old;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &m_old);
    std::signal(SIGXFSZ, m_handler);
  }

 private:
  rlimit m_old{};
  void (*m_handler)(int);
};

TEST(WriteFailure, HalfWrittenFileIsRemovedAndTheOldOneKept) {
  const TemporaryFolder folder;
  const auto path = folder.write("kept", "old content");
  for (const auto& write : writers()) {
    {
      const FileSizeLimit limit(10000);
      expect_error(error_of([&] { write(path); }), ErrorKind::io, {});
    }
    EXPECT_EQ(read_bytes(path), "old content");
    EXPECT_EQ(folder.num_files(), 1U);
    write(folder.path() / "new");
    EXPECT_GT(std::filesystem::file_size(folder.path() / "new"), 10000U);
    std::filesystem::remove(folder.path() / "new");
  }
}

TEST(WriteFailure, PlacesThatCannotBeWritten) {
  const TemporaryFolder folder;
  for (const auto& write : writers()) {
    expect_error(error_of([&] { write(folder.path()); }), ErrorKind::io, {});
    expect_error(error_of([&] { write(folder.path() / "absent" / "a"); }), ErrorKind::io, {});
  }
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(Write, ReplacesTheFileBehindASymbolicLinkWithItsMode) {
  const TemporaryFolder folder;
  const auto path = folder.write("target", "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  std::filesystem::create_symlink("target", folder.path() / "link");
  writers()[2](folder.path() / "link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640));
  EXPECT_GT(std::filesystem::file_size(path), 10000U);
}

}  // namespace tessera::test::write_test
