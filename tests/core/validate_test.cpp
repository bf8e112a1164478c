// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/random_matrix.hpp"
#include "support/share.hpp"
#include "support/typed_tests.hpp"

#include "tessera/matrix/validate.hpp"

#include <cstring>

namespace tessera::test::validate_test {

TESSERA_TEST_SUITE(Validate, Matrices, TypeNames);

/// The report on a host matrix.
template <class Param>
ValidationReport report_on(const HostMatrix<typename Param::Scalar>& host) {
  const typename Param::Space exec;
  const auto A = make_csr<typename Param::Offset>(exec, host);
  return validate(exec, A.view());
}

/// Expects exactly one problem, of this kind and at this place, whose message has `words`.
void expect_problem(const ValidationReport& report, MatrixDefect defect, Ordinal row,
                    std::int64_t entry, const std::vector<const char*>& words) {
  ASSERT_EQ(report.problems.size(), 1u) << to_string(report);
  const MatrixProblem& problem = report.problems[0];
  EXPECT_EQ(problem.defect, defect) << to_string(report);
  EXPECT_EQ(problem.row, row) << to_string(report);
  EXPECT_EQ(problem.entry, entry) << to_string(report);
  for (const char* word : words) {
    EXPECT_NE(problem.message.find(word), std::string::npos) << word << " in " << problem.message;
  }
}

TESSERA_TYPED_TEST(Validate, GoodMatrices) {
  for (const auto& host : share_of(edge_case_matrices<Scalar>())) {
    const auto report = report_on<TypeParam>(host);
    EXPECT_TRUE(report.valid()) << to_string(report);
  }
  const auto report = report_on<TypeParam>(poisson<Scalar>(10, 10, 10));
  EXPECT_TRUE(report.problems.empty());
  EXPECT_EQ(to_string(report), "the matrix is valid");
}

TESSERA_TYPED_TEST(Validate, Offsets) {
  const auto expect_found = [](auto change, Ordinal row, const std::vector<const char*>& words) {
    auto host = poisson<Scalar>(10, 10);
    change(host.offsets);
    expect_problem(report_on<TypeParam>(host), MatrixDefect::offsets, row, row, words);
  };
  expect_found([](auto& o) { o[40] = o[39] - 1, o[70] = o[69] - 1; }, 40, {"offsets(40)"});
  expect_found([](auto& o) { o[0] = 1; }, 0, {"offsets(0) is 1"});
  expect_found([](auto& o) { o[100] += 1; }, 100, {"461", "460"});
  expect_found([](auto& o) { o[50] = 100000; }, 50, {"100000"});
}

TESSERA_TYPED_TEST(Validate, Columns) {
  auto host = poisson<Scalar>(10, 10);
  const auto entry = host.offsets[31] - 1;
  host.columns[entry] = 100;
  host.columns[host.offsets[70] - 1] = 4000;
  expect_problem(report_on<TypeParam>(host), MatrixDefect::column, 30, entry,
                 {"column 100", "row 30"});
  host = poisson<Scalar>(10, 10);
  host.columns[0] = -1;
  expect_problem(report_on<TypeParam>(host), MatrixDefect::column, 0, 0, {"column -1"});
}

TESSERA_TYPED_TEST(Validate, UnsortedIsSaidAndAllowed) {
  auto host = poisson<Scalar>(10, 10);
  const auto entry = host.offsets[55];
  std::swap(host.columns[entry], host.columns[entry + 1]);
  const auto report = report_on<TypeParam>(host);
  expect_problem(report, MatrixDefect::unsorted, 55, entry + 1,
                 {"column 45 comes after column 54"});
  EXPECT_TRUE(report.valid());
}

TESSERA_TYPED_TEST(Validate, Duplicates) {
  auto host = poisson<Scalar>(10, 10);
  const auto entry = host.offsets[55];
  host.columns[entry + 1] = host.columns[entry];
  expect_problem(report_on<TypeParam>(host), MatrixDefect::duplicate, 55, entry + 1,
                 {"column 45 is stored already"});
  const auto unsorted = from_rows<Scalar>(3, {{{0, 1}}, {{2, 1}, {0, 1}, {2, 1}, {2, 1}}});
  const auto report = report_on<TypeParam>(unsorted);
  ASSERT_EQ(report.problems.size(), 2u) << to_string(report);
  EXPECT_TRUE(report.has(MatrixDefect::unsorted));
  ASSERT_TRUE(report.has(MatrixDefect::duplicate));
  EXPECT_EQ(report.problems[1].row, 1);
  EXPECT_EQ(report.problems[1].entry, 3);
  EXPECT_FALSE(report.valid());
}

TESSERA_TYPED_TEST(Validate, Values) {
  auto host = poisson<Scalar>(10, 10);
  host.values[200] = std::numeric_limits<Scalar>::quiet_NaN();
  host.values[300] = std::numeric_limits<Scalar>::infinity();
  const auto row = static_cast<Ordinal>(
      std::upper_bound(host.offsets.begin(), host.offsets.end(), 200) - host.offsets.begin() - 1);
  expect_problem(report_on<TypeParam>(host), MatrixDefect::not_finite, row, 200, {"NaN"});
  host.values[200] = -std::numeric_limits<Scalar>::infinity();
  expect_problem(report_on<TypeParam>(host), MatrixDefect::not_finite, row, 200,
                 {"minus infinite"});
}

TESSERA_TYPED_TEST(Validate, RequireValidThrowsBadInput) {
  auto host = poisson<Scalar>(4, 4);
  EXPECT_NO_THROW(require_valid(exec, make_csr<Offset>(exec, host).view()));
  host.columns[3] = 16;
  host.values[5] = std::numeric_limits<Scalar>::infinity();
  const auto A = make_csr<Offset>(exec, host);
  expect_error(error_of([&] { require_valid(exec, A.view()); }), ErrorKind::bad_input,
               {"column 16", "infinite"});
}

}  // namespace tessera::test::validate_test
