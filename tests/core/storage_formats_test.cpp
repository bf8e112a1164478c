// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every storage format by its trait: names, bytes, and back to the entries by products. And
/// formats that a program registers: how they are stored, and what is refused.
#include "support/storage_formats.hpp"
#include "core/registered_formats.hpp"
#include "support/error_of.hpp"
#include "support/typed_tests.hpp"

#include "tessera/gallery/problem.hpp"
#include "tessera/matrix/store.hpp"
#include "tessera/solve.hpp"

#include <algorithm>
#include <set>

namespace tessera::test::storage_formats_test {

template <class Param>
class StorageFormatsTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  Space exec;
  HostMatrix<Scalar> host = random_matrix<Scalar>(
      {.num_rows = 41, .num_cols = 37, .density = 0.2, .empty_row_fraction = 0.1});
  kernels::Csr<Scalar, Space, Offset> A = make_csr<Offset>(exec, host);

  std::vector<Scalar> dense() const {
    std::vector<Scalar> entries(static_cast<std::size_t>(host.num_rows) * host.num_cols);
    for_each_entry(host, [&](Ordinal i, Ordinal j, Scalar value) {
      entries[static_cast<std::size_t>(j) * host.num_rows + i] += value;
    });
    return entries;
  }

  /// The columns of the identity.
  MultiVector<Scalar, Space> identity() const {
    const std::size_t n = host.num_cols;
    std::vector<Scalar> ones(n * n);
    for (std::size_t i = 0; i < n; ++i)
      ones[i * n + i] = 1;
    return to_multivector(exec, ones, n, n);
  }

  Stored<Scalar, Space> stored(StorageParameters storage) const {
    return store(exec, std::make_shared<const StoredCsr<Scalar, Space, Offset>>(exec, A), storage);
  }
};
TYPED_TEST_SUITE(StorageFormatsTest, Matrices, TypeNames);

TEST(StorageFormats, EachHasANameAndATextOfItsOwn) {
  std::set<std::string_view> names;
  std::set<std::string_view> texts;
  std::set<StorageFormat> values;
  const auto known = storage_format_names();
  kernels::for_each_format([&]<class Format>() {
    names.insert(Format::name);
    texts.insert(Format::text);
    values.insert(Format::value);
    EXPECT_EQ(kernels::name_of(Format::value), Format::name);
    EXPECT_TRUE(std::any_of(known.begin(), known.end(), [](const auto& entry) {
      return entry.value == Format::value && entry.name == Format::name &&
             entry.text == Format::text;
    })) << Format::name;
    EXPECT_FALSE(is_registered(Format::value));
  });
  EXPECT_EQ(names.size(), kernels::count_formats());
  EXPECT_EQ(texts.size(), kernels::count_formats());
  EXPECT_EQ(values.size(), kernels::count_formats());
}

TYPED_TEST(StorageFormatsTest, ProductsWithTheIdentityGiveTheEntriesBack) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto expected = this->dense();
  const auto identity = this->identity();
  kernels::for_each_format([&]<class Format>() {
    for (const double scale : {1.0, 0.25}) {
      if (Format::value == StorageFormat::csr && scale != 1) continue;
      const auto matrix = Format::template convert<Scalar>(this->exec, this->A, {.scale = scale});
      const auto plan = kernels::analyse_spmv(this->exec, matrix.view());
      const auto columns = to_multivector(
          this->exec,
          std::vector<Scalar>(expected.size(), std::numeric_limits<Scalar>::quiet_NaN()),
          this->host.num_rows, this->host.num_cols);
      kernels::spmv(this->exec, plan, Scalar(1), matrix.view(), identity, Scalar(0), columns);
      EXPECT_EQ(to_host(columns), expected) << Format::name << ", scale " << scale;
      EXPECT_FALSE((Format::template kernel_name<Scalar>(matrix, plan).empty())) << Format::name;
    }
  });
}

TYPED_TEST(StorageFormatsTest, InfoHasTheTraitsNameAndBytes) {
  TESSERA_TEST_TYPES(TypeParam);
  kernels::for_each_format([&]<class Format>() {
    const auto info = this->stored({Format::value, StorageScalar::same}).op->info();
    EXPECT_EQ(info.format.substr(0, Format::name.size()), Format::name);
    const auto matrix = Format::template convert<Scalar>(this->exec, this->A, {});
    EXPECT_EQ(info.bytes, Format::bytes(matrix)) << Format::name;
    EXPECT_GE(info.bytes, this->host.num_entries() * sizeof(Scalar)) << Format::name;
  });
}

TYPED_TEST(StorageFormatsTest, ARegisteredFormatIsStored) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto stored = this->stored({copied_format(), StorageScalar::same});
  EXPECT_EQ(stored.note, "");
  EXPECT_EQ(stored.op->info().format, "copied");
  EXPECT_EQ(stored.op->num_entries(), this->host.num_entries());
  const auto columns = to_multivector(this->exec, std::vector<Scalar>(this->dense().size()),
                                      this->host.num_rows, this->host.num_cols);
  stored.op->apply(this->exec, Scalar(1), this->identity(), Scalar(0), columns);
  EXPECT_EQ(to_host(columns), this->dense());
}

TYPED_TEST(StorageFormatsTest, ARegisteredFormatHasTheScalarOfItsVectors) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto half = this->stored({copied_format(), StorageScalar::half});
  EXPECT_EQ(half.op->info().format, "copied");
  EXPECT_NE(half.note.find("a registered format has no other"), std::string::npos) << half.note;
  EXPECT_EQ(this->stored({copied_format(), StorageScalar::automatic}).note, "");
}

TYPED_TEST(StorageFormatsTest, WhatAFactoryIsNotMadeForIsRefused) {
  TESSERA_TEST_TYPES(TypeParam);
  static const StorageFormat for_double = register_format(
      "for_double_" + TypeNames::GetName<TypeParam>(0), "only double", Copy<double>());
  const auto error = error_of([&] { this->stored({for_double, StorageScalar::same}); });
  if (std::is_same_v<Scalar, double>) {
    EXPECT_FALSE(error.has_value());
  } else {
    expect_error(
        error, ErrorKind::configuration,
        {"for_double", "cannot hold a matrix of float on", "it was registered for double"});
  }
  expect_error(
      error_of([&] { this->stored({static_cast<StorageFormat>(999999), StorageScalar::same}); }),
      ErrorKind::configuration, {"999999 is not registered"});
}

TYPED_TEST(StorageFormatsTest, WhatAFactoryMakesIsChecked) {
  const std::string name = TypeNames::GetName<TypeParam>(0);
  static const StorageFormat nothing = register_format("nothing_" + name, "none", MakeNothing());
  expect_error(error_of([&] { this->stored({nothing, StorageScalar::same}); }),
               ErrorKind::precondition, {"has made nothing of a matrix of 41 by 37"});
  static const StorageFormat empty = register_format("empty_" + name, "0 by 0", MakeEmpty());
  expect_error(error_of([&] { this->stored({empty, StorageScalar::same}); }),
               ErrorKind::precondition, {"an operator of 0 by 0 of a matrix of 41 by 37"});
}

TEST(RegisterFormat, RefusesNamesThatAreTakenAndFactoriesThatMakeNothing) {
  copied_format();
  const auto refused = [](const char* name) {
    return error_of([&] { register_format(name, "text", Copy<>()); });
  };
  expect_error(refused("copied"), ErrorKind::precondition, {"copied", "registered before"});
  for (const char* const name : {"csr", "hyb", "auto", "least_bytes"})
    expect_error(refused(name), ErrorKind::precondition, {name, "the library's own"});
  expect_error(refused("two words"), ErrorKind::precondition, {"letters, digits"});
  expect_error(
      error_of([] { register_format("callable_for_none", "text", [](int) { return 0; }); }),
      ErrorKind::precondition, {"callable_for_none", "no type of matrix"});
}

TYPED_TEST(StorageFormatsTest, LevelsAreStoredInARegisteredFormat) {
  TESSERA_TEST_TYPES(TypeParam);
  const auto problem =
      make_problem<Scalar, Space, Offset>(this->exec, {.problem = ProblemKind::poisson2d, .n = 60});
  std::vector<int> iterations;
  for (const StorageFormat format : {StorageFormat::csr, copied_format()}) {
    SolveParameters p;
    p.preconditioner = PreconditionerKind::amg;
    p.precision = Precision::same;
    p.amg.reuse = amg::Reuse::symbolic;
    p.amg.storage.format = format;
    Solver<Scalar, Space, Offset> solver(p);
    solver.setup(this->exec, problem.A);
    const MultiVector<Scalar, Space> x("x", problem.A.num_rows, 1);
    iterations.push_back(solver.solve(this->exec, problem.b, x).iterations);
    const auto name = format == StorageFormat::csr ? "csr" : "copied";
    ASSERT_GE(solver.hierarchy().levels.size(), 2u);
    EXPECT_EQ(solver.hierarchy().levels[0].A.format, name);
    EXPECT_EQ(solver.hierarchy().levels[0].P.format, name);
    solver.update_values(this->exec);
    Kokkos::deep_copy(x, Scalar(0));
    EXPECT_EQ(solver.solve(this->exec, problem.b, x).iterations, iterations.back());
  }
  // A device adds up a row of each in another order.
  EXPECT_NEAR(iterations[0], iterations[1], 1);
}

}  // namespace tessera::test::storage_formats_test
