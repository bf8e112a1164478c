// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Values of parameters whose aggregate the library does not know: those of a method that a program
/// adds (operator/registry.hpp).
///
/// The program describes its aggregate as the library does its own
/// (operator/parameter_description.hpp). The library notes the members once, holds values for them,
/// shows these to its own visitors, and fills an aggregate with them for the method.
#pragma once

#include "tessera/operator/error.hpp"
#include "tessera/operator/parameter_description.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {

/// A value of an enumeration that the library does not know, by its place in the list of its names.
enum class ListedValue : int {};

using DescribedValue = std::variant<bool, int, double, ListedValue>;

/// A member of an aggregate, as its description has it.
struct DescribedMember {
  std::string name;
  std::string text;
  DescribedValue initial;
  Range<int> whole = {};  ///< where the value is an int
  Range<double> real = {};  ///< where it is a double
  std::vector<EnumName<ListedValue>> names = {};  ///< where it is an enumeration's
};

namespace detail {

/// The visitor of `described_members`.
class MemberList {
 public:
  void operator()(std::string_view name, bool& member, std::string_view text) {
    add(name, text, member);
  }

  template <class Number>
    requires(std::is_same_v<Number, int> || std::is_same_v<Number, double>)
  void operator()(std::string_view name, Number& member, std::string_view text,
                  const std::type_identity_t<Range<Number>>& range) {
    DescribedMember& added = add(name, text, member);
    if constexpr (std::is_same_v<Number, int>) {
      added.whole = range;
    } else {
      added.real = range;
    }
  }

  template <class Enum>
    requires(std::is_enum_v<Enum>)
  void operator()(std::string_view name, Enum& member, std::string_view text,
                  std::type_identity_t<EnumNames<Enum>> names) {
    DescribedMember& added = add(name, text, ListedValue(-1));
    for (const EnumName<Enum>& known : names) {
      const auto place = static_cast<ListedValue>(added.names.size());
      if (known.value == member) added.initial = place;
      added.names.push_back({place, known.name, known.text});
    }
    require(std::get<ListedValue>(added.initial) != ListedValue(-1), [&] {
      return "parameter " + std::string(name) + " has a value that is none of its names";
    });
  }

  template <class Nested>
  void section(std::string_view, Nested&, std::string_view) {
    static_assert(sizeof(Nested) == 0, "parameters of a registered method have no sections");
  }

  template <class Nested, class First>
  void list(std::string_view, std::vector<Nested>&, std::string_view, const First&) {
    static_assert(sizeof(Nested) == 0, "parameters of a registered method have no lists");
  }

  std::vector<DescribedMember> take() { return std::move(m_members); }

 private:
  DescribedMember& add(std::string_view name, std::string_view text, DescribedValue initial) {
    return m_members.emplace_back(DescribedMember{std::string(name), std::string(text), initial});
  }

  std::vector<DescribedMember> m_members;
};

/// The visitor of `with_values`.
class MemberFill {
 public:
  explicit MemberFill(const std::vector<DescribedValue>& values) : m_values(values) {}

  void operator()(std::string_view, bool& member, std::string_view) {
    member = std::get<bool>(next());
  }

  template <class Number>
    requires(std::is_same_v<Number, int> || std::is_same_v<Number, double>)
  void operator()(std::string_view, Number& member, std::string_view,
                  const std::type_identity_t<Range<Number>>&) {
    member = std::get<Number>(next());
  }

  template <class Enum>
    requires(std::is_enum_v<Enum>)
  void operator()(std::string_view, Enum& member, std::string_view,
                  std::type_identity_t<EnumNames<Enum>> names) {
    member = names[static_cast<std::size_t>(std::get<ListedValue>(next()))].value;
  }

 private:
  const DescribedValue& next() { return m_values.at(m_next++); }

  const std::vector<DescribedValue>& m_values;
  std::size_t m_next = 0;
};

}  // namespace detail

/// The members of `aggregate` in the order of their description, with its values as the initial
/// ones. They are of the types bool, int, double and enumerations; texts of the latter's names are
/// to be static.
template <class Aggregate>
std::vector<DescribedMember> described_members(Aggregate aggregate) {
  detail::MemberList list;
  describe_parameters(list, aggregate);
  return list.take();
}

inline std::vector<DescribedValue> initial_values(const std::vector<DescribedMember>& members) {
  std::vector<DescribedValue> values;
  for (const DescribedMember& member : members)
    values.push_back(member.initial);
  return values;
}

/// `aggregate` with other values: those of its members, in the order of their description.
template <class Aggregate>
Aggregate with_values(Aggregate aggregate, const std::vector<DescribedValue>& values) {
  detail::MemberFill fill(values);
  describe_parameters(fill, aggregate);
  return aggregate;
}

/// Shows `values` to a visitor as the members that they are of.
template <class Visitor>
void visit_members(Visitor& visit, const std::vector<DescribedMember>& members,
                   std::vector<DescribedValue>& values) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const DescribedMember& member = members[i];
    if (bool* const flag = std::get_if<bool>(&values[i])) {
      visit(member.name, *flag, member.text);
    } else if (int* const whole = std::get_if<int>(&values[i])) {
      visit(member.name, *whole, member.text, member.whole);
    } else if (double* const real = std::get_if<double>(&values[i])) {
      visit(member.name, *real, member.text, member.real);
    } else {
      visit(member.name, std::get<ListedValue>(values[i]), member.text,
            EnumNames<ListedValue>(member.names));
    }
  }
}

}  // namespace tessera
