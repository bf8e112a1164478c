// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A format that cannot hold a level's matrix: the error names the setting, the matrix and the row.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"
#include "tessera/kernels/format/offset_overflow.hpp"
#include "tessera/matrix/register_format.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace tessera::test::unsuited_formats_test {

TESSERA_TEST_SUITE(UnsuitedFormats, Matrices, TypeNames);

constexpr int long_row = 17;

/// A row and a column that are full, beside a diagonal.
template <class Scalar>
HostMatrix<Scalar> arrow() {
  constexpr int n = 3000;
  return with_long_rows<Scalar>(
      n, [](int i) { return i == long_row; }, [](int i, int j) { return i == j ? n : -0.5; });
}

/// Holds nothing.
struct Refuse {
  template <class Scalar, class Space, class Offset>
  std::shared_ptr<const SparseOperator<Scalar, Space>> operator()(
      const Space&, const kernels::CsrView<Scalar, Space, Offset>& A) const {
    throw Error(ErrorKind::precondition, "no room for " + std::to_string(A.num_rows) + " rows");
  }
};

/// Asks for longer offsets, whatever the matrix has.
struct Overflow {
  template <class Scalar, class Space, class Offset>
  std::shared_ptr<const SparseOperator<Scalar, Space>> operator()(
      const Space&, const kernels::CsrView<Scalar, Space, Offset>&) const {
    kernels::require_countable<std::int32_t>(std::int64_t(1) << 32, "the format");
    return nullptr;
  }
};

StorageFormat refusing_format() {
  static const StorageFormat format = register_format("refusing", "holds nothing", Refuse());
  return format;
}

StorageFormat overflowing_format() {
  static const StorageFormat format =
      register_format("overflowing", "asks for longer offsets", Overflow());
  return format;
}

using Change = std::function<void(amg::Parameters&)>;

SolveParameters changed(const Change& change) {
  SolveParameters p;
  p.preconditioner = PreconditionerKind::amg;
  change(p.amg);
  return p;
}

TESSERA_TYPED_TEST(UnsuitedFormats, SayWhichSettingAsksForThem) {
  const auto A = make_csr<Offset>(exec, arrow<Scalar>());
  const auto refused = [&](const Change& change) {
    return error_of([&] { set_up(exec, A, changed(change)); });
  };
  expect_error(refused([](auto& p) { p.storage.format = StorageFormat::ell; }),
               ErrorKind::configuration,
               {"amg.storage.format = ell cannot hold A of level 0", "the length of row 17",
                "use auto or another format"});
  const auto listed = [](amg::Parameters& p) {
    p.levels.assign(1, amg::uniform_choice(p));
    p.levels[0].A.format = StorageFormat::ell;
  };
  expect_error(refused(listed), ErrorKind::configuration,
               {"amg.levels.0.A.format = ell cannot hold A of level 0"});
  const auto inherited = [](amg::Parameters& p) {
    p.storage.format = StorageFormat::ell;
    p.levels.assign(1, amg::uniform_choice(p));
  };
  expect_error(refused(inherited), ErrorKind::configuration,
               {"amg.levels.0.A.format or amg.storage.format = ell cannot hold A of level 0"});
  const auto called_back = [](amg::Parameters& p) {
    p.choose_level = [](const amg::LevelFacts&, amg::LevelParameters choice) {
      choice.A.format = StorageFormat::ell;
      return choice;
    };
  };
  expect_error(refused(called_back), ErrorKind::configuration,
               {"amg.choose_level: A.format = ell cannot hold A of level 0"});
}

TESSERA_TYPED_TEST(UnsuitedFormats, OfAFactoryAreNamedByMatrixAndLevel) {
  const auto problem =
      make_problem<Scalar, Space, Offset>(exec, {.problem = ProblemKind::poisson2d, .n = 100});
  const auto refused = [&](const Change& change) {
    return error_of([&] {
      set_up(exec, problem, changed([&](amg::Parameters& p) {
               p.levels.assign(2, amg::uniform_choice(p));
               p.coarse_size = 100;
               change(p);
             }));
    });
  };
  const auto format = refusing_format();
  expect_error(refused([&](auto& p) { p.levels[1].A.format = format; }), ErrorKind::configuration,
               {"amg.levels.1.A.format = refusing cannot hold A of level 1: no room for"});
  expect_error(refused([&](auto& p) { p.levels[0].P.format = format; }), ErrorKind::configuration,
               {"amg.levels.0.P.format = refusing cannot hold P of level 0: no room for 10000"});
  expect_error(refused([&](auto& p) { p.levels[0].R.format = format; }), ErrorKind::configuration,
               {"amg.levels.0.R.format = refusing cannot hold R of level 0: no room for"});
}

TESSERA_TYPED_TEST(UnsuitedFormats, AreNotThoseThatNeedLongerOffsets) {
  const auto A = make_csr<Offset>(exec, arrow<Scalar>());
  const auto p = changed([](auto& p) { p.storage.format = overflowing_format(); });
  EXPECT_THROW(set_up(exec, A, p), OffsetOverflow);
}

TESSERA_TYPED_TEST(UnsuitedFormats, LeaveASolverThatSetsUpWithAnother) {
  const auto A = make_csr<Offset>(exec, arrow<Scalar>());
  Solver<Scalar, Space, Offset> solver(
      changed([](auto& p) { p.storage.format = StorageFormat::ell; }));
  EXPECT_TRUE(error_of([&] { solver.setup(exec, A); }).has_value());
  const auto x = zeros<Scalar>(exec, A.num_rows);
  expect_error(error_of([&] { solver.solve(exec, x, x); }), ErrorKind::precondition, {"setup"});
  solver = set_up(exec, A, changed([](auto& p) { p.storage.format = StorageFormat::hyb; }));
  const auto b = to_multivector(exec, std::vector<Scalar>(A.num_rows, 1), A.num_rows, 1);
  EXPECT_TRUE(solver.solve(exec, b, x).converged());
}

}  // namespace tessera::test::unsuited_formats_test
