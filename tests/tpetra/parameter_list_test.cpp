// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/parameter_list.hpp"

#include "support/error_of.hpp"
#include "tessera/parameters/moved_names.hpp"
#include "tessera/tpetra/parameters.hpp"

#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <Teuchos_XMLParameterListHelpers.hpp>

namespace tessera::test::parameter_list_test {

using parameters::ParameterTree;
using tpetra::set_from_parameter_list;

tpetra::Parameters parameters_from(const Teuchos::ParameterList& list) {
  tpetra::Parameters parameters;
  ParameterTree tree(parameters);
  set_from_parameter_list(tree, list, {"user data"});
  return parameters;
}

/// The error of a list that `fill` makes.
template <class Fill>
std::optional<Error> error_from(const Fill& fill) {
  Teuchos::ParameterList list("Tessera");
  fill(list);
  return error_of([&] { parameters_from(list); });
}

TEST(TeuchosParameters, SetByNestedAndDottedNames) {
  Teuchos::ParameterList list;
  list.set("preconditioner", "amg");
  list.set("solver.max_iterations", 17);
  list.sublist("amg").sublist("smoother").set("type", "chebyshev");
  list.sublist("amg").set("smoother.chebyshev.degree", 3);
  list.sublist("solver").set("tolerance", 1e-3);
  list.sublist("user data").set("anything", 1);
  const SolveParameters p = parameters_from(list).solve;
  EXPECT_EQ(p.preconditioner, PreconditionerKind::amg);
  EXPECT_EQ(p.solver.max_iterations, 17);
  EXPECT_EQ(p.solver.tolerance, 1e-3);
  EXPECT_EQ(p.amg.smoother.type, SmootherType::chebyshev);
  EXPECT_EQ(p.amg.smoother.chebyshev.degree, 3);
}

TEST(TeuchosParameters, ConvertWhatLosesNothing) {
  Teuchos::ParameterList list;
  list.set("solver.max_iterations", 40LL);
  list.set("solver.gmres.restart", 20u);
  list.set("solver.time_limit_s", 7);
  list.set("solver.richardson.damping", 0.5f);
  const SolverParameters p = parameters_from(list).solve.solver;
  EXPECT_EQ(p.max_iterations, 40);
  EXPECT_EQ(p.gmres.restart, 20);
  EXPECT_EQ(p.time_limit_s, 7);
  EXPECT_EQ(p.richardson.damping, 0.5);
}

TEST(TeuchosParameters, RefuseOtherTypesAndRanges) {
  const auto refuses = [](const std::string& key, const auto& value,
                          std::initializer_list<std::string> parts) {
    expect_error(error_from([&](auto& list) { list.set(key, value); }), ErrorKind::configuration,
                 parts);
  };
  refuses("solver.max_iterations", std::string("17"),
          {"'Tessera'", "'solver.max_iterations'", "\"17\""});
  refuses("solver.max_iterations", 2.5, {"'solver.max_iterations'", "2.5"});
  refuses("solver.max_iterations", 10'000'000'000LL, {"'solver.max_iterations'"});
  refuses("solver.max_iterations", -1, {"-1", "out of range"});
  refuses("solver.verify", 1, {"true or false"});
  refuses("amg.cycle", std::string("x"), {"'amg.cycle'", "'x'", "one of: v, w, f, k"});
  refuses("amg.cycle", std::vector<int>{1}, {"'amg.cycle'", "has the type", "vector"});
}

TEST(TeuchosParameters, RefuseUnknownNamesWithTheNearest) {
  expect_error(error_from([](auto& list) { list.sublist("amg").set("cycel", "v"); }),
               ErrorKind::configuration, {"'Tessera'", "'amg.cycel'", "did you mean 'amg.cycle'?"});
  expect_error(error_from([](auto& list) { list.sublist("agm").set("cycle", "v"); }),
               ErrorKind::configuration, {"'agm"});
  expect_error(error_from([](auto& list) { list.sublist("sovler"); }), ErrorKind::configuration,
               {"'sovler'"});
  expect_error(error_from([](auto& list) { list.set("amg", 3); }), ErrorKind::configuration,
               {"'amg' is a section"});
  expect_error(error_from([](auto& list) { list.sublist("precision").set("x", 3); }),
               ErrorKind::configuration, {"'precision' is a parameter, not a sublist"});
  expect_error(error_from([](auto& list) {
                 list.set("amg.cycle", "v");
                 list.sublist("amg").set("cycle", "v");
               }),
               ErrorKind::configuration, {"'amg.cycle' is given twice"});
}

/// As a list's error names it: "'Tessera': before is now now".
std::string moved(const std::string& before, const std::string& now) {
  return "'Tessera': " + before + " is now " + now;
}

TEST(TeuchosParameters, RefuseOldNamesWithTheNewOnes) {
  for (const parameters::MovedKey& row : parameters::moved_keys()) {
    const bool is_smoothers = row.before.starts_with("smoother.");
    const std::string section = is_smoothers ? "amg." : "";
    const std::string before = section + std::string(row.before);
    const std::string message = moved(before, section + std::string(row.now));
    expect_error(error_from([&](auto& list) { list.set(before, 1); }), ErrorKind::configuration,
                 {message});
    expect_error(error_from([&](auto& list) {
                   auto& outer = is_smoothers ? list.sublist("amg") : list;
                   const auto dot = row.before.find('.');
                   outer.sublist(std::string(row.before.substr(0, dot)))
                       .set(std::string(row.before.substr(dot + 1)), 1);
                 }),
                 ErrorKind::configuration, {message});
    if (!is_smoothers) continue;
    expect_error(
        error_from([&](auto& list) {
          auto& level = list.sublist("amg").sublist("levels").sublist("0");
          level.set(std::string(row.before), 1);
        }),
        ErrorKind::configuration,
        {moved("amg.levels.0." + std::string(row.before), "amg.levels.0." + std::string(row.now))});
  }
  for (const parameters::MovedValue& row : parameters::moved_values()) {
    const std::string key(row.key), before(row.before), now(row.now);
    expect_error(error_from([&](auto& list) { list.set(key, before); }), ErrorKind::configuration,
                 {"'" + key + "': " + before + " is now " + now});
  }
}

TEST(TeuchosParameters, SetChoicesByLevel) {
  Teuchos::ParameterList list;
  auto& levels = list.sublist("amg").sublist("levels");
  levels.sublist("1").sublist("smoother").sublist("chebyshev").set("degree", 4);
  levels.sublist("0").sublist("smoother").set("type", "chebyshev");
  list.set("amg.smoother.sweeps", 2);  // what the first element starts from
  const auto p = parameters_from(list).solve.amg;
  ASSERT_EQ(p.levels.size(), 2u);
  EXPECT_EQ(p.levels[0].smoother.type, SmootherType::chebyshev);
  EXPECT_EQ(p.levels[0].smoother.sweeps, 2);
  EXPECT_EQ(p.levels[1].smoother.type, SmootherType::chebyshev);
  EXPECT_EQ(p.levels[1].smoother.chebyshev.degree, 4);
  expect_error(
      error_from([](auto& list) { list.set("amg.levels.1.smoother.chebyshev.degree", 4); }),
      ErrorKind::configuration, {"amg.levels"});
}

/// The valid list is one that sets every parameter to its default, also by way of XML.
TEST(TeuchosParameters, AreAllInTheValidList) {
  tpetra::Parameters defaults;
  const ParameterTree tree(defaults);
  const Teuchos::ParameterList valid = tpetra::valid_parameter_list(tree, "Tessera");
  for (const auto& parameter : tree.parameters()) {
    const Teuchos::ParameterList* here = &valid;
    std::string name = parameter.key;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.')) {
      ASSERT_TRUE(here->isSublist(name.substr(0, dot))) << parameter.key;
      here = &here->sublist(name.substr(0, dot));
      name = name.substr(dot + 1);
    }
    ASSERT_TRUE(here->isParameter(name)) << parameter.key;
    EXPECT_EQ(here->getEntry(name).docString().find(parameter.text), 0u) << parameter.key;
  }
  std::ostringstream xml;
  Teuchos::writeParameterListToXmlOStream(valid, xml);
  const auto read = Teuchos::getParametersFromXmlString(xml.str());
  tpetra::Parameters set;
  set.solve.solver.max_iterations = 3;
  set.apply = tpetra::Application::solve;
  ParameterTree set_tree(set);
  set_from_parameter_list(set_tree, *read);
  EXPECT_EQ(set_tree.values(), tree.values());
  EXPECT_NO_THROW(Teuchos::ParameterList(*read).validateParameters(valid));
  Teuchos::ParameterList wrong("Tessera");
  wrong.sublist("solver").set("tolerance", 7.0);
  EXPECT_ANY_THROW(wrong.validateParameters(valid));
}

}  // namespace tessera::test::parameter_list_test
