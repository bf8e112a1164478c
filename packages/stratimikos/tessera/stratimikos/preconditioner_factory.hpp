// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera as a preconditioner of Thyra.
#pragma once

#include <Teuchos_ParameterList.hpp>
#include <Thyra_PreconditionerFactoryBase.hpp>

#include <string>

namespace tessera::stratimikos {

/// Makes `tessera::tpetra::Operator`s, or with "setup" = "muelu" `tessera::hybrid::Operator`s over
/// levels by the parameters in the sublist "MueLu", for Thyra operators that wrap a
/// Tpetra::CrsMatrix of double with Tpetra's default ordinals and node. What it makes is neither a
/// left nor a right preconditioner: Stratimikos decides.
///
/// With "amg" -> "reuse", or "reuse: type" in "MueLu", other than "none" a preconditioner that is
/// initialised again, with the same parameters, takes the new values in its old hierarchy.
class PreconditionerFactory : public Thyra::PreconditionerFactoryBase<double> {
 public:
  using Preconditioner = Thyra::PreconditionerBase<double>;
  using Source = Thyra::LinearOpSourceBase<double>;

  bool isCompatible(const Source& forward) const override;
  Teuchos::RCP<Preconditioner> createPrec() const override;
  /// @throws tessera::Error as the operators do.
  void initializePrec(const Teuchos::RCP<const Source>& forward, Preconditioner* preconditioner,
                      Thyra::ESupportSolveUse use) const override;
  void uninitializePrec(Preconditioner* preconditioner, Teuchos::RCP<const Source>* forward,
                        Thyra::ESupportSolveUse* use) const override;

  /// @throws tessera::Error of kind configuration for a name that is unknown, with the nearest
  /// known
  ///         one, and for a value of another type or out of its range.
  void setParameterList(const Teuchos::RCP<Teuchos::ParameterList>& list) override;
  Teuchos::RCP<Teuchos::ParameterList> getNonconstParameterList() override { return m_list; }
  Teuchos::RCP<Teuchos::ParameterList> unsetParameterList() override;
  Teuchos::RCP<const Teuchos::ParameterList> getParameterList() const override { return m_list; }
  /// All parameters with defaults, meanings and validators.
  Teuchos::RCP<const Teuchos::ParameterList> getValidParameters() const override;

  std::string description() const override { return "tessera::stratimikos::PreconditionerFactory"; }

 private:
  Teuchos::RCP<Teuchos::ParameterList> m_list;
};

}  // namespace tessera::stratimikos
