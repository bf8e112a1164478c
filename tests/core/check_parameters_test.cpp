// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/check_parameters.hpp"

#include "support/error_of.hpp"

#include <limits>

namespace tessera::test {

enum class Shape { round, square };

inline constexpr EnumName<Shape> shape_names[] = {{Shape::round, "round", "a disc"},
                                                  {Shape::square, "square", "a box"}};

struct PartParameters {
  int count = 1;
  double weight = 0.5;
  Shape shape = Shape::round;
};

struct AllParameters {
  bool quiet = false;
  int seed = 0;
  double anything = 0;
  PartParameters part;
  std::vector<PartParameters> parts;
  int last = 2;
};

template <class Visitor>
void describe_parameters(Visitor& visit, PartParameters& p) {
  visit("count", p.count, "how many", Range{1, 9});
  visit("weight", p.weight, "how heavy", Range{1e-6, 2.0});
  visit("shape", p.shape, "of which form", EnumNames<Shape>(shape_names));
}

template <class Visitor>
void describe_parameters(Visitor& visit, AllParameters& p) {
  visit("quiet", p.quiet, "says less");
  visit("seed", p.seed, "of the random numbers", Range{0, std::numeric_limits<int>::max()});
  visit("anything", p.anything, "any number", Range<double>{});
  visit.section("part", p.part, "one part");
  visit.list("parts", p.parts, "more parts", [&p] { return p.part; });
  visit("last", p.last, "after a section", Range{std::numeric_limits<int>::lowest(), 2});
}

namespace check_parameters_test {

template <class Change>
void expect_refused(const Change& change, const std::string& message) {
  AllParameters parameters;
  change(parameters);
  const auto error = error_of([&] { check_parameters(parameters, "all."); });
  expect_error(error, ErrorKind::configuration, {});
  if (error) {
    EXPECT_EQ(std::string(error->what()), message);
  }
}

TEST(CheckParameters, PassesDefaultsAndBounds) {
  EXPECT_NO_THROW(check_parameters(AllParameters{}));
  for (const int count : {1, 9}) {
    for (const double weight : {1e-6, 2.0})
      EXPECT_NO_THROW(check_parameters(PartParameters{count, weight, Shape::square}));
  }
}

TEST(CheckParameters, NamesParameterValueAndRange) {
  using P = AllParameters;
  expect_refused([](P& p) { p.part.count = 0; },
                 "all.part.count = 0 is out of range, expected a whole number from 1 to 9");
  expect_refused([](P& p) { p.part.weight = 2.5; },
                 "all.part.weight = 2.5 is out of range, expected a number from 1e-06 to 2");
  expect_refused([](P& p) { p.part.shape = static_cast<Shape>(2); },
                 "all.part.shape = 2 is out of range, expected one of: round, square");
  expect_refused([](P& p) { p.seed = -1; },
                 "all.seed = -1 is out of range, expected a whole number of 0 or more");
  expect_refused([](P& p) { p.last = 2147483647; },
                 "all.last = 2147483647 is out of range, expected a whole number of 2 or less");
}

TEST(CheckParameters, LooksAtEachElementOfAList) {
  AllParameters parameters;
  parameters.parts.resize(3);
  EXPECT_NO_THROW(check_parameters(parameters));
  expect_refused([&](AllParameters& p) { p.parts = parameters.parts, p.parts[2].count = 10; },
                 "all.parts.2.count = 10 is out of range, expected a whole number from 1 to 9");
  expect_refused([&](AllParameters& p) { p.parts = parameters.parts, p.parts[0].weight = 0; },
                 "all.parts.0.weight = 0 is out of range, expected a number from 1e-06 to 2");
}

TEST(CheckParameters, NoRangeHoldsWhatIsNotFinite) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    AllParameters parameters;
    parameters.anything = value;
    expect_error(error_of([&] { check_parameters(parameters); }), ErrorKind::configuration,
                 {"anything = ", "expected a number"});
  }
}

}  // namespace check_parameters_test
}  // namespace tessera::test
