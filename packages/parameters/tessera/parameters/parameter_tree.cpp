// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "tessera/parameters/parameter_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "tessera/operator/check_parameters.hpp"
#include "tessera/operator/error.hpp"
#include "tessera/parameters/moved_names.hpp"
#include "tessera/parameters/nearest_name.hpp"

namespace tessera::parameters {

namespace {

[[noreturn]] void fail(const std::string& source, const std::string& message) {
  std::string text = source + ": " + message;
  std::replace(text.begin(), text.end(), '\0', '?');  // a name from JSON may have it
  throw Error(ErrorKind::configuration, text);
}

bool is_number(const Parameter& parameter) {
  return std::holds_alternative<int>(parameter.default_value) ||
         std::holds_alternative<double>(parameter.default_value);
}

/// The whole text as a number, or nothing; `overflow` says that it was one, but too large.
template <class Number>
std::optional<Number> parse(std::string_view text, bool& overflow) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  overflow = error == std::errc::result_out_of_range;
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<bool> parse_bool(std::string_view text) {
  if (text == "true" || text == "on" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "off" || text == "no" || text == "0") return false;
  return std::nullopt;
}

/// The text as a value of the parameter's kind; an enumeration is checked by `check`.
std::optional<ParameterValue> parse_as(const Parameter& parameter, const std::string& text,
                                       bool& overflow) {
  const ParameterValue& kind = parameter.default_value;
  std::optional<ParameterValue> value;
  if (std::holds_alternative<bool>(kind)) {
    if (const auto flag = parse_bool(text)) value = *flag;
  } else if (std::holds_alternative<int>(kind)) {
    if (const auto number = parse<int>(text, overflow)) value = *number;
  } else if (std::holds_alternative<double>(kind)) {
    if (const auto number = parse<double>(text, overflow)) value = *number;
  } else {
    value = text;
  }
  return value;
}

double as_double(const ParameterValue& value) {
  const int* whole = std::get_if<int>(&value);
  return whole != nullptr ? *whole : std::get<double>(value);
}

/// "12" as a number; nothing for other text, and for "007", which would be another key of 7.
std::optional<std::size_t> element_number(const std::string& text) {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  if (text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  bool overflow = false;
  const auto number = parse<std::size_t>(text, overflow);
  return overflow ? std::numeric_limits<std::size_t>::max() : number;
}

/// The elements of a list in words.
std::string what_is_there(std::size_t size) {
  if (size == 0) return "the list is empty";
  if (size == 1) return "the list has one element, 0";
  return fmt::format("the list has the elements 0 to {}", size - 1);
}

/// Those of `keys` that lie in the section `key`.
std::vector<std::string> keys_inside(const std::string& key, const std::vector<std::string>& keys) {
  std::vector<std::string> inside;
  for (const std::string& other : keys) {
    if (other.starts_with(key + ".")) inside.push_back(other);
  }
  return inside;
}

/// The one of that key. By its place it may be another one: a method that was registered after the
/// tree was made has parameters in between.
Parameter named(const std::vector<Parameter>& parameters, const std::string& key) {
  return *std::find_if(parameters.begin(), parameters.end(),
                       [&](const Parameter& p) { return p.key == key; });
}

[[noreturn]] void fail_for_section(const std::string& source, const std::string& key,
                                   const std::vector<std::string>& inside) {
  fail(source,
       fmt::format("'{}' is a section, not a parameter. It holds: {}.", key, join_names(inside)));
}

[[noreturn]] void fail_for_unknown(const std::string& source, const std::string& key,
                                   const std::vector<std::string>& known) {
  const std::string now = moved_key(key);
  if (std::find(known.begin(), known.end(), now) != known.end())
    fail(source, fmt::format("{} is now {}", key, now));
  // The nearest by its name of today, or else by the one that it once had.
  std::vector<std::string> names = known;
  const std::vector<std::string> former = former_keys(known);
  names.insert(names.end(), former.begin(), former.end());
  const std::string nearest = nearest_name(key, names);
  const bool is_former = std::find(former.begin(), former.end(), nearest) != former.end();
  const std::string meant = is_former ? moved_key(nearest) : nearest;
  fail(source, fmt::format("unknown parameter '{}'; {}", key,
                           meant.empty() ? "'tessera params' lists all"
                                         : fmt::format("did you mean '{}'?", meant)));
}

}  // namespace

std::string to_text(const ParameterValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string Parameter::expectation() const {
  if (std::holds_alternative<bool>(default_value)) return "true or false";
  if (!choices.empty()) {
    std::vector<std::string> names;
    for (const Choice& choice : choices)
      names.push_back(choice.name);
    return expected_text(names);
  }
  if (std::holds_alternative<int>(default_value)) {
    return expected_text(Range{static_cast<int>(lowest), static_cast<int>(highest)});
  }
  return expected_text(Range{lowest, highest});
}

std::string ParameterTree::quoted_key(std::string_view key) {
  return fmt::format("parameter '{}'", key);
}

std::string ParameterList::key_of(std::size_t element, const std::string& name) const {
  return fmt::format("{}.{}.{}", key, element, name);
}

bool ParameterList::holds(const std::string& other) const {
  return other == key || other.starts_with(key + ".");
}

Parameter ParameterTree::find(const std::string& key, const std::string& source) const {
  const auto found = std::find_if(m_parameters.begin(), m_parameters.end(),
                                  [&](const Parameter& p) { return p.key == key; });
  if (found != m_parameters.end()) return *found;

  std::vector<std::string> all;
  for (const Parameter& parameter : m_parameters)
    all.push_back(parameter.key);
  std::vector<std::string> inside = keys_inside(key, all);
  for (const ParameterList& list : m_lists) {
    if (list.holds(key)) return find_in_list(list, key, source);
    if (list.key.starts_with(key + ".")) inside.push_back(list.key);
    all.push_back(list.key);
    for (std::size_t i = 0; i <= list.size(); ++i) {
      for (const Parameter& parameter : list.parameters)
        all.push_back(list.key_of(i, parameter.key));
    }
  }
  if (!inside.empty()) fail_for_section(source, key, inside);
  fail_for_unknown(source, key, all);
}

// A parameter of an element; to set one of the element behind the last adds that element.
Parameter ParameterTree::find_in_list(const ParameterList& list, const std::string& key,
                                      const std::string& source) const {
  const std::size_t size = list.size();
  const std::string rest = key.substr(std::min(key.size(), list.key.size() + 1));
  const std::string number = rest.substr(0, rest.find('.'));
  const std::optional<std::size_t> element = element_number(number);
  if (!element) {
    fail(source,
         fmt::format("'{}' is a list: expected the number of one of its elements behind '{}', "
                     "as in '{}'.",
                     list.key, list.key, list.key_of(0, list.parameters.front().key)));
  }
  if (*element > size) {
    fail(source, fmt::format("'{}': {}; the next to be set is '{}.{}'.", key, what_is_there(size),
                             list.key, size));
  }
  std::vector<std::string> all;
  for (const Parameter& parameter : list.parameters)
    all.push_back(list.key_of(*element, parameter.key));
  const auto found = std::find(all.begin(), all.end(), key);
  if (found == all.end()) {
    const std::vector<std::string> inside = keys_inside(key, all);
    if (!inside.empty()) fail_for_section(source, key, inside);
    fail_for_unknown(source, key, all);
  }
  Parameter parameter = list.parameters[static_cast<std::size_t>(found - all.begin())];
  const std::string name = parameter.key;
  parameter.key = key;
  parameter.get = [&list, i = *element, name] { return named(list.element(i), name).get(); };
  parameter.set = [&list, i = *element, name](const ParameterValue& value) {
    if (i == list.size()) list.append();
    named(list.element(i), name).set(value);
  };
  return parameter;
}

// Throws unless the value, already of the parameter's kind, is one that it takes.
void ParameterTree::check(const Parameter& parameter, const ParameterValue& value,
                          const std::string& source) const {
  if (const std::string* name = std::get_if<std::string>(&value)) {
    std::vector<std::string> names;
    for (const Choice& choice : parameter.choices)
      names.push_back(choice.name);
    if (std::find(names.begin(), names.end(), *name) == names.end()) {
      const std::string_view now = moved_value(parameter.key, *name);
      if (std::find(names.begin(), names.end(), now) != names.end())
        fail(source, fmt::format("{}: {} is now {}", m_namer(parameter.key), *name, now));
      fail(source, fmt::format("{} has no value '{}'{} Expected {}.", m_namer(parameter.key), *name,
                               names.empty() || nearest_name(*name, names).empty()
                                   ? std::string(".")
                                   : did_you_mean(*name, names),
                               parameter.expectation()));
    }
  } else if (is_number(parameter)) {
    const double number = as_double(value);
    if (!(number >= parameter.lowest && number <= parameter.highest)) {
      fail(source, fmt::format("{}: {} is out of range. Expected {}.", m_namer(parameter.key),
                               to_text(value), parameter.expectation()));
    }
  }
}

void ParameterTree::set_text(const std::string& key, const std::string& text,
                             const std::string& source) {
  const Parameter parameter = find(key, source);
  bool overflow = false;
  const std::optional<ParameterValue> value = parse_as(parameter, text, overflow);
  if (!value) {
    fail(source,
         fmt::format("{}: '{}' is {}. Expected {}.", m_namer(key), text,
                     overflow ? "too large" : "not a value it takes", parameter.expectation()));
  }
  check(parameter, *value, source);
  parameter.set(*value);
}

void ParameterTree::set(const std::string& key, const ParameterValue& value,
                        const std::string& source) {
  const Parameter parameter = find(key, source);
  ParameterValue converted = value;
  if (std::holds_alternative<double>(parameter.default_value) &&
      std::holds_alternative<int>(value)) {
    converted = static_cast<double>(std::get<int>(value));
  }
  if (converted.index() != parameter.default_value.index()) {
    const bool quoted = std::holds_alternative<std::string>(value);
    fail(source, fmt::format("{}: {}{}{} is not a value it takes. Expected {}.", m_namer(key),
                             quoted ? "\"" : "", to_text(value), quoted ? "\"" : "",
                             parameter.expectation()));
  }
  check(parameter, converted, source);
  parameter.set(converted);
}

std::vector<std::pair<std::string, ParameterValue>> ParameterTree::values() const {
  std::vector<std::pair<std::string, ParameterValue>> all;
  for (const Parameter& parameter : m_parameters)
    all.emplace_back(parameter.key, parameter.get());
  for (const ParameterList& list : m_lists) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (const Parameter& parameter : list.element(i))
        all.emplace_back(list.key_of(i, parameter.key), parameter.get());
    }
  }
  return all;
}

}  // namespace tessera::parameters
