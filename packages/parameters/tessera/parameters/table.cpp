// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/parameters/table.hpp"

#include <fmt/format.h>

namespace tessera::parameters {
namespace {

std::string section_of(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

std::string list_table(const ParameterList& list) {
  std::string out = fmt::format(
      "\n{}: {}\n  A list: N is 0, 1, ... An element holds what follows, by default as the one "
      "before it.\n",
      list.key, list.text);
  const auto add = [&](const std::string& section) {
    for (const Parameter& parameter : list.parameters) {
      if (section_of(parameter.key) != section) continue;
      out += fmt::format("  {}.N.{}\n      {}\n      {}\n", list.key, parameter.key, parameter.text,
                         parameter.expectation());
    }
  };
  add("");
  for (const ParameterSection& section : list.sections) {
    out += fmt::format("\n{}.N.{}: {}\n", list.key, section.key, section.text);
    add(section.key);
  }
  return out;
}

}  // namespace

std::string parameter_table(const ParameterTree& tree) {
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
  for (const ParameterList& elements : tree.lists())
    out += list_table(elements);
  return out;
}

}  // namespace tessera::parameters
