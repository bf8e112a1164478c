// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/parameters.hpp"

#include "tessera/core/error.hpp"
#include "tessera/tpetra/parameter_list.hpp"

#include <string>
#include <utility>

namespace tessera::belos {
namespace {

/// Belos's name and Tessera's.
constexpr std::pair<const char*, const char*> renamed[] = {
    {"Convergence Tolerance", "solver.tolerance"},
    {"Maximum Iterations", "solver.max_iterations"},
    {"Num Blocks", "solver.restart"}};

tpetra::Parameters defaults() {
  tpetra::Parameters p;
  p.apply = tpetra::Application::solve;
  p.solve.precision = Precision::automatic;  // the method around the preconditioner is Tessera's
  return p;
}

/// Takes the parameter out of the list; `value` stays where there is none.
void take(Teuchos::ParameterList& list, const std::string& name, int& value) {
  if (!list.isParameter(name)) return;
  if (!list.isType<int>(name))
    throw Error(ErrorKind::configuration,
                "parameter list '" + list.name() + "': parameter '" + name + "' must be an int");
  value = list.get<int>(name);
  list.remove(name);
}

}  // namespace

Parameters parameters_from(const Teuchos::ParameterList& list) {
  Parameters p{.tessera = defaults()};
  Teuchos::ParameterList own(list);
  take(own, "Verbosity", p.verbosity);
  take(own, "Output Frequency", p.output_frequency);
  own.remove("Output Style", false);
  own.remove("Timer Label", false);
  for (const auto& [theirs, ours] : renamed) {
    if (!own.isParameter(theirs)) continue;
    if (own.isParameter(ours))
      throw Error(ErrorKind::configuration, "parameter list '" + list.name() + "': '" + theirs +
                                                "' and '" + ours + "' are the same parameter");
    own.setEntry(ours, own.getEntry(theirs));
    own.remove(theirs);
  }
  parameters::ParameterTree tree(p.tessera);
  tpetra::set_from_parameter_list(tree, own, {"user data"});
  return p;
}

Teuchos::ParameterList valid_parameters() {
  tpetra::Parameters p = defaults();
  const parameters::ParameterTree tree(p);
  Teuchos::ParameterList list = tpetra::valid_parameter_list(tree, "TESSERA");
  list.set("Verbosity", 0, "what is printed: a sum of Belos::MsgType");
  list.set("Output Frequency", -1, "a line every so many iterations; -1: none");
  list.sublist(
          "user data", false,
          "\"Nullspace\" and \"Coordinates\", each a Teuchos::RCP<Tpetra::MultiVector<double>>")
      .disableRecursiveValidation();
  return list;
}

}  // namespace tessera::belos
