// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/parse_error.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "tessera/parameters/nearest_name.hpp"

namespace tessera::app {

namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The hint for one word of the command line; empty where it is no option, or a known one.
std::string hint_for(const std::string& typed, const std::vector<std::string>& long_names,
                     const std::vector<std::string>& short_names) {
  const bool option = typed.size() > 1 && typed[0] == '-' &&
                      std::isdigit(static_cast<unsigned char>(typed[1])) == 0;
  if (!option || holds(long_names, typed)) return {};
  if (typed.starts_with("--")) return parameters::did_you_mean(typed, long_names);
  // One dash: a long option short of the other, or a short one with its value behind it.
  if (!holds(long_names, "-" + typed) && holds(short_names, typed.substr(0, 2))) return {};
  return parameters::did_you_mean("-" + typed, long_names);
}

std::string option_hint(const CLI::App& command, int argc, const char* const* argv) {
  std::vector<std::string> long_names, short_names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      long_names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      short_names.push_back("-" + name);
  }
  for (int i = 2; i < argc; ++i) {
    const std::string typed(
        std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('=')));
    const std::string hint = hint_for(typed, long_names, short_names);
    if (!hint.empty()) return hint;
  }
  return {};
}

}  // namespace

std::string parse_error_text(const CLI::App& command, const CLI::ParseError& error, int argc,
                             const char* const* argv) {
  const std::string text = error.what();
  // CLI11 counts: "--n: 1 required INT missing".
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && text.ends_with(" missing")) {
    return text.substr(0, text.find(": ")) + ": its value is missing";
  }
  return text + option_hint(command, argc, argv);
}

}  // namespace tessera::app
