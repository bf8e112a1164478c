// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/registry.hpp"

#include "support/error_of.hpp"

#include "tessera/operator/functions_by_type.hpp"

#include <set>
#include <thread>
#include <vector>

namespace tessera::test::registry_test {

enum class Metal : int { iron, tin };

constexpr EnumName<Metal> metal_names[] = {{Metal::iron, "iron", "rusts"},
                                           {Metal::tin, "tin", "melts"}};
constexpr EnumName<Metal> one_name[] = {{Metal::tin, "tin", "melts first"}};

using Metals = Registry<Metal, int>;

TEST(Registry, HandsOutValuesWithNamesAndEntries) {
  Metals metals("metal", metal_names);
  EXPECT_EQ(metals.names().size(), 2U);
  const Metal zinc = metals.add("zinc", "covers", 7);
  const Metal lead = metals.add("lead_2", "shields", 8);
  EXPECT_EQ(static_cast<int>(zinc), first_registered);
  EXPECT_NE(zinc, lead);
  EXPECT_TRUE(is_registered(zinc));
  EXPECT_FALSE(is_registered(Metal::tin));
  ASSERT_NE(metals.find(lead), nullptr);
  EXPECT_EQ(*metals.find(zinc), 7);
  EXPECT_EQ(*metals.find(lead), 8);
  EXPECT_EQ(metals.find(Metal::tin), nullptr);
  EXPECT_EQ(metals.find(static_cast<Metal>(first_registered + 2)), nullptr);
  EXPECT_EQ(metals.name(Metal::tin), "tin");
  EXPECT_EQ(metals.name(lead), "lead_2");
  EXPECT_EQ(metals.name(static_cast<Metal>(12)), "");
  const auto names = metals.names();
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(names[1].name, "tin");
  EXPECT_EQ(names[3].value, lead);
  EXPECT_EQ(names[3].name, "lead_2");
  EXPECT_EQ(names[3].text, "shields");
}

TEST(Registry, ListsOfNamesStayAndFollowAnyBuiltInNames) {
  Metals metals("metal", metal_names);
  metals.add("zinc", "covers", 7);
  const auto before = metals.names();
  const int* const entry = metals.find(static_cast<Metal>(first_registered));
  for (int i = 0; i < 100; ++i)
    metals.add("metal_" + std::to_string(i), "", i);
  ASSERT_EQ(before.size(), 3U);
  EXPECT_EQ(before[2].name, "zinc");
  EXPECT_EQ(entry, metals.find(static_cast<Metal>(first_registered)));
  const auto after = metals.names();
  EXPECT_EQ(after.size(), 103U);
  EXPECT_EQ(after.data(), metals.names().data()) << "made once";
  const auto others = metals.names(one_name);
  ASSERT_EQ(others.size(), 102U);
  EXPECT_EQ(others[0].text, "melts first");
  EXPECT_EQ(others[1].name, "zinc");
}

/// Also where both lists have come to the same length.
TEST(Registry, TellsAPartOfTheBuiltInNamesFromAll) {
  Metals metals("metal", metal_names);
  metals.add("zinc", "covers", 7);
  ASSERT_EQ(metals.names().size(), 3U);
  metals.add("lead", "shields", 8);
  const auto part = metals.names(EnumNames<Metal>(metal_names).first(1));
  ASSERT_EQ(part.size(), 3U);
  EXPECT_EQ(part[0].name, "iron");
  EXPECT_EQ(part[1].name, "zinc");
  EXPECT_EQ(part[2].name, "lead");
}

TEST(Registry, RefusesNames) {
  Metals metals("metal", metal_names);
  metals.add("zinc", "covers", 7);
  const auto refused = [&](const char* name) { return error_of([&] { metals.add(name, "", 1); }); };
  expect_error(refused("tin"), ErrorKind::precondition,
               {"metal cannot be registered as tin", "the library's own"});
  expect_error(refused("zinc"), ErrorKind::precondition,
               {"metal cannot be registered as zinc", "registered before"});
  for (const char* name : {"", "two words", "a,b", "a.b", "a=b"})
    expect_error(refused(name), ErrorKind::precondition, {"letters, digits and underscores"});
  EXPECT_EQ(metals.names().size(), 3U);
}

TEST(Registry, TakesNamesFromSeveralThreads) {
  Metals metals("metal", metal_names);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&metals, t] {
      for (int i = 0; i < 50; ++i) {
        const int number = 50 * t + i;
        const Metal added = metals.add("metal_" + std::to_string(number), "", number);
        const auto names = metals.names();
        if (metals.name(added) != "metal_" + std::to_string(number) ||
            *metals.find(added) != number || names.size() < 3)
          ADD_FAILURE() << number;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  std::set<int> values;
  for (const auto& known : metals.names())
    values.insert(static_cast<int>(known.value));
  EXPECT_EQ(values.size(), 202U);
}

TEST(FunctionsByType, FindsTheOneOfASignature) {
  FunctionsByType functions;
  EXPECT_TRUE(functions.empty());
  EXPECT_EQ(functions.types(), "nothing");
  functions.add<int(int)>([](int i) { return i + 1; }, "int");
  functions.add<double(double)>([](double x) { return x / 2; }, "double");
  ASSERT_NE(functions.find<int(int)>(), nullptr);
  EXPECT_EQ((*functions.find<int(int)>())(3), 4);
  EXPECT_EQ((*functions.find<double(double)>())(3), 1.5);
  EXPECT_EQ(functions.find<float(float)>(), nullptr);
  EXPECT_EQ(functions.types(), "int, double");
}

}  // namespace tessera::test::registry_test
