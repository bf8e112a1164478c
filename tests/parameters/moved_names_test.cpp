// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What had another name is an error that names the new one, whatever it comes in by.
#include "tessera/parameters/moved_names.hpp"

#include "support/error_of.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

namespace tessera::parameters::moved_names_test {

/// A whole key and one of its values.
struct Case {
  std::string before;
  std::string now;
  std::string value;
};

const std::vector<Case> cases{
    {"amg.smoother.omega", "amg.smoother.jacobi.omega", "0.5"},
    {"amg.smoother.omega_over_radius", "amg.smoother.jacobi.omega_over_radius", "false"},
    {"amg.smoother.degree", "amg.smoother.chebyshev.degree", "3"},
    {"amg.smoother.eigenvalue_ratio", "amg.smoother.chebyshev.eigenvalue_ratio", "12"},
    {"amg.levels.0.smoother.omega", "amg.levels.0.smoother.jacobi.omega", "0.5"},
    {"amg.levels.0.smoother.omega_over_radius", "amg.levels.0.smoother.jacobi.omega_over_radius",
     "false"},
    {"amg.levels.0.smoother.degree", "amg.levels.0.smoother.chebyshev.degree", "3"},
    {"amg.levels.0.smoother.eigenvalue_ratio", "amg.levels.0.smoother.chebyshev.eigenvalue_ratio",
     "12"},
    {"solver.flexible", "solver.cg.flexible", "true"},
    {"solver.restart", "solver.gmres.restart", "30"},
    {"solver.damping", "solver.richardson.damping", "0.5"},
    {"solver.stagnation_window", "solver.richardson.stagnation_window", "20"}};

/// The error of setting a key of a new `SolveParameters` by `set(tree)`.
template <class Set>
std::string message_of(const Set& set) {
  SolveParameters p;
  ParameterTree tree(p);
  const auto error = test::error_of([&] { set(tree); });
  test::expect_error(error, ErrorKind::configuration, {});
  return error ? error->what() : "";
}

/// {"a": {"b": value}} of "a.b", each part a name.
std::string nested(const std::string& key, const std::string& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return "{\"" + key + "\": " + value + "}";
  return "{\"" + key.substr(0, dot) + "\": " + nested(key.substr(dot + 1), value) + "}";
}

std::string value_of(const ParameterTree& tree, const std::string& key) {
  for (const auto& [name, value] : tree.values()) {
    if (name == key) return to_text(value);
  }
  return "not there";
}

TEST(MovedNames, HaveACaseEach) {
  for (const MovedKey& moved : moved_keys()) {
    const auto is_of_row = [&](const Case& c) {
      return c.before.ends_with("." + std::string(moved.before)) || c.before == moved.before;
    };
    EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), is_of_row)) << moved.before;
  }
}

TEST(MovedNames, AreNamedInText) {
  for (const Case& c : cases) {
    EXPECT_EQ(message_of([&](auto& tree) { tree.set_text(c.before, c.value, "-p"); }),
              "-p: " + c.before + " is now " + c.now);
  }
}

TEST(MovedNames, AreNamedInAFile) {
  for (const Case& c : cases) {
    const std::string expected = "c.json: " + c.before + " is now " + c.now;
    EXPECT_EQ(message_of([&](auto& tree) {
                set_from_json(tree, "{\"" + c.before + "\": " + c.value + "}", "c.json");
              }),
              expected);
    EXPECT_EQ(
        message_of([&](auto& tree) { set_from_json(tree, nested(c.before, c.value), "c.json"); }),
        expected);
  }
  EXPECT_EQ(message_of([](auto& tree) {
              set_from_json(tree, R"({"amg": {"levels": [{}, {"smoother": {"degree": 3}}]}})",
                            "c.json");
            }),
            "c.json: amg.levels.1.smoother.degree is now amg.levels.1.smoother.chebyshev.degree");
}

TEST(MovedNames, AreThereUnderTheNewOnes) {
  for (const Case& c : cases) {
    SolveParameters p;
    ParameterTree tree(p);
    tree.set_text(c.now, c.value, "-p");
    EXPECT_EQ(value_of(tree, c.now), c.value) << c.now;
    SolveParameters q;
    ParameterTree other(q);
    set_from_json(other, nested(c.now, c.value), "c.json");
    EXPECT_EQ(value_of(other, c.now), c.value) << c.now;
  }
}

TEST(MovedNames, AreThoseOfTheirSectionsAlone) {
  EXPECT_EQ(moved_key("presolver.restart"), "") << "a section that ends alike";
  EXPECT_EQ(moved_key("solver.restarts"), "");
  EXPECT_EQ(moved_key("degree"), "");
  EXPECT_EQ(moved_key("solver.gmres.restart"), "");
  SolverParameters p;
  ParameterTree tree(p);
  const auto error = test::error_of([&] { tree.set_text("solver.restart", "3", "-p"); });
  ASSERT_TRUE(error) << "a tree without that section";
  EXPECT_EQ(std::string(error->what()).find("is now"), std::string::npos) << error->what();
}

TEST(MovedNames, AreKnownWhereTheyAreMisspelt) {
  const auto hint = [](const std::string& key) {
    return message_of([&](auto& tree) { tree.set_text(key, "3", "-p"); });
  };
  EXPECT_EQ(hint("amg.smoother.degre"),
            "-p: unknown parameter 'amg.smoother.degre'; did you mean "
            "'amg.smoother.chebyshev.degree'?");
  EXPECT_EQ(hint("solver.restrat"),
            "-p: unknown parameter 'solver.restrat'; did you mean 'solver.gmres.restart'?");
  EXPECT_EQ(hint("amg.levels.0.smoother.omga"),
            "-p: unknown parameter 'amg.levels.0.smoother.omga'; did you mean "
            "'amg.levels.0.smoother.jacobi.omega'?");
  EXPECT_EQ(hint("solver.residul"),
            "-p: unknown parameter 'solver.residul'; did you mean 'solver.residual'?");
}

TEST(MovedNames, OfValuesAreNamed) {
  for (const MovedValue& moved : moved_values()) {
    const std::string key(moved.key), before(moved.before), now(moved.now);
    EXPECT_EQ(message_of([&](auto& tree) { tree.set_text(key, before, "-p"); }),
              "-p: parameter '" + key + "': " + before + " is now " + now);
    EXPECT_EQ(message_of([&](auto& tree) { tree.set(key, ParameterValue(before), "list"); }),
              "list: parameter '" + key + "': " + before + " is now " + now);
    SolveParameters p;
    ParameterTree tree(p);
    tree.set_text(key, now, "-p");
    EXPECT_EQ(value_of(tree, key), now);
    EXPECT_EQ(moved_value("amg.cycle", before), "") << "another parameter's";
  }
  EXPECT_EQ(moved_value("solver.tiles", "falling"), "dynamic");
}

}  // namespace tessera::parameters::moved_names_test
