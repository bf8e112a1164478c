// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/parameters/words.hpp"

#include <fmt/format.h>

#include <utility>

#include "tessera/operator/error.hpp"

namespace tessera::parameters {

namespace {

constexpr std::string_view white = " \t\r\n\f\v";

/// Without the white space at both ends.
std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(white) - first + 1));
}

}  // namespace

std::optional<KeyValue> split_word(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  std::string key = trimmed(word.substr(0, equals));
  if (key.empty()) return std::nullopt;
  return KeyValue{std::move(key), trimmed(word.substr(equals + 1))};
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t first = text.find_first_not_of(white); first != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(white, first);
    words.emplace_back(text.substr(first, end - first));
    first = text.find_first_not_of(white, end);
  }
  return words;
}

void set_from_words(ParameterTree& tree, std::string_view text) {
  for (const std::string& word : words_of(text)) {
    const auto setting = split_word(word);
    if (!setting) {
      throw Error(ErrorKind::configuration,
                  fmt::format("{}: expected key=value, in one word", word));
    }
    tree.set_text(setting->key, setting->value, word);
  }
}

}  // namespace tessera::parameters
