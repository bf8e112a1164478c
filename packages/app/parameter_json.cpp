// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/parameter_json.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tessera/core/error.hpp"

namespace tessera::app {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* schema_key = "$schema";

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorKind::configuration, message);
}

/// "file:line:column" of the byte before offset `byte`.
std::string position(const std::string& text, std::size_t byte, const std::string& path) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  return fmt::format("{}:{}:{}", path, line, column);
}

/// The parser's own words after its "parse error at line ..., column ...: ".
std::string reason(const Json::parse_error& error) {
  const std::string text = error.what();
  const std::size_t colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

/// Throws on a key that its object already holds: the parser would silently take the last.
class DuplicateKeys {
 public:
  explicit DuplicateKeys(std::string path) : m_path(std::move(path)) {}

  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) m_keys.emplace_back();
    if (event == Json::parse_event_t::object_end) m_keys.pop_back();
    if (event == Json::parse_event_t::key) {
      const std::string key = parsed.get<std::string>();
      if (!m_keys.back().insert(key).second) {
        fail(fmt::format("{}: key '{}' is given twice", m_path, key));
      }
    }
    return true;
  }

 private:
  std::string m_path;
  std::vector<std::set<std::string>> m_keys;
};

/// The leaf as a typed value; throws for what no parameter takes.
ParameterValue leaf_value(const Json& leaf, const std::string& key, const std::string& path) {
  if (leaf.is_boolean()) return leaf.get<bool>();
  if (leaf.is_number_integer()) {
    const double wide = leaf.get<double>();
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
      return wide;
    return leaf.get<int>();
  }
  if (leaf.is_number()) return leaf.get<double>();
  if (leaf.is_string()) return leaf.get<std::string>();
  fail(fmt::format("{}: parameter '{}': expected a value, found {}", path, key, leaf.dump()));
}

void apply_object(ParameterTree& tree, const Json& object, const std::string& prefix,
                  const std::string& path, std::set<std::string>& seen) {
  for (const auto& item : object.items()) {
    // By this key an editor finds the schema; it is no parameter.
    if (prefix.empty() && item.key() == schema_key && item.value().is_string()) continue;
    const std::string key = prefix + item.key();
    if (item.value().is_object()) {
      apply_object(tree, item.value(), key + ".", path, seen);
      continue;
    }
    if (!seen.insert(key).second) {
      fail(fmt::format("{}: parameter '{}' is given twice, nested and dotted", path, key));
    }
    tree.set(key, leaf_value(item.value(), key, path), path);
  }
}

/// The object for a dotted key's section, made where it is not there.
Json& descend(Json& root, const std::string& key, std::string& last) {
  Json* here = &root;
  std::size_t start = 0;
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', start)) {
    here = &(*here)[key.substr(start, dot - start)];
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

}  // namespace

Json parse_json(const std::string& text, const std::string& path) {
  try {
    return Json::parse(text, DuplicateKeys(path));
  } catch (const Json::parse_error& error) {
    fail(position(text, error.byte, path) + ": " + reason(error));
  }
}

Json read_json_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || file.bad()) {
    fail(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  return parse_json(text.str(), path);
}

void apply_config(ParameterTree& tree, const Json& config, const std::string& path) {
  if (!config.is_object()) {
    fail(fmt::format("{}: expected an object of parameters, found {}", path, config.type_name()));
  }
  std::set<std::string> seen;
  apply_object(tree, config, "", path, seen);
}

Json to_json(const std::vector<std::pair<std::string, ParameterValue>>& values) {
  Json root = Json::object();
  for (const auto& [key, value] : values) {
    std::string last;
    Json& section = descend(root, key, last);
    section[last] = value_json(value);
  }
  return root;
}

Json json_schema(const ParameterTree& tree) {
  Json root;
  root[schema_key] = "https://json-schema.org/draft/2020-12/schema";
  root["title"] = "Parameters of Tessera";
  root["type"] = "object";
  root["additionalProperties"] = false;
  root["properties"][schema_key] = {{"description", "where an editor finds this schema"},
                                    {"type", "string"}};
  // Where a dotted key's own schema lies: each section is a property of the one that holds it.
  const auto locate = [&root](const std::string& key, std::string& last) -> Json& {
    Json* here = &root;
    std::size_t start = 0;
    for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', start)) {
      here = &(*here)["properties"][key.substr(start, dot - start)];
      start = dot + 1;
    }
    last = key.substr(start);
    return (*here)["properties"];
  };
  std::string last;
  for (const ParameterSection& section : tree.sections()) {
    Json& properties = locate(section.key, last);
    properties[last] = {
        {"description", section.text}, {"type", "object"}, {"additionalProperties", false}};
  }
  for (const Parameter& parameter : tree.parameters()) {
    Json& properties = locate(parameter.key, last);
    properties[last] = property_schema(parameter);
  }
  return root;
}

std::string parameter_table(const ParameterTree& tree) {
  const auto section_of = [](const std::string& key) {
    const std::size_t dot = key.rfind('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
  };
  std::string out;
  const auto list = [&](const std::string& section) {
    for (const Parameter& parameter : tree.parameters()) {
      if (section_of(parameter.key) != section) continue;
      out += fmt::format("  {} = {}\n      {}\n", parameter.key, to_text(parameter.default_value),
                         parameter.text);
      if (parameter.choices.empty()) {
        out += fmt::format("      {}\n", parameter.expectation());
      } else {
        for (const Choice& choice : parameter.choices) {
          out += fmt::format("      {:<16} {}\n", choice.name, choice.text);
        }
      }
    }
  };
  list("");
  for (const ParameterSection& section : tree.sections()) {
    out += fmt::format("\n{}: {}\n", section.key, section.text);
    list(section.key);
  }
  return out;
}

}  // namespace tessera::app
