// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera's preconditioner where a program has MueLu's parameters.
#pragma once

#include "tessera/muelu/parameters.hpp"
#include "tessera/tpetra/operator.hpp"

#include <Teuchos_XMLParameterListHelpers.hpp>

#include <string>

namespace tessera::muelu {

/// As `MueLu::CreateTpetraPreconditioner`, with its parameters and its sublist "user data"
/// ("Nullspace", "Coordinates" of `Tpetra::MultiVector`s), but what is made is Tessera's.
/// @throws Error as `parameters_from` and `tpetra::Operator` do.
template <class Matrix>
auto CreateTesseraPreconditioner(const Teuchos::RCP<Matrix>& A,
                                 const Teuchos::ParameterList& list) {
  using Made = tpetra::Operator<typename Matrix::global_ordinal_type, typename Matrix::node_type>;
  const Teuchos::RCP<const typename Made::Base> any = A;
  return Teuchos::rcp(
      new Made(any, parameters_from(list),
               list.isSublist("user data") ? list.sublist("user data") : Teuchos::ParameterList()));
}

/// The same with parameters from an XML file, which process 0 reads.
template <class Matrix>
auto CreateTesseraPreconditioner(const Teuchos::RCP<Matrix>& A, const std::string& xml_file) {
  Teuchos::ParameterList list;
  Teuchos::updateParametersFromXmlFileAndBroadcast(xml_file, Teuchos::ptrFromRef(list),
                                                   *A->getDomainMap()->getComm());
  return CreateTesseraPreconditioner(A, list);
}

}  // namespace tessera::muelu
