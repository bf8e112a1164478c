// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters as the command line gives them.
#pragma once

#include <string>
#include <vector>

#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::app {

/// @throws UsageError where a -p is not a key and a value.
void check_settings(const std::vector<std::string>& settings);

/// Sets what the file of --config says, if there is one, and then what each -p does.
/// @throws Error for a file or a parameter, naming it.
void set_parameters(parameters::ParameterTree& tree, const std::string& config,
                    const std::vector<std::string>& settings);

}  // namespace tessera::app
