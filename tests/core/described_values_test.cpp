// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/described_values.hpp"

#include "support/error_of.hpp"

#include "tessera/operator/check_parameters.hpp"

#include <string>
#include <vector>

namespace tessera::test {
namespace described_values_test {

/// Numbers that are not places in the list of its names.
enum class Colour { red = 7, blue = -2 };

constexpr EnumName<Colour> colour_names[] = {{Colour::red, "red", "of fire"},
                                             {Colour::blue, "blue", "of the sea"}};

struct Paint {
  bool dries = true;
  int coats = 2;
  double gloss = 0.5;
  Colour colour = Colour::blue;
};

template <class Visitor>
void describe_parameters(Visitor& visit, Paint& p) {
  visit("dries", p.dries, "whether it does");
  visit("coats", p.coats, "how often", Range{1, 9});
  visit("gloss", p.gloss, "how bright", Range{0.0, 1.0});
  visit("colour", p.colour, "which", EnumNames<Colour>(colour_names));
}

/// Members with values, as the library shows them to its visitors.
struct Shown {
  std::vector<DescribedMember> members;
  std::vector<DescribedValue> values;
};

template <class Visitor>
void describe_parameters(Visitor& visit, Shown& shown) {
  visit_members(visit, shown.members, shown.values);
}

TEST(DescribedValues, HoldWhatAnAggregateDescribes) {
  const auto members = described_members(Paint{.coats = 3});
  ASSERT_EQ(members.size(), 4U);
  EXPECT_EQ(members[0].name, "dries");
  EXPECT_EQ(members[1].text, "how often");
  EXPECT_EQ(members[1].whole.highest, 9);
  EXPECT_EQ(members[2].real.highest, 1.0);
  ASSERT_EQ(members[3].names.size(), 2U);
  EXPECT_EQ(members[3].names[1].name, "blue");
  EXPECT_EQ(members[3].names[1].text, "of the sea");
  const auto values = initial_values(members);
  EXPECT_EQ(std::get<bool>(values[0]), true);
  EXPECT_EQ(std::get<int>(values[1]), 3);
  EXPECT_EQ(std::get<double>(values[2]), 0.5);
  EXPECT_EQ(std::get<ListedValue>(values[3]), ListedValue(1));
}

TEST(DescribedValues, FillAnAggregate) {
  const Paint paint =
      with_values(Paint{}, initial_values(described_members(Paint{false, 4, 0.25, Colour::red})));
  EXPECT_FALSE(paint.dries);
  EXPECT_EQ(paint.coats, 4);
  EXPECT_EQ(paint.gloss, 0.25);
  EXPECT_EQ(paint.colour, Colour::red);
}

TEST(DescribedValues, AreShownAsWhatTheyAre) {
  Shown shown{described_members(Paint{}), {}};
  shown.values = initial_values(shown.members);
  EXPECT_NO_THROW(check_parameters(shown));
  shown.values[1] = 10;
  expect_error(error_of([&] { check_parameters(shown, "paint."); }), ErrorKind::configuration,
               {"paint.coats = 10", "from 1 to 9"});
  shown.values[1] = 1;
  shown.values[2] = 1.5;
  expect_error(error_of([&] { check_parameters(shown); }), ErrorKind::configuration,
               {"gloss = 1.5", "from 0 to 1"});
  shown.values[2] = 1.0;
  shown.values[3] = ListedValue(2);
  expect_error(error_of([&] { check_parameters(shown); }), ErrorKind::configuration,
               {"colour = 2", "red, blue"});
  // Shown again, they are members as any.
  shown.values[3] = ListedValue(0);
  const auto again = described_members(shown);
  ASSERT_EQ(again.size(), 4U);
  EXPECT_EQ(again[3].names[0].name, "red");
  EXPECT_EQ(std::get<ListedValue>(again[3].initial), ListedValue(0));
}

TEST(DescribedValues, RefuseAnEnumeratorWithoutAName) {
  expect_error(error_of([] { described_members(Paint{.colour = static_cast<Colour>(0)}); }),
               ErrorKind::precondition, {"colour", "none of its names"});
}

}  // namespace described_values_test
}  // namespace tessera::test
