// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The operator that a parameter list asks for, by Tessera's setup or by MueLu's.
#pragma once

#include <Teuchos_ParameterList.hpp>
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
