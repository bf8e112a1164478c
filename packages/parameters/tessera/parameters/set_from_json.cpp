// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Definitions of `set_from_json` and `set_from_json_file`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "tessera/operator/error.hpp"
#include "tessera/parameters/json.hpp"

namespace tessera::parameters {

using Json = nlohmann::ordered_json;

namespace {

/// Of a file: a pipe or a device may never end.
constexpr std::size_t max_bytes = std::size_t{16} << 20U;
/// Far beyond what parameters nest: what walks, writes or frees a value calls itself for each
/// level.
constexpr int max_depth = 64;

/// With the end of it, whatever a string of the text had in it.
[[noreturn]] void fail(std::string message) {
  std::replace(message.begin(), message.end(), '\0', '?');
  throw Error(ErrorKind::configuration, message);
}

/// A value as it stands in the text, or as much of it as fits a message.
std::string shown(const Json& value) {
  constexpr std::size_t most = 60;
  std::string text = value.dump();
  if (text.size() <= most) return text;
  if (!value.is_structured()) return value.type_name();
  return fmt::format("an {} of {} members", value.type_name(), value.size());
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

/// Throws on a key that its object already holds, of which the parser would silently take the last,
/// and on what is nested too deeply.
class StrictParsing {
 public:
  explicit StrictParsing(std::string path) : m_path(std::move(path)) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > max_depth)
      fail(
          fmt::format("{}: objects and lists are nested more than {} deep; parameters nest a few "
                      "times",
                      m_path, max_depth));
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
  if (leaf.is_number()) {
    // Whole by its value, as in a JSON schema: 1e3 is 1000.
    const double wide = leaf.get<double>();
    const bool is_whole = wide == std::trunc(wide) && wide >= std::numeric_limits<int>::min() &&
                          wide <= std::numeric_limits<int>::max();
    if (is_whole) return static_cast<int>(wide);
    return wide;
  }
  if (leaf.is_string()) return leaf.get<std::string>();
  fail(fmt::format("{}: parameter '{}': expected a value, found {}", path, key, shown(leaf)));
}

/// A value of a configuration that is no object, by its whole dotted key.
struct Leaf {
  std::string key;
  const Json& value;
};

/// The leaves of an object, in the file's order. Throws for a key that is given twice.
void collect_leaves(const Json& object, const std::string& prefix, const std::string& path,
                    std::set<std::string>& seen, std::vector<Leaf>& leaves) {
  for (const auto& item : object.items()) {
    // By this key an editor finds the schema; it is no parameter.
    if (prefix.empty() && item.key() == "$schema" && item.value().is_string()) continue;
    const std::string key = prefix + item.key();
    if (item.value().is_object()) {
      collect_leaves(item.value(), key + ".", path, seen, leaves);
      continue;
    }
    if (!seen.insert(key).second) {
      fail(fmt::format("{}: parameter '{}' is given twice, nested and dotted", path, key));
    }
    leaves.push_back({key, item.value()});
  }
}

void apply_leaf(ParameterTree& tree, const Leaf& leaf, const std::string& path) {
  if (leaf.value.is_array()) tree.require_known(leaf.key, path);
  tree.set(leaf.key, leaf_value(leaf.value, leaf.key, path), path);
}

/// An array in place of what the list holds. What an element leaves out is as in the one before it.
void apply_array(ParameterTree& tree, const ParameterList& list, const Json& array,
                 const std::string& path) {
  if (!array.is_array()) {
    fail(fmt::format("{}: '{}' is a list: expected an array of objects, found {}", path, list.key,
                     shown(array)));
  }
  list.clear();
  for (const Json& element : array) {
    const std::string key = fmt::format("{}.{}", list.key, list.size());
    if (!element.is_object()) {
      fail(fmt::format("{}: '{}': expected an object, found {}", path, key, shown(element)));
    }
    list.append();
    std::set<std::string> seen;
    std::vector<Leaf> leaves;
    collect_leaves(element, key + ".", path, seen, leaves);
    for (const Leaf& leaf : leaves)
      apply_leaf(tree, leaf, path);
  }
}

/// What the leaves say of a list: an array for the whole, or keys of its elements.
void apply_list(ParameterTree& tree, const ParameterList& list, const std::vector<Leaf>& leaves,
                const std::string& path) {
  const bool whole = std::any_of(leaves.begin(), leaves.end(),
                                 [&](const Leaf& leaf) { return leaf.key == list.key; });
  if (whole && leaves.size() > 1) {
    fail(fmt::format("{}: list '{}' is given twice, as an array and by keys such as '{}'", path,
                     list.key, leaves[leaves.front().key == list.key ? 1 : 0].key));
  }
  if (whole) return apply_array(tree, list, leaves.front().value, path);
  for (const Leaf& leaf : leaves)
    apply_leaf(tree, leaf, path);
}

Json parse_json(const std::string& text, const std::string& path) {
  try {
    return Json::parse(text, StrictParsing(path));
  } catch (const Json::parse_error& error) {
    fail(position(text, error.byte, path) + ": " + reason(error));
  } catch (const Json::out_of_range& error) {  // a number that no double holds
    fail(path + ": " + error.what());
  }
}

void apply_object(ParameterTree& tree, const Json& config, const std::string& path) {
  if (!config.is_object()) {
    fail(fmt::format("{}: expected an object of parameters, found {}", path, config.type_name()));
  }
  std::set<std::string> seen;
  std::vector<Leaf> leaves;
  collect_leaves(config, "", path, seen, leaves);
  const auto in_list = [&](const Leaf& leaf) {
    return std::any_of(tree.lists().begin(), tree.lists().end(),
                       [&](const ParameterList& list) { return list.holds(leaf.key); });
  };
  // A list's first element starts from other parameters: those of the whole file, in any order.
  for (const Leaf& leaf : leaves) {
    if (!in_list(leaf)) apply_leaf(tree, leaf, path);
  }
  for (const ParameterList& list : tree.lists()) {
    std::vector<Leaf> own;
    for (const Leaf& leaf : leaves) {
      if (list.holds(leaf.key)) own.push_back(leaf);
    }
    apply_list(tree, list, own, path);
  }
}

}  // namespace

void set_from_json(ParameterTree& tree, const std::string& text, const std::string& name) {
  apply_object(tree, parse_json(text, name), name);
}

void set_from_json_file(ParameterTree& tree, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65536> piece{};
  while (file && text.size() <= max_bytes) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (text.size() > max_bytes) {
    fail(fmt::format("{}: it does not end within {} bytes; parameters take a few kilobytes", path,
                     max_bytes));
  }
  if (!file.eof() || file.bad()) {
    fail(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  set_from_json(tree, text, path);
}

}  // namespace tessera::parameters
