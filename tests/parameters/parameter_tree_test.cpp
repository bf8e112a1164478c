// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/parameters/parameter_tree.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "support/error_of.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/table.hpp"

namespace tessera::parameters {

enum class Colour { red, green };

struct InnerParameters {
  int sweeps = 1;
  double omega = 1.5;
  Colour colour = Colour::red;
};

struct OuterParameters {
  bool verbose = false;
  double tolerance = 1e-8;
  InnerParameters smoother;
};

inline constexpr std::array<EnumName<Colour>, 2> colour_names{
    {{Colour::red, "red", "the colour red"}, {Colour::green, "green", "the colour green"}}};

template <class Visitor>
void describe_parameters(Visitor& visit, InnerParameters& p) {
  visit("sweeps", p.sweeps, "how many sweeps", Range{1, 100});
  visit("omega", p.omega, "how much damping", Range{0.0, 2.0});
  visit("colour", p.colour, "which colour", colour_names);
}

template <class Visitor>
void describe_parameters(Visitor& visit, OuterParameters& p) {
  visit("verbose", p.verbose, "say more");
  visit("tolerance", p.tolerance, "when to stop", Range{0.0, std::numeric_limits<double>::max()});
  visit.section("smoother", p.smoother, "the smoother");
}

namespace parameter_tree_test {

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

class ParameterTreeTest : public ::testing::Test {
 protected:
  /// The message of the error of setting a key, and of reading a file.
  std::string refused(const std::string& key, const std::string& value) {
    return test::message_of(ErrorKind::configuration, [&] { tree.set_text(key, value, "-p"); });
  }
  std::string refused(const std::string& file) {
    return test::message_of(ErrorKind::configuration, [&] { set_from_json(tree, file, "c.json"); });
  }

  OuterParameters p;
  ParameterTree tree{p};
};
using Config = ParameterTreeTest;

TEST_F(ParameterTreeTest, ListsEveryParameterOnceInOrder) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : tree.parameters())
    keys.push_back(parameter.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"verbose", "tolerance", "smoother.sweeps",
                                            "smoother.omega", "smoother.colour"}));
  ASSERT_EQ(tree.sections().size(), 1u);
  EXPECT_EQ(tree.sections()[0].key, "smoother");
}

TEST_F(ParameterTreeTest, SetsEveryKindFromText) {
  tree.set_text("verbose", "true", "test");
  tree.set_text("tolerance", "+1e-12", "test");
  tree.set_text("smoother.sweeps", "3", "test");
  tree.set_text("smoother.colour", "green", "test");
  EXPECT_TRUE(p.verbose);
  EXPECT_EQ(p.tolerance, 1e-12);
  EXPECT_EQ(p.smoother.sweeps, 3);
  EXPECT_EQ(p.smoother.colour, Colour::green);
}

TEST_F(ParameterTreeTest, UnknownKeyNamesTheNearest) {
  expect_contains(refused("smoother.sweps", "3"), "did you mean 'smoother.sweeps'?");
  expect_contains(refused("sweeps", "3"), "did you mean 'smoother.sweeps'?");
  expect_contains(refused("xyzzyqwert", "3"), "tessera params");
  expect_contains(refused("smoother", "3"), "is a section");
}

TEST_F(ParameterTreeTest, WrongValuesSayTheValueAndTheExpectation) {
  expect_contains(refused("smoother.sweeps", "0"),
                  "0 is out of range. Expected a whole number from 1 to 100.");
  expect_contains(refused("smoother.sweeps", "1.5"), "'1.5' is not a value it takes");
  expect_contains(refused("smoother.sweeps", "99999999999"), "is too large");
  expect_contains(refused("smoother.omega", "nan"), "nan is out of range");
  expect_contains(refused("smoother.omega", "1e999"), "is too large");
  expect_contains(refused("smoother.omega", ""), "'' is not a value it takes");
  expect_contains(refused("smoother.colour", "gren"),
                  "did you mean 'green'? Expected one of: red, green");
  expect_contains(refused("verbose", "maybe"), "Expected true or false");
  expect_contains(refused("tolerance", "-1"), "a number of 0 or more");
  EXPECT_EQ(p.smoother.sweeps, 1) << "a refused value changes nothing";
  EXPECT_EQ(p.smoother.omega, 1.5);
}

TEST(ParameterTree, MessagesNameAParameterAsTheUserDoes) {
  OuterParameters p;
  ParameterTree tree(p, [](std::string_view key) { return "<" + std::string(key) + ">"; });
  const auto set = [&](const char* key, const char* text) {
    return test::message_of(ErrorKind::configuration, [&] { tree.set_text(key, text, "source"); });
  };
  EXPECT_TRUE(set("tolerance", "small").starts_with("source: <tolerance>: 'small' is not a value"));
  EXPECT_TRUE(set("tolerance", "-1").starts_with("source: <tolerance>: -1 is out of range"));
  EXPECT_TRUE(set("smoother.colour", "blue").starts_with("source: <smoother.colour> has no value"));
}

TEST_F(ParameterTreeTest, DefaultsStayWhatTheyWere) {
  tree.set_text("smoother.sweeps", "7", "test");
  EXPECT_EQ(to_text(tree.parameters()[2].default_value), "1");
  EXPECT_EQ(to_text(tree.values()[2].second), "7");
}

TEST_F(Config, TakesNestedAndDottedKeys) {
  set_from_json(tree, R"({"smoother.sweeps": 4, "smoother": {"omega": 1}})", "c.json");
  EXPECT_EQ(p.smoother.sweeps, 4);
  EXPECT_EQ(p.smoother.omega, 1.0) << "a whole number does for a real parameter";
}

TEST_F(Config, TakesWholeNumbersInAnyNotation) {
  set_from_json(tree, R"({"smoother": {"sweeps": 1e1, "omega": 2.0}})", "c.json");
  EXPECT_EQ(p.smoother.sweeps, 10);
  EXPECT_EQ(p.smoother.omega, 2.0);
  set_from_json(tree, R"({"smoother.sweeps": 7.0, "tolerance": 1e300})", "c.json");
  EXPECT_EQ(p.smoother.sweeps, 7);
  EXPECT_EQ(p.tolerance, 1e300);
}

TEST_F(Config, SaysWhereTheSyntaxIsWrong) {
  expect_contains(refused("{\n  \"a\": 1,\n  \"b\" 2\n}"), "c.json:3:7:");
  expect_contains(refused(""), "c.json:1:1:");
  expect_contains(refused(R"({"tolerance": 1e400})"), "1e400");
  expect_contains(refused("{\"a\": 1, \"a\": 2}"), "key 'a' is given twice");
}

TEST_F(Config, RefusesWhatNoParameterTakes) {
  expect_contains(refused("[1]"), "expected an object of parameters, found array");
  expect_contains(refused(R"({"tolerance": "1e-8"})"), "\"1e-8\" is not a value it takes");
  expect_contains(refused(R"({"tolerance": [1]})"), "expected a value, found [1]");
  expect_contains(refused(R"({"tolerance": null})"), "expected a value, found null");
  expect_contains(refused(R"({"smoother": 3})"), "is a section");
  expect_contains(refused(R"({"smoother": {"sweeps": 2.5}})"), "Expected a whole number");
  expect_contains(refused(R"({"smoother": {"sweeps": 1e3}})"), "1000 is out of range");
  expect_contains(refused(R"({"smoother": {"sweeps": 1e300}})"), "Expected a whole number");
  expect_contains(refused(R"({"smoother": {"sweeps": 1}, "smoother.sweeps": 2})"), "given twice");
  expect_contains(refused(R"({"smother": {"sweeps": 1}})"), "did you mean 'smoother.sweeps'?");
}

// What walks, writes or frees a value calls itself for each level: a megabyte of brackets would
// end the program.
TEST_F(Config, RefusesWhatIsNestedTooDeeply) {
  const auto nested = [](const std::string& open, const std::string& close, int times) {
    std::string text;
    for (int i = 0; i < times; ++i)
      text += open;
    text += "1";
    for (int i = 0; i < times; ++i)
      text += close;
    return text;
  };
  for (const int times : {65, 100, 400'000}) {
    const std::string words = "nested more than 64 deep";
    expect_contains(refused(nested("{\"a\":", "}", times)), words);
    expect_contains(refused("{\"tolerance\":" + nested("[", "]", times - 1) + "}"), words);
    expect_contains(refused(nested("[{\"smoother\":", "}]", times)), words);
  }
  expect_contains(refused(nested("{\"a\":", "}", 64)), "unknown parameter 'a.a.");
  expect_contains(refused("{\"tolerance\":" + nested("[", "]", 63) + "}"), "found an array");
}

TEST_F(Config, KeepsMessagesShortAndWhole) {
  expect_contains(
      refused(R"({"tolerance": [0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0]})"),
      "found an array of 31 members");
  expect_contains(refused(R"({"smoother": {"colour": "gr\u0000een"}})"), "'gr?een'");
  expect_contains(refused(R"({"smoother": {"colour": "gr\u0000een"}})"), "Expected");
}

TEST_F(Config, TakesTheKeyByWhichEditorsFindASchema) {
  set_from_json(tree, R"({"$schema": "s.json", "tolerance": 0.5})", "c.json");
  EXPECT_EQ(p.tolerance, 0.5);
  for (const char* text : {R"({"$schema": 1})", R"({"smoother": {"$schema": "s.json"}})"}) {
    expect_contains(refused(text), "unknown parameter");
  }
  EXPECT_TRUE(nlohmann::ordered_json::parse(json_schema(tree))["properties"].contains("$schema"));
}

TEST_F(Config, EffectiveValuesAreAValidConfiguration) {
  p.smoother.colour = Colour::green;
  p.tolerance = 0.1;
  const std::string text = to_json(ParameterTree(p).values());
  const auto written = nlohmann::ordered_json::parse(text);
  OuterParameters q;
  ParameterTree again(q);
  set_from_json(again, text, "written");
  EXPECT_EQ(to_json(again.values()), text);
  EXPECT_EQ(q.tolerance, 0.1);
  EXPECT_EQ(written["smoother"]["colour"], "green");
}

TEST_F(ParameterTreeTest, HasASchemaThatDescribesEveryParameter) {
  const auto schema = nlohmann::ordered_json::parse(json_schema(ParameterTree(p)));
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["verbose"]["type"], "boolean");
  EXPECT_EQ(schema["properties"]["tolerance"]["minimum"], 0.0);
  EXPECT_FALSE(schema["properties"]["tolerance"].contains("maximum"));
  const auto& smoother = schema["properties"]["smoother"];
  EXPECT_EQ(smoother["type"], "object");
  EXPECT_EQ(smoother["properties"]["sweeps"]["maximum"], 100);
  EXPECT_EQ(smoother["properties"]["colour"]["enum"], (nlohmann::ordered_json{"red", "green"}));
  EXPECT_EQ(smoother["properties"]["colour"]["default"], "red");
}

TEST_F(ParameterTreeTest, HasATableThatNamesKeysDefaultsAndMeanings) {
  const std::string table = parameter_table(ParameterTree(p));
  for (const char* part : {"smoother.sweeps = 1", "how many sweeps", "from 1 to 100",
                           "the colour red", "smoother: the smoother"}) {
    expect_contains(table, part);
  }
}

TEST(ParametersFromJson, AreDefaultsButForWhatTheTextHolds) {
  const auto p = parameters_from_json<OuterParameters>(
      R"({"tolerance": 0.25, "smoother": {"colour": "green"}, "smoother.sweeps": 7})");
  EXPECT_FALSE(p.verbose);
  EXPECT_EQ(p.tolerance, 0.25);
  EXPECT_EQ(p.smoother.sweeps, 7);
  EXPECT_EQ(p.smoother.omega, 1.5);
  EXPECT_EQ(p.smoother.colour, Colour::green);
  EXPECT_EQ(parameters_from_json<OuterParameters>("{}").tolerance, 1e-8);
  for (const char* wrong : {"", "[]", "{\"tolerence\": 1}", "{\"tolerance\": -1}", "{", "1"}) {
    const std::string message = test::message_of(ErrorKind::configuration, [&] {
      parameters_from_json<OuterParameters>(wrong, "settings");
    });
    expect_contains(message, "settings");
  }
  test::message_of(ErrorKind::configuration,
                   [] { parameters_from_json_file<OuterParameters>("no such file.json"); });
}

}  // namespace parameter_tree_test
}  // namespace tessera::parameters
