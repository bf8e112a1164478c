// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/stratimikos/preconditioner_factory.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/stratimikos/made_operator.hpp"

#include <Teuchos_VerboseObjectParameterListHelpers.hpp>
#include <Thyra_DefaultPreconditioner.hpp>
#include <Thyra_TpetraLinearOp.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

namespace tessera::stratimikos {
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

}  // namespace tessera::stratimikos
