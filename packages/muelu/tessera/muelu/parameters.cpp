// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/muelu/parameters.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/parameters/parameter_tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tessera::muelu {
namespace {

using parameters::ParameterValue;
using Teuchos::ParameterEntry;
using Teuchos::ParameterList;

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorKind::configuration, message);
}

std::string quoted(const std::string& name) { return "MueLu's '" + name + "'"; }

/// Sets Tessera's parameters by what MueLu's say, and calls these by their names where one is
/// wrong.
class Conversion {
 public:
  Conversion(parameters::ParameterTree& tree, const ParameterList& list)
      : m_tree(tree), m_list(list) {}

  template <class T>
  T value(const std::string& name) const {
    const ParameterEntry& entry = m_list.getEntry(name);
    if (!entry.isType<T>())
      fail(quoted(name) + " has the type " + entry.getAny(false).typeName() + ", expected " +
           Teuchos::TypeNameTraits<T>::name());
    return Teuchos::getValue<T>(entry);
  }
  template <class T>
  T value_or(const std::string& name, const T& otherwise) const {
    return m_list.isParameter(name) ? value<T>(name) : otherwise;
  }
  double number(const std::string& name) const {
    if (m_list.getEntry(name).isType<int>()) return value<int>(name);
    return value<double>(name);
  }

  void set(const std::string& name, const std::string& key, const ParameterValue& value) {
    m_tree.set(key, value, quoted(name));
  }
  /// Sets what the string that `name` holds stands for.
  void choose(const std::string& name, const std::string& key,
              const std::map<std::string, std::string>& choices) {
    const auto found = choices.find(value<std::string>(name));
    if (found != choices.end()) return set(name, key, found->second);
    std::vector<std::string> known;
    for (const auto& choice : choices)
      known.push_back(choice.first);
    refuse(name, known);
  }
  /// Throws unless it holds one of those values, which ask for nothing.
  void accept(const std::string& name, const std::vector<std::string>& values) const {
    const auto given = value<std::string>(name);
    if (std::find(values.begin(), values.end(), given) == values.end()) refuse(name, values);
  }
  void accept(const std::string& name, bool expected, const std::string& why) const {
    if (value<bool>(name) != expected)
      fail(quoted(name) + " must be " + (expected ? "true" : "false") + " here: " + why);
  }
  [[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& known) const {
    fail(quoted(name) + " = '" + value<std::string>(name) +
         "' has nothing like it in Tessera; there are: " + parameters::join_names(known));
  }

  const ParameterList& list() const { return m_list; }
  parameters::ParameterTree& tree() { return m_tree; }

 private:
  parameters::ParameterTree& m_tree;
  const ParameterList& m_list;
};

using Rule = std::function<void(Conversion&, const std::string&)>;
using Rules = std::map<std::string, Rule>;

/// Does what the rules say of each name in the list.
void follow(const Rules& rules, Conversion& conversion) {
  std::vector<std::string> known;
  for (const auto& rule : rules)
    known.push_back(rule.first);
  const ParameterList& list = conversion.list();
  for (auto item = list.begin(); item != list.end(); ++item) {
    const std::string& name = list.name(item);
    const auto rule = rules.find(name);
    if (rule == rules.end()) {
      const std::string hint = parameters::did_you_mean(name, known);
      fail(quoted(name) + " in '" + list.name() + "' has nothing like it in Tessera" +
           (hint.empty() ? "; there are: " + parameters::join_names(known) : hint));
    }
    rule->second(conversion, name);
  }
}

void nothing(Conversion&, const std::string&) {}

Rule whole(const std::string& key) {
  return [key](Conversion& c, const std::string& name) { c.set(name, key, c.value<int>(name)); };
}
Rule real(const std::string& key) {
  return [key](Conversion& c, const std::string& name) { c.set(name, key, c.number(name)); };
}
Rule choice(const std::string& key, const std::map<std::string, std::string>& choices) {
  return [key, choices](Conversion& c, const std::string& name) { c.choose(name, key, choices); };
}
Rule only(const std::vector<std::string>& values) {
  return [values](Conversion& c, const std::string& name) { c.accept(name, values); };
}
Rule only(bool expected, const std::string& why) {
  return [expected, why](Conversion& c, const std::string& name) { c.accept(name, expected, why); };
}

/// "smoother: params" of a Jacobi relaxation of Ifpack2.
void jacobi(Conversion& c) {
  const std::string type = "relaxation: type";
  const std::string l1 = "relaxation: use l1";
  const Rules rules{{type, only({"Jacobi"})},
                    {"relaxation: sweeps", whole("amg.smoother.sweeps")},
                    {"relaxation: damping factor", real("amg.smoother.jacobi.omega")},
                    {l1, [](Conversion& own, const std::string& name) { own.value<bool>(name); }}};
  const bool is_jacobi = c.list().isParameter(type) && c.value<std::string>(type) == "Jacobi";
  if (c.list().isParameter(type) && !is_jacobi)
    fail(quoted(type) + " = '" + c.value<std::string>(type) +
         "' has nothing like it in Tessera that relaxes rows of several processes; there are: "
         "'Jacobi', with 'relaxation: use l1' or not, and the smoother "
         "'CHEBYSHEV'");
  follow(rules, c);
  if (c.value_or(l1, false)) {
    c.set(l1, "amg.smoother.type", std::string("l1_jacobi"));
  } else {
    c.set(type, "amg.smoother.type", std::string("jacobi"));
    c.set(type, "amg.smoother.jacobi.omega_over_radius", false);
    if (!c.list().isParameter("relaxation: damping factor"))
      c.set(type, "amg.smoother.jacobi.omega", 1.0);  // Ifpack2's default
  }
}

void smoother(Conversion& c, const std::string& name) {
  const auto type = c.value<std::string>(name);
  const ParameterList none("smoother: params");
  const ParameterList& given =
      c.list().isSublist("smoother: params") ? c.list().sublist("smoother: params") : none;
  Conversion own(c.tree(), given);
  if (type == "RELAXATION") {
    jacobi(own);
  } else if (type == "CHEBYSHEV") {
    c.set(name, "amg.smoother.type", std::string("chebyshev"));
    follow({{"chebyshev: degree", whole("amg.smoother.chebyshev.degree")},
            {"chebyshev: ratio eigenvalue", real("amg.smoother.chebyshev.eigenvalue_ratio")}},
           own);
  } else {
    c.refuse(name, {"RELAXATION", "CHEBYSHEV"});
  }
}

void coarse_type(Conversion& c, const std::string& name) {
  const auto type = c.value<std::string>(name);
  const std::vector<std::string> direct{"KLU",          "KLU2",    "Klu",     "SuperLU", "Superlu",
                                        "SuperLU_dist", "Umfpack", "Mumps",   "Cholmod", "Tacho",
                                        "Basker",       "Lapack",  "Amesos2", "direct"};
  if (std::find(direct.begin(), direct.end(), type) != direct.end())
    return c.set(name, "amg.coarse_sweeps", 0);
  const bool is_relaxed = type == "RELAXATION" || type == "CHEBYSHEV";
  if (!is_relaxed) {
    auto known = direct;
    known.insert(known.end(), {"RELAXATION", "CHEBYSHEV"});
    c.refuse(name, known);
  }
  if (c.value_or<std::string>("smoother: type", "") != type || c.list().isSublist("coarse: params"))
    fail(quoted(name) + " = '" + type +
         "' must be the 'smoother: type', without 'coarse: params' of its own: Tessera relaxes the "
         "coarsest level as the others, or solves it");
  c.set(name, "amg.coarse_sweeps", 1);
}

void drop_tolerance(Conversion& c, const std::string& name) {
  c.set(name, "amg.smoothed_aggregation.strength_measure", std::string("diagonal"));
  c.set(name, "amg.smoothed_aggregation.strength_threshold", c.number(name));
  if (c.number(name) < 0) fail(quoted(name) + " is below 0");
  const bool halves = c.value_or("aggregation: use ml scaling of drop tol", false);
  c.set(name, "amg.smoothed_aggregation.strength_scaling", halves ? 0.5 : 1.0);
}

void algorithm(Conversion& c, const std::string& name) {
  const auto given = c.value<std::string>(name);
  if (given != "sa" && given != "unsmoothed") c.refuse(name, {"sa", "unsmoothed"});
  c.set(name, "amg.coarsening", std::string("smoothed_aggregation"));
  if (given == "unsmoothed") c.set(name, "amg.smoothed_aggregation.prolongator_omega", 0.0);
}

void damping(Conversion& c, const std::string& name) {
  const bool is_smoothed = c.value_or<std::string>("multigrid algorithm", "sa") == "sa";
  const double factor = c.number(name);
  if (is_smoothed) c.set(name, "amg.smoothed_aggregation.prolongator_omega", factor);
}

void flag(Conversion& c, const std::string& name) { c.value<bool>(name); }

const Rules& rules() {
  static const Rules all{
      {"multigrid algorithm", algorithm},
      {"max levels", whole("amg.max_levels")},
      {"cycle type", choice("amg.cycle", {{"V", "v"}, {"W", "w"}})},
      {"number of equations", whole("block_size")},
      {"problem: symmetric",
       [](Conversion& c, const std::string& name) {
         c.set(name, "amg.symmetry", std::string(c.value<bool>(name) ? "symmetric" : "general"));
       }},
      {"problem: type", only({"unknown"})},
      {"aggregation: type", choice("amg.smoothed_aggregation.aggregation",
                                   {{"uncoupled", "auto"}, {"structured", "structured"}})},
      {"aggregation: drop tol", drop_tolerance},
      {"aggregation: use ml scaling of drop tol", flag},
      {"aggregation: drop scheme", only({"classical"})},
      {"sa: damping factor", damping},
      {"sa: eigenvalue estimate num iterations", whole("amg.spectral_radius_steps")},
      {"sa: use filtered matrix", only(true, "prolongators are smoothed without weak couplings")},
      {"smoother: type", smoother},
      {"smoother: params",
       [](Conversion& c, const std::string& name) {
         if (!c.list().isParameter("smoother: type"))
           fail(quoted(name) + " needs a 'smoother: type'; MueLu's default is not Tessera's");
       }},
      {"smoother: pre or post", only({"both"})},
      {"coarse: max size", whole("amg.coarse_size")},
      {"coarse: type", coarse_type},
      {"reuse: type",
       choice(
           "amg.reuse",
           {{"none", "none"}, {"tP", "symbolic"}, {"RP", "interpolation"}, {"full", "hierarchy"}})},
      {"nullspace: calculate rotations",
       [](Conversion& c, const std::string& name) {
         c.set(name, "rigid_body_modes", c.value<bool>(name));
       }},
      {"half precision",
       [](Conversion& c, const std::string& name) {
         c.set(name, "precision", std::string(c.value<bool>(name) ? "float" : "same"));
       }},
      {"repartition: enable", only(false, "Tessera gathers small levels on process 0")},
      {"parameterlist: syntax", only({"muelu"})},
      // What is printed, and how the same is computed.
      {"verbosity", nothing},
      {"print initial parameters", nothing},
      {"print unused parameters", nothing},
      {"hierarchy label", nothing},
      {"transpose: use implicit", nothing},
      {"fuse prolongation and update", nothing},
      {"rap: triple product", nothing},
      {"use kokkos refactor", nothing},
      {"user data", nothing}};
  return all;
}

}  // namespace

tpetra::Parameters parameters_from(const ParameterList& list) {
  tpetra::Parameters converted;
  converted.solve.preconditioner = PreconditionerKind::amg;
  parameters::ParameterTree tree(converted);
  Conversion conversion(tree, list);
  follow(rules(), conversion);
  return converted;
}

}  // namespace tessera::muelu
