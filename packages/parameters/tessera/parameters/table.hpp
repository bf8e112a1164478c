// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters as a table for people.
#pragma once

#include <string>

#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::parameters {

/// Key, default, meaning, and type and range of every parameter; one block a section.
std::string parameter_table(const ParameterTree& tree);

}  // namespace tessera::parameters
