// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A tree of Tessera's parameters as a `Teuchos::ParameterList`, in both directions.
#pragma once

#include "tessera/parameters/parameter_tree.hpp"

#include <Teuchos_ParameterList.hpp>

#include <string>
#include <vector>

namespace tessera::tpetra {

/// Sets what the list holds. Names are Tessera's own: nested sublists ("amg" with "cycle"), dotted
/// ("amg.cycle"), or both; choices by level are sublists "0", "1", ... of "levels" in "amg". A
/// sublist of a name in `ignored`, at the top, is somebody else's.
///
/// Types are those of the parameters: bool, whole numbers of any width that fit an int, double
/// (a float or a whole number will do), std::string for choices. Nothing is read out of a string.
/// @throws Error of kind configuration that names the list and the parameter: for an unknown name,
///         with the nearest known one; for another type; a value out of range; a name given twice.
void set_from_parameter_list(parameters::ParameterTree& tree, const Teuchos::ParameterList& list,
                             const std::vector<std::string>& ignored = {});

/// Every parameter with its default, its meaning and a validator for its range, in nested sublists:
/// what `getValidParameters` of a factory returns.
Teuchos::ParameterList valid_parameter_list(const parameters::ParameterTree& tree,
                                            const std::string& name);

}  // namespace tessera::tpetra
