// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The list of coarsenings that a program has added: their names, parameters and types of matrices.
#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/own_coarsening.hpp"
#include "support/random_matrix.hpp"

#include "tessera/amg/multigrid.hpp"
#include "tessera/operator/check_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace tessera::test::registered_coarsenings_test {

using OneLevel = amg::FineLevel<double, HostSpace, std::int32_t>;
using OneCoarsening = std::unique_ptr<amg::Coarsening<double, HostSpace, std::int32_t>>;

/// For one type of matrix, for which it makes nothing; without parameters.
amg::CoarseningKind own_none() {
  static const amg::CoarseningKind kind = amg::register_coarsening(
      "own_none", "nothing at all", [](const OneLevel&) -> OneCoarsening { return nullptr; });
  return kind;
}

template <class Scalar, class Offset>
std::optional<Error> error_of_making(amg::CoarseningKind kind) {
  return error_of([&] {
    const HostSpace exec;
    amg::Parameters p;
    p.coarse_size = 1;
    p.levels.assign(1, amg::uniform_choice(p));
    p.choose_level = [kind](const amg::LevelFacts&, amg::LevelParameters chosen) {
      chosen.coarsening.type = kind;
      return chosen;
    };
    amg::Multigrid<Scalar, HostSpace> grid(p);
    grid.setup(exec, make_csr<Offset>(exec, poisson<Scalar>(10)));
  });
}

TEST(RegisteredCoarsenings, AreForTheTypesOfTheirFactory) {
  const std::string space = HostSpace::name();
  expect_error((error_of_making<float, std::int64_t>(own_none())), ErrorKind::configuration,
               {"coarsening own_none is not registered for a matrix of float on " + space +
                    " with offsets of 64 bits",
                "it is for double on " + space + " with offsets of 32 bits"});
  expect_error((error_of_making<double, std::int32_t>(own_none())), ErrorKind::precondition,
               {"coarsening own_none of level 0: its factory made none"});
  expect_error((error_of_making<double, std::int32_t>(static_cast<amg::CoarseningKind>(9999))),
               ErrorKind::configuration, {"9999"});
}

TEST(RegisteredCoarsenings, AreAmongWhatParametersMayBe) {
  amg::Parameters p;
  p.coarsening = own_groups();
  EXPECT_GE(static_cast<int>(p.coarsening), first_registered);
  EXPECT_EQ(amg::coarsening_name(p.coarsening), "own_groups");
  EXPECT_EQ(amg::coarsening_name(amg::CoarseningKind::plain_aggregation), "plain_aggregation");
  EXPECT_NO_THROW(check_parameters(p));
  for (const auto& names : {amg::all_coarsening_names(), amg::all_level_coarsening_names()})
    EXPECT_TRUE(std::ranges::any_of(names, [](const auto& known) {
      return known.name == "own_groups" && known.text == "groups of consecutive unknowns";
    }));
  p.registered.set(own_groups(), OwnGroupsParameters{.length = 101});
  expect_error(error_of([&] { amg::Multigrid<double, HostSpace>{p}; }), ErrorKind::configuration,
               {"amg.own_groups.length = 101", "0 to 100"});
  p.coarsening = static_cast<amg::CoarseningKind>(9999);
  expect_error(error_of([&] { check_parameters(p); }), ErrorKind::configuration,
               {"coarsening = 9999", "pairwise", "own_groups"});
}

TEST(RegisteredCoarsenings, HaveParametersOfOneType) {
  amg::Parameters p;
  EXPECT_TRUE(p.registered.values(own_none()).empty());
  EXPECT_EQ(std::get<int>(p.registered.values(own_groups())[0]), 2);
  p.registered.set(own_groups(), OwnGroupsParameters{.length = 7});
  amg::Parameters q;
  q.registered.set(own_groups(), OwnGroupsParameters{.length = 8});
  q = p;
  EXPECT_EQ(std::get<int>(q.registered.values(own_groups())[0]), 7);
  q = amg::Parameters();
  EXPECT_EQ(std::get<int>(q.registered.values(own_groups())[0]), 2);
  expect_error(error_of([&] { p.registered.set(own_none(), OwnGroupsParameters{}); }),
               ErrorKind::precondition, {"own_none", "another type"});
  expect_error(
      error_of([&] { p.registered.set(amg::CoarseningKind::pairwise, amg::PairwiseParameters{}); }),
      ErrorKind::configuration, {"no coarsening is registered"});
}

TEST(RegisteredCoarsenings, HaveNamesOfTheirOwn) {
  own_groups();
  const auto error_of_name = [](const char* name) {
    return error_of(
        [&] { amg::register_coarsening(name, "", OwnGroupsParameters{}, MakeOwnGroups{}); });
  };
  for (const char* name : {"pairwise", "plain_aggregation", "same", "own_groups", "", "two words",
                           "a.b", "cycle", "smoother", "type"})
    expect_error(error_of_name(name), ErrorKind::precondition,
                 {"a coarsening cannot be registered as", name});
  expect_error(error_of_name("own_groups"), ErrorKind::precondition, {"was registered before"});
  expect_error(error_of_name("pairwise"), ErrorKind::precondition, {"the library's own"});
  expect_error(error_of_name("max_levels"), ErrorKind::precondition, {"another parameter"});
  expect_error(error_of([] { amg::register_coarsening("own_number", "", [](int) { return 1; }); }),
               ErrorKind::precondition, {"own_number", "no type of matrix"});
}

}  // namespace tessera::test::registered_coarsenings_test
