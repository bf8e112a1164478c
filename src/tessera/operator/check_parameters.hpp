// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters held to the ranges and names that their description gives.
#pragma once

#include "tessera/operator/parameter_description.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

/// What a number may be: "a whole number from 1 to 100", "a number of 0 or more".
std::string expected_text(const Range<int>& range);
std::string expected_text(const Range<double>& range);
/// What an enumeration may be: "one of: cg, gmres".
std::string expected_text(const std::vector<std::string>& names);

/// The visitor of `check_parameters`.
class ParameterCheck {
 public:
  /// `prefix`: what each name begins with in a message.
  explicit ParameterCheck(std::string prefix) : m_prefix(std::move(prefix)) {}

  void operator()(std::string_view, bool, std::string_view) const {}

  template <class Number>
    requires(std::is_same_v<Number, int> || std::is_same_v<Number, double>)
  void operator()(std::string_view name, const Number& value, std::string_view,
                  const std::type_identity_t<Range<Number>>& range) const {
    // A NaN is in no range.
    if (value >= range.lowest && value <= range.highest) return;
    refuse(name, value, expected_text(range));
  }

  template <class Enum>
    requires(std::is_enum_v<Enum>)
  void operator()(std::string_view name, const Enum& value, std::string_view,
                  std::type_identity_t<EnumNames<Enum>> names) const {
    std::vector<std::string> known;
    for (const EnumName<Enum>& entry : names) {
      if (entry.value == value) return;
      known.emplace_back(entry.name);
    }
    refuse(name, static_cast<int>(value), expected_text(known));
  }

  template <class Nested>
  void section(std::string_view name, Nested& nested, std::string_view) {
    const std::string outer = m_prefix;
    m_prefix += std::string(name) + ".";
    describe_parameters(*this, nested);
    m_prefix = outer;
  }

  template <class Nested, class First>
  void list(std::string_view name, std::vector<Nested>& elements, std::string_view, const First&) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      section(std::string(name) + "." + std::to_string(i), elements[i], {});
  }

 private:
  [[noreturn]] void refuse(std::string_view name, double value, const std::string& expected) const;

  std::string m_prefix;
};

/// Throws `Error` of kind `configuration` unless each of `parameters` is one that its description
/// (operator/parameter_description.hpp) allows. The message has the dotted name, which begins with
/// `prefix`, such as "amg.", the value, and the range.
template <class Parameters>
void check_parameters(Parameters parameters, std::string prefix = {}) {
  ParameterCheck check(std::move(prefix));
  describe_parameters(check, parameters);
}

}  // namespace tessera
