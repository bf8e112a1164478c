// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters and JSON: configuration files in, effective values and a schema out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::parameters {

/// Sets what the text's object holds. Keys may be nested objects, dotted, or both. A string
/// "$schema" is for editors and sets nothing. An array takes the place of what a list holds. `name`
/// is what messages call the text.
/// @throws Error of kind configuration, with name, line and column for a syntax error, for a key
/// given twice, and as ParameterTree::set
void set_from_json(ParameterTree& tree, const std::string& text, const std::string& name);

/// The same from a file. @throws Error of kind configuration for one that cannot be read, too
void set_from_json_file(ParameterTree& tree, const std::string& path);

/// The parameters that the text's object holds, and defaults for all others: of `SolveParameters`
/// or of another aggregate that describes its members.
/// @throws Error of kind configuration as set_from_json
template <class Parameters>
Parameters parameters_from_json(const std::string& text, const std::string& name = "JSON") {
  Parameters parameters;
  ParameterTree tree(parameters);
  set_from_json(tree, text, name);
  return parameters;
}

/// The same from a file. @throws Error of kind configuration as set_from_json_file
template <class Parameters>
Parameters parameters_from_json_file(const std::string& path) {
  Parameters parameters;
  ParameterTree tree(parameters);
  set_from_json_file(tree, path);
  return parameters;
}

/// All values as nested objects: a valid configuration file.
std::string to_json(const std::vector<std::pair<std::string, ParameterValue>>& values);

/// A JSON schema (draft 2020-12) of the nested form of a configuration file.
std::string json_schema(const ParameterTree& tree);

}  // namespace tessera::parameters
