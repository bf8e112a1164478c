// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters and JSON: configuration files in, effective values and a schema out.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "app/parameter_tree.hpp"

namespace tessera::app {

/// Reads a JSON file. @throws Error of kind configuration with file, line and column for a syntax
/// error or a key given twice, and for a file that cannot be read.
nlohmann::ordered_json read_json_file(const std::string& path);

/// The same from text; `path` is what messages call it.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& path);

/// Sets what the file's object holds. Keys may be nested objects, dotted, or both. A string
/// "$schema" is for editors and sets nothing. An array takes the place of what a list holds.
/// @throws Error of kind configuration
void apply_config(ParameterTree& tree, const nlohmann::ordered_json& config,
                  const std::string& path);

/// All values as nested objects: a valid configuration file.
nlohmann::ordered_json to_json(const std::vector<std::pair<std::string, ParameterValue>>& values);

/// A JSON schema (draft 2020-12) of the nested form of a configuration file.
nlohmann::ordered_json json_schema(const ParameterTree& tree);

/// A table for people: key, type and range, default, meaning; one block a section.
std::string parameter_table(const ParameterTree& tree);

}  // namespace tessera::app
