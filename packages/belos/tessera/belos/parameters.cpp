// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/parameters.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/parameters/nearest_name.hpp"
#include "tessera/tpetra/parameter_list.hpp"

#include <Teuchos_StandardParameterEntryValidators.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tessera::belos {
namespace {

/// Belos's name and Tessera's.
constexpr std::pair<const char*, const char*> renamed[] = {
    {"Convergence Tolerance", "solver.tolerance"},
    {"Maximum Iterations", "solver.max_iterations"},
    {"Num Blocks", "solver.gmres.restart"}};

tpetra::Parameters defaults(SolverKind kind) {
  tpetra::Parameters p;
  p.apply = tpetra::Application::solve;
  p.solve.precision = Precision::automatic;  // the method around the preconditioner is Tessera's
  if (is_single_kernel(kind)) {
    const bool is_cg = kind == SolverKind::single_kernel_cg;
    p.solve.solver.name = is_cg ? SolverName::cg : SolverName::bicgstab;
    p.solve.solver.single_kernel = SingleKernel::on;
    p.solve.preconditioner = PreconditionerKind::none;
  }
  return p;
}

/// A parameter whose values are not all of use in one kernel.
struct Narrowed {
  std::string key;
  std::vector<std::string> values;
};

/// Those of the kind. Of a nullspace that is there setup alone knows.
std::vector<Narrowed> narrowed(SolverKind kind) {
  if (!is_single_kernel(kind)) return {};
  const bool is_cg = kind == SolverKind::single_kernel_cg;
  std::vector<Narrowed> all{{"apply", {"solve"}},
                            {"preconditioner", {"none", "jacobi", "block_jacobi", "ilu", "amg"}},
                            {"solver.name", {is_cg ? "cg" : "bicgstab"}},
                            {"solver.residual", {"recurrence"}},
                            {"solver.nullspace", {"auto", "none"}},
                            {"solver.single_kernel", {"on"}}};
  if (!is_cg) all.push_back({"solver.side", {"right"}});
  return all;
}

void require_narrowed(const parameters::ParameterTree& tree, SolverKind kind,
                      const std::string& source) {
  for (const Narrowed& narrow : narrowed(kind)) {
    for (const auto& parameter : tree.parameters()) {
      if (parameter.key != narrow.key) continue;
      const std::string value = parameters::to_text(parameter.get());
      if (std::ranges::count(narrow.values, value) == 0)
        throw Error(ErrorKind::configuration,
                    "parameter list '" + source + "': parameter '" + narrow.key + "' is '" + value +
                        "', which the solver " + name_of(kind) +
                        " does not take; it takes: " + parameters::join_names(narrow.values));
    }
  }
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

Parameters parameters_from(const Teuchos::ParameterList& list, SolverKind kind) {
  Parameters p{.tessera = defaults(kind)};
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
  require_narrowed(tree, kind, list.name());
  return p;
}

Teuchos::ParameterList valid_parameters(SolverKind kind) {
  tpetra::Parameters p = defaults(kind);
  const parameters::ParameterTree tree(p);
  Teuchos::ParameterList list = tpetra::valid_parameter_list(tree, name_of(kind));
  for (const Narrowed& narrow : narrowed(kind)) {
    const auto dot = narrow.key.find('.');
    Teuchos::ParameterList& section =
        dot == std::string::npos ? list : list.sublist(narrow.key.substr(0, dot));
    section.getEntry(narrow.key.substr(dot + 1))
        .setValidator(
            Teuchos::rcp(new Teuchos::StringValidator(Teuchos::Array<std::string>(narrow.values))));
  }
  list.set("Verbosity", 0, "what is printed: a sum of Belos::MsgType");
  list.set("Output Frequency", -1, "a line every so many iterations; -1: none");
  list.sublist(
          "user data", false,
          "\"Nullspace\" and \"Coordinates\", each a Teuchos::RCP<Tpetra::MultiVector<double>>")
      .disableRecursiveValidation();
  return list;
}

}  // namespace tessera::belos
