// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Parameters by name: set from text, listed, written out.
///
/// A ParameterTree walks `describe_parameters` (tessera/operator/parameter_description.hpp) of an
/// aggregate once and from then on knows each parameter by its dotted key. It refers to the
/// aggregate, which must outlive it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/operator/parameter_description.hpp"

namespace tessera::parameters {

/// A parameter's value; an enumeration is its name.
using ParameterValue = std::variant<bool, int, double, std::string>;

/// A value as a user would type it, such as "true", "3", "1e-08" or "cg".
std::string to_text(const ParameterValue& value);

/// One value of an enumeration.
struct Choice {
  std::string name;
  std::string text;
};

/// One parameter.
struct Parameter {
  std::string key;  ///< dotted, such as "solver.tolerance"
  std::string text;  ///< what it means
  ParameterValue default_value;
  double lowest = 0;  ///< numbers only
  double highest = 0;  ///< numbers only
  std::vector<Choice> choices;  ///< enumerations only
  std::function<ParameterValue()> get;
  std::function<void(const ParameterValue&)> set;  ///< takes a value of the right kind and range

  /// "true or false", "a whole number from 1 to 100", "one of: cg, gmres", ...
  std::string expectation() const;
};

/// One group of parameters.
struct ParameterSection {
  std::string key;
  std::string text;
};

/// A list of aggregates. A parameter of one has the list's key, the element's number and its own
/// name for a key, such as "amg.levels.0.A.scalar".
struct ParameterList {
  std::string key;
  std::string text;
  std::vector<Parameter> parameters;  ///< of an element that is added to the empty list, by name
  std::vector<ParameterSection> sections;  ///< of an element, by name
  std::function<std::size_t()> size;
  std::function<void()> clear;
  std::function<void()> append;  ///< a copy of the last element; to the empty list, its first one
  /// Those of one element, by name; of no use after the list has changed.
  std::function<std::vector<Parameter>(std::size_t)> element;

  /// "amg.levels.0.A.scalar" of 0 and "A.scalar".
  std::string key_of(std::size_t element, const std::string& name) const;
  /// True for its own key, and for those that begin with it.
  bool holds(const std::string& key) const;
};

/// All parameters of an aggregate, in the order of their description.
class ParameterTree {
 public:
  /// How messages call the parameter of a key.
  using Namer = std::string (*)(std::string_view key);
  /// "parameter 'KEY'".
  static std::string quoted_key(std::string_view key);

  template <class Aggregate>
  explicit ParameterTree(Aggregate& aggregate, Namer namer = quoted_key);

  const std::vector<Parameter>& parameters() const { return m_parameters; }
  const std::vector<ParameterSection>& sections() const { return m_sections; }
  /// Their parameters and sections are not among those above.
  const std::vector<ParameterList>& lists() const { return m_lists; }

  /// Sets a parameter from text. `source` opens the message of an error, such as "-p a=b". A key
  /// of the element behind the last of a list adds that element.
  /// @throws Error of kind configuration for an unknown key, a wrong type, or a value out of range
  void set_text(const std::string& key, const std::string& text, const std::string& source);

  /// Sets a parameter from a typed value; a whole number does for a real parameter.
  /// @throws Error of kind configuration as set_text
  void set(const std::string& key, const ParameterValue& value, const std::string& source);

  /// Throws unless there is a parameter of that key.
  void require_known(const std::string& key, const std::string& source) const { find(key, source); }

  /// Key and value of every parameter as they stand; those of the lists' elements come last.
  std::vector<std::pair<std::string, ParameterValue>> values() const;

 private:
  Parameter find(const std::string& key, const std::string& source) const;
  Parameter find_in_list(const ParameterList& list, const std::string& key,
                         const std::string& source) const;
  void check(const Parameter& parameter, const ParameterValue& value,
             const std::string& source) const;

  Namer m_namer;
  std::vector<Parameter> m_parameters;
  std::vector<ParameterSection> m_sections;
  std::vector<ParameterList> m_lists;
};

/// The visitor that describe_parameters calls; fills the lists of a ParameterTree.
class ParameterCollector {
 public:
  ParameterCollector(std::vector<Parameter>& parameters, std::vector<ParameterSection>& sections,
                     std::vector<ParameterList>& lists)
      : m_parameters(parameters), m_sections(sections), m_lists(lists) {}

  void operator()(std::string_view name, bool& member, std::string_view text) {
    add(name, member, text);
  }

  template <class Number>
    requires(std::is_same_v<Number, int> || std::is_same_v<Number, double>)
  void operator()(std::string_view name, Number& member, std::string_view text,
                  std::type_identity_t<Range<Number>> range) {
    Parameter& parameter = add(name, member, text);
    parameter.lowest = static_cast<double>(range.lowest);
    parameter.highest = static_cast<double>(range.highest);
  }

  template <class Enum>
    requires(std::is_enum_v<Enum>)
  void operator()(std::string_view name, Enum& member, std::string_view text,
                  std::type_identity_t<EnumNames<Enum>> names) {
    Parameter parameter{m_prefix + std::string(name), std::string(text), {}, 0, 0, {}, {}, {}};
    for (const EnumName<Enum>& choice : names) {
      Choice& added = parameter.choices.emplace_back();
      added.name = choice.name;
      added.text = choice.text;
    }
    parameter.get = [&member, names]() -> ParameterValue {
      for (const EnumName<Enum>& choice : names) {
        if (choice.value == member) return std::string(choice.name);
      }
      return std::string("unnamed");
    };
    parameter.set = [&member, names](const ParameterValue& value) {
      for (const EnumName<Enum>& choice : names) {
        if (choice.name == std::get<std::string>(value)) member = choice.value;
      }
    };
    parameter.default_value = parameter.get();
    m_parameters.push_back(std::move(parameter));
  }

  template <class Nested>
  void section(std::string_view name, Nested& nested, std::string_view text) {
    const std::string outer = m_prefix;
    m_sections.push_back({outer + std::string(name), std::string(text)});
    m_prefix += std::string(name) + ".";
    describe_parameters(*this, nested);
    m_prefix = outer;
  }

  template <class Element, class First>
  void list(std::string_view name, std::vector<Element>& elements, std::string_view text,
            const First& first) {
    ParameterList& added = m_lists.emplace_back();
    added.key = m_prefix + std::string(name);
    added.text = text;
    added.size = [&elements] { return elements.size(); };
    added.clear = [&elements] { elements.clear(); };
    added.append = [&elements, first] {
      elements.push_back(elements.empty() ? first() : Element(elements.back()));
    };
    added.element = [&elements](std::size_t i) {
      std::vector<Parameter> parameters;
      std::vector<ParameterSection> sections;
      collect(elements[i], parameters, sections);
      return parameters;
    };
    Element new_one = first();
    collect(new_one, added.parameters, added.sections);
    for (Parameter& parameter : added.parameters)
      parameter.get = {}, parameter.set = {};  // new_one ends here
  }

 private:
  /// Of an element of a list, which has no lists of its own.
  template <class Element>
  static void collect(Element& element, std::vector<Parameter>& parameters,
                      std::vector<ParameterSection>& sections) {
    std::vector<ParameterList> none;
    ParameterCollector collector(parameters, sections, none);
    describe_parameters(collector, element);
  }

  template <class T>
  Parameter& add(std::string_view name, T& member, std::string_view text) {
    m_parameters.push_back(
        {m_prefix + std::string(name),
         std::string(text),
         member,
         0,
         0,
         {},
         [&member]() -> ParameterValue { return member; },
         [&member](const ParameterValue& value) { member = std::get<T>(value); }});
    return m_parameters.back();
  }

  std::vector<Parameter>& m_parameters;
  std::vector<ParameterSection>& m_sections;
  std::vector<ParameterList>& m_lists;
  std::string m_prefix;
};

template <class Aggregate>
ParameterTree::ParameterTree(Aggregate& aggregate, Namer namer) : m_namer(namer) {
  ParameterCollector collector(m_parameters, m_sections, m_lists);
  describe_parameters(collector, aggregate);
}

}  // namespace tessera::parameters
