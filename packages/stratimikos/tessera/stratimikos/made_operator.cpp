// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/stratimikos/made_operator.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/tpetra/operator.hpp"
#include "tessera/tpetra/parameter_list.hpp"

#if defined(TESSERA_HAVE_HYBRID)
#include "tessera/hybrid/operator.hpp"
#endif

#include <Teuchos_StandardParameterEntryValidators.hpp>

#include <string>

namespace tessera::stratimikos {
namespace {

enum class Setup { tessera, muelu };

constexpr EnumName<Setup> setup_names[] = {
    {Setup::tessera, "tessera", "Tessera's own levels"},
    {Setup::muelu, "muelu",
     "MueLu's, by the sublist \"MueLu\"; the other parameters are then precision, and of amg "
     "cycle, symmetry, spectral_radius_steps, smoother, storage and levels"}};

/// What stands beside the parameters of either setup.
struct SetupParameters {
  Setup setup = Setup::tessera;
};

template <class Visitor>
void describe_parameters(Visitor& visit, SetupParameters& p) {
  visit("setup", p.setup, "who makes the levels", EnumNames<Setup>(setup_names));
}

/// The list without "setup", and what that says.
struct Choice {
  Setup setup = Setup::tessera;
  Teuchos::ParameterList others;
};

Choice choice_of(const Teuchos::ParameterList& list) {
  Choice choice{Setup::tessera, list};
  choice.others.remove("VerboseObject", false);
  if (list.isParameter("setup")) {
    Teuchos::ParameterList alone(list.name());
    alone.setEntry("setup", list.getEntry("setup"));
    SetupParameters p;
    parameters::ParameterTree tree(p);
    tpetra::set_from_parameter_list(tree, alone);
    choice.setup = p.setup;
    choice.others.remove("setup");
  }
  if (choice.setup == Setup::muelu) {
#if !defined(TESSERA_HAVE_HYBRID)
    throw Error(
        ErrorKind::configuration,
        list.name() + ": 'setup' = 'muelu' needs Tessera's component hybrid, which was not built");
#endif
    return choice;
  }
  // Stratimikos's own list of defaults has the sublist, empty.
  if (choice.others.isSublist("MueLu") && choice.others.sublist("MueLu").numParams() > 0)
    throw Error(
        ErrorKind::configuration,
        list.name() + ": the sublist 'MueLu' is for 'setup' = 'muelu', and it is 'tessera'");
  choice.others.remove("MueLu", false);
  return choice;
}

tpetra::Parameters own_parameters(const Teuchos::ParameterList& list) {
  tpetra::Parameters parameters;
  parameters::ParameterTree tree(parameters);
  tpetra::set_from_parameter_list(tree, list, {"user data"});
  return parameters;
}

}  // namespace

MadeOperator make_operator(const Teuchos::RCP<const MadeOperator::Matrix>& A,
                           const Teuchos::ParameterList& list) {
  const Choice choice = choice_of(list);
#if defined(TESSERA_HAVE_HYBRID)
  if (choice.setup == Setup::muelu) {
    const auto made = hybrid::CreateTesseraPreconditioner(A, choice.others);
    return {made, [made = made.get()](const auto& now) {
              hybrid::ReuseTesseraPreconditioner(now, *made);
            }};
  }
#endif
  const auto made = Teuchos::rcp(new tpetra::Operator<>(A, choice.others));
  return {made, [made = made.get()](const auto& now) { made->update(now); }};
}

bool check_for_reuse(const Teuchos::ParameterList& list) {
  const Choice choice = choice_of(list);
#if defined(TESSERA_HAVE_HYBRID)
  if (choice.setup == Setup::muelu) {
    hybrid::Parameters parameters;
    parameters::ParameterTree tree(parameters);
    tpetra::set_from_parameter_list(tree, choice.others, {"user data", "MueLu"});
    if (!choice.others.isSublist("MueLu")) return false;
    const auto& muelu = choice.others.sublist("MueLu");
    return muelu.isType<std::string>("reuse: type") &&
           muelu.get<std::string>("reuse: type") != "none";
  }
#endif
  return own_parameters(choice.others).solve.amg.reuse != amg::Reuse::none;
}

Teuchos::ParameterList valid_parameters() {
  SetupParameters setup;
  tpetra::Parameters defaults;
  auto valid = tpetra::valid_parameter_list(parameters::ParameterTree(defaults), "Tessera");
  const auto who = tpetra::valid_parameter_list(parameters::ParameterTree(setup), "Tessera");
  valid.setEntry("setup", who.getEntry("setup"));
  valid.sublist("MueLu", false, "MueLu's parameters, where 'setup' is 'muelu'")
      .disableRecursiveValidation();
  valid
      .sublist(
          "user data", false,
          "\"Nullspace\" and \"Coordinates\", each a Teuchos::RCP<Tpetra::MultiVector<double>>")
      .disableRecursiveValidation();
  return valid;
}

}  // namespace tessera::stratimikos
