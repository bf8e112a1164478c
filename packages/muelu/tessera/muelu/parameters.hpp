// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters of MueLu as Tessera's.
#pragma once

#include "tessera/tpetra/parameters.hpp"

#include <Teuchos_ParameterList.hpp>

namespace tessera::muelu {

/// What a list of MueLu's parameters asks of Tessera's multigrid. docs/guide/trilinos_muelu.md has
/// the table. What the list leaves open is Tessera's own choice, not MueLu's default; a sublist
/// "user data" is passed over.
/// @throws Error of kind configuration for a parameter, or a value of one, that Tessera has nothing
///         for, by MueLu's name, with what there is; and for an unknown name with the nearest known
///         one.
tpetra::Parameters parameters_from(const Teuchos::ParameterList& list);

}  // namespace tessera::muelu
