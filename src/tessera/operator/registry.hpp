// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Values that a program adds to an enumeration of the library, by name.
///
/// The parameters name a method by an enumeration with a fixed underlying type, so that it holds
/// values beside its enumerators. A registry hands such values out, from `first_registered` on, and
/// keeps what the library needs to know of each: how the method is made, and what it needs.
#pragma once

#include "tessera/operator/error.hpp"
#include "tessera/operator/parameter_description.hpp"

#include <cctype>
#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

/// The first value of an enumeration that a registry hands out. Enumerators are smaller.
inline constexpr int first_registered = 1000;

/// True for a value that a registry handed out.
template <class Enum>
constexpr bool is_registered(Enum value) {
  return static_cast<int>(value) >= first_registered;
}

/// The names of an enumeration that were registered, each with an `Entry`. Nothing is ever taken
/// back: entries and lists of names stay where they are until the program ends. Any thread may call
/// any function; a name is known to parameters that are described after it was registered.
template <class Enum, class Entry>
class Registry {
  static_assert(std::is_same_v<std::underlying_type_t<Enum>, int>,
                "the enumeration's underlying type is to be int, fixed: enum class E : int");

 public:
  /// `what`: how messages call such a thing, "smoother". `built_in`: the names of the enumerators.
  Registry(std::string what, EnumNames<Enum> built_in)
      : m_what(std::move(what)), m_built_in(built_in) {}

  /// @throws Error of kind `precondition` for a name that is taken, or is not of letters, digits
  /// and underscores
  Enum add(std::string_view name, std::string_view text, Entry entry) {
    const std::lock_guard lock(m_mutex);
    require(is_word(name), [&] {
      return "a " + m_what + " cannot be registered as \"" + std::string(name) +
             "\": a name is of letters, digits and underscores";
    });
    for (const EnumName<Enum>& known : m_built_in)
      require(known.name != name, [&] { return taken(name) + " is one of the library's own"; });
    for (const Registered& known : m_registered)
      require(known.name != name, [&] { return taken(name) + " was registered before"; });
    const auto value = static_cast<Enum>(first_registered + static_cast<int>(m_registered.size()));
    m_registered.push_back({std::string(name), std::string(text), std::move(entry)});
    return value;
  }

  /// What was registered for `value`; null where nothing was.
  const Entry* find(Enum value) const {
    const std::lock_guard lock(m_mutex);
    const Registered* const found = at(value);
    return found == nullptr ? nullptr : &found->entry;
  }

  /// The name of `value`, an enumerator or a registered one; empty where it is neither.
  std::string_view name(Enum value) const {
    for (const EnumName<Enum>& known : m_built_in)
      if (known.value == value) return known.name;
    const std::lock_guard lock(m_mutex);
    const Registered* const found = at(value);
    return found == nullptr ? std::string_view{} : std::string_view(found->name);
  }

  /// The names of the enumerators, and then those that are registered by now.
  EnumNames<Enum> names() const { return names(m_built_in); }

  /// The same after a list of other enumerators, which is static.
  EnumNames<Enum> names(EnumNames<Enum> built_in) const {
    const std::lock_guard lock(m_mutex);
    if (m_registered.empty()) return built_in;
    for (const Listed& listed : m_lists)
      if (listed.built_in.data() == built_in.data() && listed.built_in.size() == built_in.size() &&
          listed.names.size() == built_in.size() + m_registered.size())
        return listed.names;
    Listed& listed = m_lists.emplace_back();
    listed.built_in = built_in;
    listed.names.assign(built_in.begin(), built_in.end());
    int value = first_registered;
    for (const Registered& known : m_registered)
      listed.names.push_back({static_cast<Enum>(value++), known.name, known.text});
    return listed.names;
  }

 private:
  struct Registered {
    std::string name;
    std::string text;
    Entry entry;
  };
  struct Listed {
    EnumNames<Enum> built_in;
    std::vector<EnumName<Enum>> names;
  };

  static bool is_word(std::string_view name) {
    for (const char c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
    return !name.empty();
  }

  std::string taken(std::string_view name) const {
    return "a " + m_what + " cannot be registered as " + std::string(name) + ": that name";
  }

  const Registered* at(Enum value) const {
    const int i = static_cast<int>(value) - first_registered;
    const bool is_known = i >= 0 && i < static_cast<int>(m_registered.size());
    return is_known ? &m_registered[static_cast<std::size_t>(i)] : nullptr;
  }

  std::string m_what;
  EnumNames<Enum> m_built_in;
  mutable std::mutex m_mutex;
  std::deque<Registered> m_registered;  // a deque: its elements stay where they are
  mutable std::list<Listed> m_lists;
};

}  // namespace tessera
