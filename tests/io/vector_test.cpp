// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Vectors from every kind of file, and what is refused.
#include "tessera/io/vector.hpp"

#include "io/files.hpp"
#include "tessera/io/binary.hpp"

namespace tessera::test::vector_test {

const std::string banner = "%%MatrixMarket matrix ";

template <class Param>
class VectorTest : public ::testing::Test {
 protected:
  TESSERA_TEST_TYPES(Param);

  void expect(const std::string& content, std::size_t columns, const std::vector<Scalar>& values) {
    const auto x = read_vector<Scalar>(Space(), m_folder.write("x", content));
    EXPECT_EQ(x.extent(1), columns);
    EXPECT_EQ(to_host(x), values) << content;
  }

  void expect_refused(const std::string& content, const std::string& reason,
                      ErrorKind kind = ErrorKind::bad_input) {
    const auto path = m_folder.write("x", content);
    expect_error(error_of([&] { read_vector<Scalar>(Space(), path); }), kind, {reason});
  }

  TemporaryFolder m_folder;
};
TYPED_TEST_SUITE(VectorTest, Scalars, TypeNames);

TYPED_TEST(VectorTest, EveryForm) {
  this->expect("1\n-2.5\n% a comment\n\n+3e1\r\n4", 1, {1, -2.5, 30, 4});
  this->expect(gzip("1\n2\n"), 1, {1, 2});
  this->expect(banner + "array real general\n3 1\n1\n0\n3\n", 1, {1, 0, 3});
  this->expect(banner + "array integer general\n2 2\n1\n2\n3\n4\n", 2, {1, 2, 3, 4});
  this->expect(banner + "coordinate real general\n4 1 2\n4 1 -1\n2 1 5\n", 1, {0, 5, 0, -1});
  this->expect(banner + "coordinate real general\n2 2 2\n1 2 7\n2 1 8\n", 2, {0, 8, 7, 0});
  this->expect(banner + "array real general\n0 1\n", 1, {});
}

TYPED_TEST(VectorTest, BadFiles) {
  this->expect_refused("", ":1: there is no number in this file");
  this->expect_refused("% only\n", "there is no number");
  this->expect_refused("1\ntwo\n", ":2: bad value: 'two' is not a number");
  this->expect_refused("1\n2 3\n", ":2: more than one number");
  this->expect_refused("1\n2\nnan\n", ":3: bad value: 'nan' is not a finite number");
  this->expect_refused("1e999\n", ":1: bad value: '1e999' is too large");
  this->expect_refused(banner + "array real general\n3 1\n1\n2\n", "promises 3 values, but 2");
  this->expect_refused(banner + "array real symmetric\n2 2\n1\n2\n3\n", "never symmetric");
  this->expect_refused(banner + "coordinate real general\n2 1 2\n1 1 1\n1 1 2\n",
                       ":4: this entry's place in the vector is taken");
  this->expect_refused(banner + "coordinate real general\n2147483647 2147483647 1\n1 1 1\n",
                       "are more than", ErrorKind::out_of_memory);
  const auto absent = this->m_folder.path() / "absent";
  expect_error(error_of([&] { read_vector<double>(HostSpace(), absent); }), ErrorKind::io, {});
}

TEST(Vector, BinaryMatrixIsNoVector) {
  const TemporaryFolder folder;
  const HostSpace exec;
  write_binary(exec, folder.path() / "a.tsr", make_csr(exec, identity<double>(3)));
  expect_error(error_of([&] { read_vector<double>(exec, folder.path() / "a.tsr"); }),
               ErrorKind::bad_input, {"a vector was expected"});
}

}  // namespace tessera::test::vector_test
