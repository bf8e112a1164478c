// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters as words "key=value", as command lines and programs in other languages give them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/parameters/parameter_tree.hpp"

namespace tessera::parameters {

/// A word "key=value" in two.
struct KeyValue {
  std::string key;
  std::string value;
};

/// The word split at its first "=", without white space around key and value; nothing where it has
/// no "=", or no key before it.
std::optional<KeyValue> split_word(std::string_view word);

/// What is between white space.
std::vector<std::string> words_of(std::string_view text);

/// Sets what the words "key=value" of `text` say, one after the other.
/// @throws Error of kind configuration for a word that is none, and as ParameterTree::set_text
void set_from_words(ParameterTree& tree, std::string_view text);

}  // namespace tessera::parameters
