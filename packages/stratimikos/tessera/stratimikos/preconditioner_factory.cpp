// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/stratimikos/preconditioner_factory.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/stratimikos/enable_tessera.hpp"
#include "tessera/tpetra/operator.hpp"
#include "tessera/tpetra/parameter_list.hpp"

#include <Teuchos_AbstractFactoryStd.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_VerboseObjectParameterListHelpers.hpp>
#include <Thyra_DefaultPreconditioner.hpp>
#include <Thyra_TpetraLinearOp.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Operator.hpp>

#include <functional>

namespace tessera::stratimikos {

/// A preconditioner, and how it takes the new values of a matrix.
struct MadeOperator {
  using Operator = Tpetra::Operator<double>;
  using Matrix = Tpetra::CrsMatrix<double>;

  Teuchos::RCP<Operator> op;
  std::function<void(const Teuchos::RCP<const Matrix>&)> update;
};

/// What the parameter "setup" says: `tessera::tpetra::Operator`, or `tessera::hybrid::Operator`.
/// @throws Error as their constructors do.
MadeOperator make_operator(const Teuchos::RCP<const MadeOperator::Matrix>& A,
                           const Teuchos::ParameterList& list);

/// Whether new values keep anything of what was made by the list. @throws Error of kind
/// configuration for whatever is wrong of the list but for MueLu's own parameters, which MueLu
/// itself checks when it makes the levels.
bool check_for_reuse(const Teuchos::ParameterList& list);

/// Every parameter of both setups, with defaults, meanings and validators.
Teuchos::ParameterList valid_parameters();

}  // namespace tessera::stratimikos

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

namespace {

using Matrix = MadeOperator::Matrix;
using TpetraOperator = MadeOperator::Operator;
using ThyraOperator =
    Thyra::TpetraLinearOp<double, int, Matrix::global_ordinal_type, Matrix::node_type>;

/// What `createPrec` returns: beside the operator, what it was made of and by.
struct TesseraPreconditioner : Thyra::DefaultPreconditioner<double> {
  MadeOperator made;
  Teuchos::ParameterList given;
  Teuchos::RCP<const PreconditionerFactory::Source> forward;
  Thyra::ESupportSolveUse use = Thyra::SUPPORT_SOLVE_UNSPECIFIED;
};

/// The matrix inside, or null.
Teuchos::RCP<const Matrix> matrix_of(const PreconditionerFactory::Source& forward) {
  const auto wrapped = Teuchos::rcp_dynamic_cast<const ThyraOperator>(forward.getOp());
  if (wrapped.is_null()) return Teuchos::null;
  return Teuchos::rcp_dynamic_cast<const Matrix>(wrapped->getConstTpetraOperator());
}

TesseraPreconditioner& own(PreconditionerFactory::Preconditioner* preconditioner) {
  auto* const ours = dynamic_cast<TesseraPreconditioner*>(preconditioner);
  require(ours != nullptr, [] {
    return std::string("the preconditioner was not made by createPrec of Tessera's factory");
  });
  return *ours;
}

}  // namespace

bool PreconditionerFactory::isCompatible(const Source& forward) const {
  return !matrix_of(forward).is_null();
}

Teuchos::RCP<PreconditionerFactory::Preconditioner> PreconditionerFactory::createPrec() const {
  return Teuchos::rcp(new TesseraPreconditioner);
}

void PreconditionerFactory::initializePrec(const Teuchos::RCP<const Source>& forward,
                                           Preconditioner* preconditioner,
                                           Thyra::ESupportSolveUse use) const {
  TesseraPreconditioner& ours = own(preconditioner);
  require(!forward.is_null() && !forward->getOp().is_null(),
          [] { return std::string("the operator to precondition is a null pointer"); });
  const auto matrix = matrix_of(*forward);
  require(!matrix.is_null(), [&] {
    return "the operator to precondition must wrap a Tpetra::CrsMatrix of double, it is: " +
           forward->getOp()->description();
  });
  Teuchos::ParameterList given = m_list.is_null() ? Teuchos::ParameterList("Tessera") : *m_list;
  given.remove("VerboseObject", false);
  if (check_for_reuse(given) && !ours.made.op.is_null() && ours.given == given) {
    ours.made.update(matrix);
  } else {
    ours.made = make_operator(matrix, given);
    ours.given = given;
    ours.initializeUnspecified(
        Thyra::createLinearOp<double, int, Matrix::global_ordinal_type, Matrix::node_type>(
            ours.made.op, forward->getOp()->domain(), forward->getOp()->range()));
  }
  ours.forward = forward;
  ours.use = use;
  const auto out = this->getOStream();
  if (!out.is_null() && Teuchos::includesVerbLevel(this->getVerbLevel(), Teuchos::VERB_LOW))
    ours.made.op->describe(*out, this->getVerbLevel());
}

void PreconditionerFactory::uninitializePrec(Preconditioner* preconditioner,
                                             Teuchos::RCP<const Source>* forward,
                                             Thyra::ESupportSolveUse* use) const {
  TesseraPreconditioner& ours = own(preconditioner);
  if (forward != nullptr) *forward = ours.forward;
  if (use != nullptr) *use = ours.use;
  ours.uninitialize();
  ours.made = {};
  ours.forward = Teuchos::null;
}

void PreconditionerFactory::setParameterList(const Teuchos::RCP<Teuchos::ParameterList>& list) {
  require(!list.is_null(), [] { return std::string("the parameter list is a null pointer"); });
  static_cast<void>(check_for_reuse(*list));
  m_list = list;
  Teuchos::readVerboseObjectSublist(list.get(), this);
}

Teuchos::RCP<Teuchos::ParameterList> PreconditionerFactory::unsetParameterList() {
  const auto list = m_list;
  m_list = Teuchos::null;
  return list;
}

Teuchos::RCP<const Teuchos::ParameterList> PreconditionerFactory::getValidParameters() const {
  const auto valid = Teuchos::rcp(new Teuchos::ParameterList(valid_parameters()));
  Teuchos::setupVerboseObjectSublist(valid.get());
  return valid;
}

void enableTessera(Stratimikos::DefaultLinearSolverBuilder& builder, const std::string& name) {
  const auto valid = builder.getValidParameters();
  require(!valid->sublist("Preconditioner Types").isSublist(name),
          [&] { return "the builder has a preconditioner '" + name + "' already"; });
  using Base = Thyra::PreconditionerFactoryBase<double>;
  builder.setPreconditioningStrategyFactory(
      Teuchos::abstractFactoryStd<Base, PreconditionerFactory>(), name);
}

}  // namespace tessera::stratimikos
