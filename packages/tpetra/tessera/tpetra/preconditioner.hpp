// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A preconditioner in one line, in the manner of MueLu's `CreateTpetraPreconditioner`.
#pragma once

#include "tessera/tpetra/operator.hpp"

#include <Teuchos_XMLParameterListHelpers.hpp>

#include <string>

namespace tessera::tpetra {

/// The preconditioner of `A`, a Tpetra::CrsMatrix, or a Tpetra::RowMatrix or Tpetra::Operator that
/// is one. Parameters and errors are those of `Operator`'s constructor.
template <class Matrix>
auto CreateTesseraPreconditioner(const Teuchos::RCP<Matrix>& A,
                                 const Teuchos::ParameterList& parameters = {}) {
  using Made = Operator<typename Matrix::global_ordinal_type, typename Matrix::node_type>;
  const Teuchos::RCP<const typename Made::Base> any = A;
  return Teuchos::rcp(new Made(any, parameters));
}

/// The same with parameters from an XML file, which process 0 reads.
template <class Matrix>
auto CreateTesseraPreconditioner(const Teuchos::RCP<Matrix>& A, const std::string& xml_file) {
  Teuchos::ParameterList parameters;
  Teuchos::updateParametersFromXmlFileAndBroadcast(xml_file, Teuchos::ptrFromRef(parameters),
                                                   *A->getDomainMap()->getComm());
  return CreateTesseraPreconditioner(A, parameters);
}

/// Gives a preconditioner the new values of `A`, whose pattern and maps are those of before.
template <class Matrix, class GlobalOrdinal, class Node>
void ReuseTesseraPreconditioner(const Teuchos::RCP<Matrix>& A,
                                Operator<GlobalOrdinal, Node>& preconditioner) {
  preconditioner.update(A);
}

}  // namespace tessera::tpetra
