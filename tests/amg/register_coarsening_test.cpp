// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Coarsenings that a program adds by name: what they may leave out, and what they are held to.
#include "support/error_of.hpp"
#include "support/host_values.hpp"
#include "support/own_coarsening.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/operator/check_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tessera::test {
namespace register_coarsening_test {

template <class Param>
class RegisterCoarsening : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Grid = amg::Multigrid<Scalar, Space>;
  static constexpr Ordinal side = 20;
  static constexpr Ordinal n = side * side;

  Space exec;
  const kernels::Csr<Scalar, Space, Offset> A = make_csr<Offset>(exec, poisson<Scalar>(side, side));

  static amg::Parameters parameters(const OwnGroupsParameters& groups = {}) {
    amg::Parameters p;
    p.coarse_size = 30;
    p.coarsening = own_groups();
    p.registered.set(own_groups(), groups);
    return p;
  }

  std::vector<Scalar> apply(Grid& grid) {
    std::vector<Scalar> r(n);
    for (Ordinal i = 0; i < n; ++i)
      r[i] = static_cast<Scalar>(std::sin(1.0 + 3.7 * i));
    const auto z = zeros<Scalar>(exec, n);
    grid.prepare(exec, 1);
    grid.apply(exec, to_multivector(exec, r, n), z);
    return to_host(z);
  }

  std::vector<Scalar> applied(const amg::Parameters& p) {
    Grid grid(p);
    grid.setup(exec, A);
    return apply(grid);
  }

  /// A + diag(1 + i mod 3), in the arrays of A.
  void shift() {
    const auto shifted = with_diagonal(poisson<Scalar>(side, side), [](Ordinal i, Scalar& value) {
      value += static_cast<Scalar>(1 + i % 3);
    });
    Kokkos::deep_copy(exec, A.values, to_device(exec, shifted.values));
    exec.fence("tessera::test");
  }

  static double rounding() { return std::is_same_v<Scalar, float> ? 1e-4 : 1e-12; }

  std::optional<Error> error_of_setup(const amg::Parameters& p) {
    return error_of([&] {
      Grid grid(p);
      grid.setup(exec, A);
    });
  }
};
TYPED_TEST_SUITE(RegisterCoarsening, Matrices, TypeNames);

TYPED_TEST(RegisterCoarsening, LeavesToTheLibraryWhatItDoesNotMake) {
  TESSERA_TEST_TYPES(TypeParam);
  for (const amg::Products products : {amg::Products::csr, amg::Products::mbsr}) {
    SCOPED_TRACE(products == amg::Products::csr ? "rows" : "tiles");
    std::vector<std::vector<Scalar>> results;
    for (const GroupsGive gives : {GroupsGive::product, GroupsGive::P, GroupsGive::P_and_R}) {
      auto p = this->parameters({.length = 3, .gives = gives});
      p.products = products;
      amg::Multigrid<Scalar, Space> grid(p);
      grid.setup(this->exec, this->A);
      const auto& levels = grid.info().levels;
      ASSERT_EQ(levels.size(), 4U);
      for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
        EXPECT_EQ(levels[i].coarsening, "own_groups");
        EXPECT_EQ(levels[i].aggregation, "own_groups") << "for want of a better word";
        EXPECT_EQ(levels[i + 1].rows, (levels[i].rows + 2) / 3);
      }
      EXPECT_EQ(levels.back().coarsening, "");
      results.push_back(this->apply(grid));
    }
    EXPECT_LT(relative_difference(results[1], results[0]), this->rounding());
    EXPECT_LT(relative_difference(results[2], results[0]), this->rounding());
  }
}

TYPED_TEST(RegisterCoarsening, HasParametersByLevel) {
  auto p = this->parameters({.length = 2});
  p.levels.assign(2, amg::uniform_choice(p));
  p.levels[0].coarsening.type = own_groups();
  p.levels[0].coarsening.registered.set(own_groups(), OwnGroupsParameters{.length = 5});
  typename TestFixture::Grid grid(p);
  grid.setup(this->exec, this->A);
  const auto& levels = grid.info().levels;
  ASSERT_GE(levels.size(), 3U);
  EXPECT_EQ(levels[1].rows, 80);
  EXPECT_EQ(levels[2].rows, 40) << "as for all levels";
}

TYPED_TEST(RegisterCoarsening, EndsTheHierarchy) {
  auto p = this->parameters({.length = 2});
  p.levels.assign(2, amg::uniform_choice(p));
  p.levels[1].coarsening.type = own_groups();
  p.levels[1].coarsening.registered.set(own_groups(), OwnGroupsParameters{.length = 0});
  typename TestFixture::Grid grid(p);
  grid.setup(this->exec, this->A);
  EXPECT_EQ(grid.info().levels.size(), 2U);
}

/// New values: P follows them where it says so, and else only what is made of it.
TYPED_TEST(RegisterCoarsening, GetsNewValues) {
  TESSERA_TEST_TYPES(TypeParam);
  struct Case {
    bool follows;
    amg::Reuse reuse;
    bool as_fresh;
  };
  for (const GroupsGive gives : {GroupsGive::P, GroupsGive::P_and_R}) {
    for (const Case& c :
         {Case{false, amg::Reuse::symbolic, true}, Case{true, amg::Reuse::symbolic, true},
          Case{true, amg::Reuse::interpolation, false}}) {
      SCOPED_TRACE(std::to_string(c.follows) + (c.as_fresh ? ", symbolic" : ", interpolation"));
      Kokkos::deep_copy(this->exec, this->A.values,
                        to_device(this->exec, poisson<Scalar>(this->side, this->side).values));
      auto p = this->parameters({.length = 3, .follows = c.follows, .gives = gives});
      p.reuse = c.reuse;
      amg::Multigrid<Scalar, Space> grid(p);
      grid.setup(this->exec, this->A);
      const auto before = this->apply(grid);
      this->shift();
      ASSERT_TRUE(grid.try_update(this->exec));
      const auto updated = this->apply(grid);
      EXPECT_GT(relative_difference(updated, before), 1e-2);
      const double from_fresh = relative_difference(updated, this->applied(p));
      if (c.as_fresh) {
        EXPECT_LT(from_fresh, this->rounding());
      } else {
        EXPECT_GT(from_fresh, 1e-3) << "P is of the values before";
      }
    }
  }
}

TYPED_TEST(RegisterCoarsening, RefusesWhatDoesNotFit) {
  struct Case {
    GroupsFault fault;
    std::vector<std::string> parts;
  };
  using Fault = GroupsFault;
  const Case cases[] = {
      {Fault::rows, {"P is 399 by 200", "expected 400 rows"}},
      {Fault::columns, {"P is 400 by 400", "fewer columns"}},
      {Fault::no_columns, {"P is 400 by 0", "at least one"}},
      {Fault::range, {"row 399", "column 200 is not in a matrix of 200 columns"}},
      {Fault::order, {"P is 400 by 200", "row 1", "column 0 comes after column 1"}},
      {Fault::values, {"row 399", "NaN", "finite values"}},
      {Fault::no_values, {"400 columns and 0 values"}},
      {Fault::R, {"R is 400 by 200", "P's transpose"}},
      {Fault::A, {"not product.make's"}},
      {Fault::vectors, {"near-nullspace", "200", "199"}},
      {Fault::dropped, {"199 marks", "200 coarse unknowns"}},
      {Fault::error, {"the groups are odd"}},
      {Fault::exception, {"the groups fell apart"}},
      {Fault::number, {"no std::exception"}}};
  for (const GroupsGive gives : {GroupsGive::P, GroupsGive::product}) {
    for (const Case& c : cases) {
      // A product of its own replaces the operator.
      if (c.fault == GroupsFault::A && gives == GroupsGive::product) continue;
      const auto error = this->error_of_setup(this->parameters({.gives = gives, .fault = c.fault}));
      expect_error(error, c.fault == Fault::error ? ErrorKind::bad_input : ErrorKind::precondition,
                   {"coarsening own_groups of level 0: "});
      if (!error) continue;
      for (const std::string& part : c.parts)
        EXPECT_NE(std::string(error->what()).find(part), std::string::npos) << error->what();
    }
  }
}

TYPED_TEST(RegisterCoarsening, NamesTheLevel) {
  auto p = this->parameters();
  p.levels.assign(3, amg::uniform_choice(p));
  p.levels[2].coarsening.type = own_groups();
  p.levels[2].coarsening.registered.set(own_groups(),
                                        OwnGroupsParameters{.fault = GroupsFault::values});
  expect_error(this->error_of_setup(p), ErrorKind::precondition,
               {"coarsening own_groups of level 2: P is 100 by 50"});
}

TYPED_TEST(RegisterCoarsening, RefusesNewValuesThatAreNoNumbers) {
  auto p = this->parameters({.follows = true, .fault = GroupsFault::new_values});
  p.reuse = amg::Reuse::symbolic;
  typename TestFixture::Grid grid(p);
  grid.setup(this->exec, this->A);
  expect_error(error_of([&] { static_cast<void>(grid.try_update(this->exec)); }),
               ErrorKind::precondition, {"coarsening own_groups of level 0", "infinite"});
}

}  // namespace register_coarsening_test
}  // namespace tessera::test
