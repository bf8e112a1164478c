// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/parameter_list.hpp"

#include "tessera/operator/error.hpp"

#include <Teuchos_StandardParameterEntryValidators.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

namespace tessera::tpetra {
namespace {

using parameters::Parameter;
using parameters::ParameterTree;
using parameters::ParameterValue;
using Teuchos::ParameterEntry;

struct Leaf {
  std::string key;
  ParameterValue value;
};

/// What messages call the list.
std::string source_of(const Teuchos::ParameterList& list) {
  return "parameter list '" + list.name() + "'";
}

[[noreturn]] void fail(const std::string& source, const std::string& message) {
  throw Error(ErrorKind::configuration, source + ": " + message);
}

/// Sets `value` where the entry holds a `Whole` that fits an int; one that does not fit becomes a
/// double, which is out of any range.
template <class Whole>
bool take_whole(const ParameterEntry& entry, ParameterValue& value) {
  if (!entry.isType<Whole>()) return false;
  const auto whole = Teuchos::getValue<Whole>(entry);
  if (std::in_range<int>(whole)) {
    value = static_cast<int>(whole);
  } else {
    value = static_cast<double>(whole);
  }
  return true;
}

template <class T>
bool take(const ParameterEntry& entry, ParameterValue& value) {
  if (!entry.isType<T>()) return false;
  value = Teuchos::getValue<T>(entry);
  return true;
}

ParameterValue value_of(const ParameterEntry& entry, const std::string& key,
                        const std::string& source) {
  ParameterValue value;
  if (take<bool>(entry, value) || take<int>(entry, value) || take<double>(entry, value) ||
      take<std::string>(entry, value) || take_whole<short>(entry, value) ||
      take_whole<unsigned>(entry, value) || take_whole<long>(entry, value) ||
      take_whole<unsigned long>(entry, value) || take_whole<long long>(entry, value) ||
      take_whole<unsigned long long>(entry, value)) {
    return value;
  }
  if (entry.isType<float>()) return static_cast<double>(Teuchos::getValue<float>(entry));
  fail(source, "parameter '" + key + "' has the type " + entry.getAny(false).typeName() +
                   "; expected bool, int, double or std::string");
}

/// True for a name of a section or of a list, or of a list's element.
bool is_sublist_of(const ParameterTree& tree, const std::string& key) {
  const auto& sections = tree.sections();
  const auto& lists = tree.lists();
  return std::any_of(sections.begin(), sections.end(),
                     [&](const auto& s) { return s.key == key; }) ||
         std::any_of(lists.begin(), lists.end(), [&](const auto& l) { return l.holds(key); });
}

class LeafCollector {
 public:
  LeafCollector(const ParameterTree& tree, std::string source)
      : m_tree(tree), m_source(std::move(source)) {}

  void collect(const Teuchos::ParameterList& list, const std::string& prefix,
               const std::vector<std::string>& ignored) {
    for (auto item = list.begin(); item != list.end(); ++item) {
      const std::string& name = list.name(item);
      const ParameterEntry& entry = list.entry(item);
      const std::string key = prefix + name;
      if (!entry.isList()) {
        if (!m_seen.insert(key).second)
          fail(m_source, "parameter '" + key + "' is given twice, nested and dotted");
        m_leaves.push_back({key, value_of(entry, key, m_source)});
      } else if (std::find(ignored.begin(), ignored.end(), name) == ignored.end()) {
        if (!is_sublist_of(m_tree, key)) {
          m_tree.require_known(key, m_source);
          fail(m_source, "'" + key + "' is a parameter, not a sublist");
        }
        collect(Teuchos::getValue<Teuchos::ParameterList>(entry), key + ".", {});
      }
    }
  }

  const std::vector<Leaf>& leaves() const { return m_leaves; }

 private:
  const ParameterTree& m_tree;
  std::string m_source;
  std::set<std::string> m_seen;
  std::vector<Leaf> m_leaves;
};

/// The sublist of a dotted key's section, and the key's last part.
Teuchos::ParameterList& descend(Teuchos::ParameterList& list, const std::string& key,
                                std::string& last) {
  Teuchos::ParameterList* here = &list;
  std::size_t start = 0;
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', start)) {
    here = &here->sublist(key.substr(start, dot - start));
    start = dot + 1;
  }
  last = key.substr(start);
  return *here;
}

/// What the parameter means and takes.
std::string documentation(const Parameter& parameter) {
  std::string text = parameter.text;
  if (parameter.choices.empty()) return text + " (" + parameter.expectation() + ")";
  for (const auto& choice : parameter.choices)
    text += "\n  \"" + choice.name + "\": " + choice.text;
  return text;
}

void add_parameter(Teuchos::ParameterList& list, const Parameter& parameter) {
  using Teuchos::rcp;
  std::string name;
  Teuchos::ParameterList& section = descend(list, parameter.key, name);
  const ParameterValue& value = parameter.default_value;
  const std::string text = documentation(parameter);
  if (const auto* flag = std::get_if<bool>(&value)) {
    section.set(name, *flag, text);
  } else if (const auto* whole = std::get_if<int>(&value)) {
    section.set(name, *whole, text,
                rcp(new Teuchos::EnhancedNumberValidator<int>(
                    static_cast<int>(parameter.lowest), static_cast<int>(parameter.highest))));
  } else if (const auto* number = std::get_if<double>(&value)) {
    section.set(
        name, *number, text,
        rcp(new Teuchos::EnhancedNumberValidator<double>(parameter.lowest, parameter.highest)));
  } else {
    Teuchos::Array<std::string> names;
    for (const auto& choice : parameter.choices)
      names.push_back(choice.name);
    section.set(name, std::get<std::string>(value), text, rcp(new Teuchos::StringValidator(names)));
  }
}

}  // namespace

void set_from_parameter_list(ParameterTree& tree, const Teuchos::ParameterList& list,
                             const std::vector<std::string>& ignored) {
  const std::string source = source_of(list);
  LeafCollector collector(tree, source);
  collector.collect(list, "", ignored);
  const auto in_list = [&](const Leaf& leaf) {
    return std::any_of(tree.lists().begin(), tree.lists().end(),
                       [&](const auto& elements) { return elements.holds(leaf.key); });
  };
  // A list's first element starts from other parameters: those of the whole list, in any order.
  for (const Leaf& leaf : collector.leaves()) {
    if (!in_list(leaf)) tree.set(leaf.key, leaf.value, source);
  }
  for (const auto& elements : tree.lists()) {
    std::vector<Leaf> own;
    for (const Leaf& leaf : collector.leaves()) {
      if (elements.holds(leaf.key)) own.push_back(leaf);
    }
    // "2" may stand before "1" in the list, but is the element behind it.
    const auto number = [&](const Leaf& leaf) {
      const std::string rest = leaf.key.substr(std::min(leaf.key.size(), elements.key.size() + 1));
      return std::strtol(rest.c_str(), nullptr, 10);
    };
    std::stable_sort(own.begin(), own.end(),
                     [&](const Leaf& a, const Leaf& b) { return number(a) < number(b); });
    for (const Leaf& leaf : own)
      tree.set(leaf.key, leaf.value, source);
  }
}

Teuchos::ParameterList valid_parameter_list(const ParameterTree& tree, const std::string& name) {
  Teuchos::ParameterList list(name);
  std::string last;
  for (const auto& section : tree.sections())
    descend(list, section.key, last).sublist(last, false, section.text);
  for (const Parameter& parameter : tree.parameters())
    add_parameter(list, parameter);
  for (const auto& elements : tree.lists()) {
    std::string text = elements.text + "; sublists \"0\", \"1\", ..., each with";
    for (const Parameter& parameter : elements.parameters)
      text += " " + parameter.key;
    descend(list, elements.key, last).sublist(last, false, text).disableRecursiveValidation();
  }
  return list;
}

}  // namespace tessera::tpetra
