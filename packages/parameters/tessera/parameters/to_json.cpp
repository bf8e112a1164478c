// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `to_json` and `json_schema`.
#include <limits>
#include <nlohmann/json.hpp>

#include "tessera/parameters/json.hpp"

namespace tessera::parameters {

using Json = nlohmann::ordered_json;

namespace {

constexpr int indent = 2;

bool is_number(const std::string& part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
}

/// The member or, for a number, the element of `here`, made where it is not there.
Json& member(Json& here, const std::string& part) {
  return is_number(part) ? here[std::stoul(part)] : here[part];
}

/// The object for a dotted key's section, made where it is not there.
Json& descend(Json& root, const std::string& key, std::string& last) {
  Json* here = &root;
  std::size_t start = 0;
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', start)) {
    here = &member(*here, key.substr(start, dot - start));
    start = dot + 1;
  }
  last = key.substr(start);
  return *here;
}

Json value_json(const ParameterValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

void add_bounds(Json& property, const Parameter& parameter, bool whole) {
  const double largest = whole ? static_cast<double>(std::numeric_limits<int>::max())
                               : std::numeric_limits<double>::max();
  const auto bound = [whole](double v) { return whole ? Json(static_cast<int>(v)) : Json(v); };
  if (parameter.lowest > -largest) property["minimum"] = bound(parameter.lowest);
  if (parameter.highest < largest) property["maximum"] = bound(parameter.highest);
}

/// Where a dotted key's own schema lies: each section is a property of the one that holds it.
Json& locate(Json& root, const std::string& key, std::string& last) {
  Json* here = &root;
  std::size_t start = 0;
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', start)) {
    here = &(*here)["properties"][key.substr(start, dot - start)];
    start = dot + 1;
  }
  last = key.substr(start);
  return (*here)["properties"];
}

Json property_schema(const Parameter& parameter) {
  Json property;
  property["description"] = parameter.text;
  if (std::holds_alternative<bool>(parameter.default_value)) {
    property["type"] = "boolean";
  } else if (std::holds_alternative<int>(parameter.default_value)) {
    property["type"] = "integer";
    add_bounds(property, parameter, true);
  } else if (std::holds_alternative<double>(parameter.default_value)) {
    property["type"] = "number";
    add_bounds(property, parameter, false);
  } else {
    property["type"] = "string";
    for (const Choice& choice : parameter.choices)
      property["enum"].push_back(choice.name);
  }
  property["default"] = value_json(parameter.default_value);
  return property;
}

Json section_schema(const std::string& description) {
  return {{"description", description}, {"type", "object"}, {"additionalProperties", false}};
}

/// An array of objects. They have no defaults: what is left out is as in the object before.
Json list_schema(const ParameterList& list) {
  Json items = {{"type", "object"}, {"additionalProperties", false}};
  std::string last;
  for (const ParameterSection& section : list.sections) {
    Json& properties = locate(items, section.key, last);
    properties[last] = section_schema(section.text);
  }
  for (const Parameter& parameter : list.parameters) {
    Json& properties = locate(items, parameter.key, last);
    properties[last] = property_schema(parameter);
    properties[last].erase("default");
  }
  return {{"description", list.text}, {"type", "array"}, {"items", items}};
}

}  // namespace

std::string to_json(const std::vector<std::pair<std::string, ParameterValue>>& values) {
  Json root = Json::object();
  for (const auto& [key, value] : values) {
    std::string last;
    Json& section = descend(root, key, last);
    section[last] = value_json(value);
  }
  return root.dump(indent);
}

std::string json_schema(const ParameterTree& tree) {
  Json root;
  root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  root["title"] = "Parameters of Tessera";
  root["type"] = "object";
  root["additionalProperties"] = false;
  root["properties"]["$schema"] = {{"description", "where an editor finds this schema"},
                                   {"type", "string"}};
  std::string last;
  for (const ParameterSection& section : tree.sections()) {
    Json& properties = locate(root, section.key, last);
    properties[last] = section_schema(section.text);
  }
  for (const Parameter& parameter : tree.parameters()) {
    Json& properties = locate(root, parameter.key, last);
    properties[last] = property_schema(parameter);
  }
  for (const ParameterList& list : tree.lists()) {
    Json& properties = locate(root, list.key, last);
    properties[last] = list_schema(list);
  }
  return root.dump(indent);
}

}  // namespace tessera::parameters
