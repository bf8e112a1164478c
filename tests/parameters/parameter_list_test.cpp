// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Lists of parameters by name, on the list that the solver has: `amg.levels`.

#include <nlohmann/json.hpp>

#include "support/error_of.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/parameters/table.hpp"
#include "tessera/solve.hpp"

#include <map>

namespace tessera::parameters::parameter_list_test {

class ParameterListTest : public ::testing::Test {
 protected:
  using Levels = std::vector<amg::LevelParameters>;

  void set(const std::string& key, const std::string& text) { tree.set_text(key, text, "-p"); }
  void configure(const std::string& text) { set_from_json(tree, text, "c.json"); }
  void expect_refused(const std::string& key, const std::string& text,
                      std::initializer_list<std::string> parts) {
    test::expect_error(test::error_of([&] { set(key, text); }), ErrorKind::configuration, parts);
  }
  void expect_config_refused(const std::string& text, std::initializer_list<std::string> parts) {
    test::expect_error(test::error_of([&] { configure(text); }), ErrorKind::configuration, parts);
  }

  SolveParameters p;
  ParameterTree tree{p};
  Levels& levels = p.amg.levels;
};

TEST_F(ParameterListTest, TheFirstElementStartsFromWhatHoldsForAllLevels) {
  set("amg.smoother.type", "chebyshev");
  set("amg.storage.scalar", "float");
  set("amg.levels.0.A.scalar", "half");
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_EQ(levels[0].smoother.type, SmootherType::chebyshev);
  EXPECT_EQ(levels[0].A.scalar, StorageScalar::half);
  EXPECT_EQ(levels[0].P.scalar, StorageScalar::float32);
  EXPECT_EQ(levels[0].R.scalar, StorageScalar::float32);
  set("amg.smoother.type", "jacobi");
  EXPECT_EQ(levels[0].smoother.type, SmootherType::chebyshev) << "it is a copy";
}

ParameterValue another_value(const Parameter& parameter) {
  const ParameterValue& value = parameter.default_value;
  if (std::holds_alternative<bool>(value)) return !std::get<bool>(value);
  if (!parameter.choices.empty()) {
    const std::string& first = parameter.choices.front().name;
    return value == ParameterValue(first) ? parameter.choices.back().name : first;
  }
  if (std::holds_alternative<int>(value)) return static_cast<int>(parameter.highest);
  return parameter.highest;
}

TEST_F(ParameterListTest, WhatACoarseningHasForAllLevelsReachesEachOfThem) {
  amg::LevelCoarsening of_one;
  std::map<std::string, ParameterValue> changed;
  const ParameterTree tree_of_one(of_one);
  ParameterTree tree_of_all(p.amg);
  for (const Parameter& parameter : tree_of_one.parameters()) {
    if (parameter.key == "type") continue;
    changed[parameter.key] = another_value(parameter);
    tree_of_all.set(parameter.key, changed[parameter.key], "-p");
  }
  EXPECT_GE(changed.size(), 8U);
  of_one = amg::uniform_coarsening(p.amg);
  for (const Parameter& parameter : tree_of_one.parameters()) {
    if (parameter.key == "type") continue;
    EXPECT_EQ(to_text(parameter.get()), to_text(changed[parameter.key])) << parameter.key;
  }
}

TEST_F(ParameterListTest, AKeyBehindTheLastAddsACopyOfTheLast) {
  set("amg.levels.0.A.format", "mbsr");
  set("amg.levels.1.smoother.chebyshev.degree", "5");
  set("amg.levels.2.P.scalar", "half");
  ASSERT_EQ(levels.size(), 3U);
  for (const auto& level : levels)
    EXPECT_EQ(level.A.format, StorageFormat::mbsr);
  EXPECT_EQ(levels[0].smoother.chebyshev.degree, 2);
  EXPECT_EQ(levels[2].smoother.chebyshev.degree, 5);
  EXPECT_EQ(levels[1].P.scalar, StorageScalar::same);
  set("amg.levels.0.A.format", "csr");
  EXPECT_EQ(levels[0].A.format, StorageFormat::csr);
  EXPECT_EQ(levels[1].A.format, StorageFormat::mbsr) << "it is a copy";
}

TEST_F(ParameterListTest, RefusedTextAddsNothing) {
  expect_refused("amg.levels.0.smoother.jacobi.omega", "3",
                 {"amg.levels.0.smoother.jacobi.omega", "to 2."});
  expect_refused("amg.levels.0.smoother.jacobi.omega", "much", {"'much' is not a value it takes"});
  expect_refused("amg.levels.0.A.scalar", "hlaf", {"did you mean 'half'?"});
  expect_refused("amg.levels.0.A.scalr", "half",
                 {"unknown parameter", "did you mean 'amg.levels.0.A.scalar'?"});
  expect_refused("amg.levels.0.A", "half",
                 {"is a section", "amg.levels.0.A.format, amg.levels.0.A.scalar."});
  expect_refused("amg.levels.0", "half", {"is a section", "amg.levels.0.smoother.type"});
  expect_refused("amg.levels", "half", {"is a list", "as in 'amg.levels.0.vectors'"});
  for (const char* key : {"amg.levels.A.scalar", "amg.levels.00.A.scalar", "amg.levels.-1.A.scalar",
                          "amg.levels..A.scalar", "amg.levels.1x.A.scalar", "amg.levels."})
    expect_refused(key, "half", {"'amg.levels' is a list: expected the number"});
  expect_refused("amg.level.0.A.scalar", "half", {"did you mean 'amg.levels.0.A.scalar'?"});
  expect_refused("A.scalar", "half", {"did you mean 'amg.levels.0.A.scalar'?"});
  expect_refused("amg.levels.0.coarsening.passes", "2",
                 {"did you mean 'amg.levels.0.coarsening.pairwise.passes'?"});
  expect_refused("amg", "half", {"is a section", "amg.smoother.type", "amg.levels."});
  EXPECT_TRUE(levels.empty());
}

TEST_F(ParameterListTest, AGapIsAnErrorThatSaysWhatIsThere) {
  expect_refused("amg.levels.1.A.scalar", "half",
                 {"'amg.levels.1.A.scalar': the list is empty",
                  "the next to be set is "
                  "'amg.levels.0'"});
  set("amg.levels.0.A.scalar", "half");
  expect_refused("amg.levels.2.A.scalar", "half", {"has one element, 0", "'amg.levels.1'"});
  set("amg.levels.1.A.scalar", "half");
  expect_refused("amg.levels.99999999999999999999999.A.scalar", "half",
                 {"has the elements 0 to 1", "'amg.levels.2'"});
  EXPECT_EQ(levels.size(), 2U);
}

TEST_F(ParameterListTest, AnArrayTakesWhatIsLeftOutFromTheElementBefore) {
  // The order of a file's keys is of no meaning.
  configure(R"({"amg": {"levels": [{"A": {"format": "mbsr", "scalar": "float"}},
                                   {"A": {"scalar": "half"}, "smoother": {"type": "chebyshev"}},
                                   {},
                                   {"smoother.chebyshev.degree": 5}],
                        "storage": {"scalar": "double"}, "smoother.sweeps": 2}})");
  ASSERT_EQ(levels.size(), 4U);
  EXPECT_EQ(levels[0].A.format, StorageFormat::mbsr);
  EXPECT_EQ(levels[0].A.scalar, StorageScalar::float32);
  EXPECT_EQ(levels[0].P.scalar, StorageScalar::float64);
  EXPECT_EQ(levels[0].smoother.sweeps, 2);
  EXPECT_EQ(levels[0].smoother.type, SmootherType::automatic);
  EXPECT_EQ(levels[1].A.format, StorageFormat::mbsr);
  EXPECT_EQ(levels[1].A.scalar, StorageScalar::half);
  EXPECT_EQ(levels[2].smoother.type, SmootherType::chebyshev);
  EXPECT_EQ(levels[2].smoother.chebyshev.degree, 2);
  EXPECT_EQ(levels[3].smoother.chebyshev.degree, 5);
  configure(R"({"amg.levels": [{}]})");
  ASSERT_EQ(levels.size(), 1U) << "an array is the whole list";
  EXPECT_EQ(levels[0].A.format, StorageFormat::automatic);
  configure(
      R"({"amg.levels.1.A.scalar": "half", "amg": {"levels": {"0": {"P.scalar": "float"}}}})");
  ASSERT_EQ(levels.size(), 2U) << "keys change the list";
  EXPECT_EQ(levels[0].P.scalar, StorageScalar::float32);
  set("amg.levels.1.A.scalar", "fp8");
  EXPECT_EQ(levels[1].A.scalar, StorageScalar::fp8) << "-p wins";
  configure(R"({"amg": {"levels": []}})");
  EXPECT_TRUE(levels.empty());
}

TEST_F(ParameterListTest, AWrongArrayIsAnErrorThatSaysWhere) {
  expect_config_refused(R"({"amg": {"levels": [{}, {"A": {"scalr": "half"}}]}})",
                        {"c.json: unknown parameter 'amg.levels.1.A.scalr'",
                         "did you mean 'amg.levels.1.A.scalar'?"});
  expect_config_refused(R"({"amg": {"levels": [{"smother": {"type": "jacobi"}}]}})",
                        {"did you mean 'amg.levels.0.smoother.type'?"});
  expect_config_refused(R"({"amg": {"levels": [{"A": "half"}]}})",
                        {"'amg.levels.0.A' is a section"});
  expect_config_refused(R"({"amg": {"levels": [{"smoother": {"jacobi": {"omega": 3}}}]}})",
                        {"'amg.levels.0.smoother.jacobi.omega': 3 is out of range"});
  expect_config_refused(R"({"amg": {"levels": [{"smoother": {"sweeps": 2, "sweeps": 3}}]}})",
                        {"key 'sweeps' is given twice"});
  expect_config_refused(
      R"({"amg": {"levels": [{"smoother": {"sweeps": 2}, "smoother.sweeps": 3}]}})",
      {"'amg.levels.0.smoother.sweeps' is given twice"});
  expect_config_refused(R"({"amg": {"levels": [{"$schema": "s.json"}]}})",
                        {"unknown parameter 'amg.levels.0.$schema'"});
  expect_config_refused(R"({"amg": {"levels": [1]}})",
                        {"'amg.levels.0': expected an object, found 1"});
  expect_config_refused(R"({"amg": {"levels": "half"}})",
                        {"'amg.levels' is a list: expected an array of objects, found \"half\""});
  expect_config_refused(R"({"amg": {"levels": [{}]}, "amg.levels.0.A.scalar": "half"})",
                        {"list 'amg.levels' is given twice", "'amg.levels.0.A.scalar'"});
  expect_config_refused(R"({"amg": {"level": [{}]}})", {"did you mean 'amg.levels'?"});
  expect_config_refused(R"({"amg": {"cycle": ["v"]}})", {"expected a value, found [\"v\"]"});
}

TEST_F(ParameterListTest, ACoarseningHasItsSectionAndAnErrorNamesIt) {
  set("amg.smoothed_aggregation.strength_threshold", "0.1");
  configure(R"({"amg": {"smoothed_aggregation": {"aggregation": "mis2"},
                        "levels": [{"coarsening": {"type": "smoothed_aggregation",
                                    "smoothed_aggregation": {"strength_threshold": 0.2}}}]}})");
  EXPECT_EQ(p.amg.smoothed_aggregation.strength_threshold, 0.1);
  EXPECT_EQ(p.amg.smoothed_aggregation.aggregation, amg::Aggregation::mis2);
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_EQ(levels[0].coarsening.smoothed_aggregation.strength_threshold, 0.2);
  for (const std::string name : {"aggregation", "strength_measure", "strength_threshold",
                                 "strength_scaling", "prolongator_omega"}) {
    const std::string place = "did you mean 'amg.smoothed_aggregation." + name + "'?";
    expect_refused("amg." + name, "0", {place});
    expect_refused(name, "0", {place});
    expect_config_refused(R"({"amg": {")" + name + R"(": 0}})", {place});
  }
  expect_refused("amg.levels.0.coarsening.strength_threshold", "0",
                 {"did you mean 'amg.levels.0.coarsening.smoothed_aggregation."
                  "strength_threshold'?"});
}

TEST_F(ParameterListTest, EffectiveValuesAreAValidConfiguration) {
  EXPECT_FALSE(nlohmann::ordered_json::parse(to_json(tree.values()))["amg"].contains("levels"))
      << "there are none";
  configure(R"({"amg": {"levels": [{"A": {"format": "mbsr"}},
                                   {"smoother": {"jacobi": {"omega": 0.5}}}]}})");
  const std::string text = to_json(tree.values());
  const auto written = nlohmann::ordered_json::parse(text);
  ASSERT_TRUE(written["amg"]["levels"].is_array());
  ASSERT_EQ(written["amg"]["levels"].size(), 2U);
  EXPECT_EQ(written["amg"]["levels"][1]["A"]["format"], "mbsr");
  EXPECT_EQ(written["amg"]["levels"][1]["smoother"]["jacobi"]["omega"], 0.5);
  SolveParameters q;
  ParameterTree again(q);
  set_from_json(again, text, "written");
  EXPECT_EQ(to_json(again.values()), text);
  EXPECT_EQ(q.amg.levels.size(), 2U);
}

TEST_F(ParameterListTest, SchemaAndTableDescribeAnElement) {
  const auto schema = nlohmann::ordered_json::parse(json_schema(tree));
  const auto& list = schema["properties"]["amg"]["properties"]["levels"];
  EXPECT_EQ(list["type"], "array");
  const auto& element = list["items"];
  EXPECT_EQ(element["type"], "object");
  EXPECT_EQ(element["additionalProperties"], false);
  EXPECT_EQ(element["properties"].size(), 6U);
  EXPECT_EQ(element["properties"]["A"]["additionalProperties"], false);
  const auto& smoother = element["properties"]["smoother"]["properties"];
  EXPECT_EQ(smoother["jacobi"]["properties"]["omega"]["maximum"], 2.0);
  EXPECT_FALSE(smoother["jacobi"]["properties"]["omega"].contains("default"));
  const auto& coarsening = element["properties"]["coarsening"]["properties"];
  EXPECT_EQ(coarsening["pairwise"]["properties"]["passes"]["maximum"], 3);
  const std::string table = parameter_table(tree);
  for (const char* part :
       {"amg.levels: choices by level", "amg.levels.N.A.scalar\n", "amg.levels.N.smoother.type\n",
        "amg.levels.N.smoother.chebyshev: the Chebyshev polynomial",
        "amg.levels.N.smoother.chebyshev.degree\n", "one of: auto, least_bytes, csr, mbsr",
        "as the one before it", "amg.levels.N.P: how the prolongator"})
    EXPECT_NE(table.find(part), std::string::npos) << part;
}

}  // namespace tessera::parameters::parameter_list_test
