// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The parameters of coarsenings that a program has registered.
#pragma once

#include "tessera/operator/described_values.hpp"

#include <map>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace tessera::amg {

enum class CoarseningKind : int;

/// For each registered coarsening the values of its parameters. What nobody has set has the value
/// that it was registered with.
class RegisteredParameters {
 public:
  using Values = std::vector<DescribedValue>;

  RegisteredParameters() = default;
  RegisteredParameters(const RegisteredParameters&) = default;
  /// Values stay where they are: whoever was shown them refers to them (parameter trees).
  RegisteredParameters& operator=(const RegisteredParameters& other);
  ~RegisteredParameters() = default;

  /// Sets those of `kind`.
  /// @throws Error of kind `precondition` where `kind` is not registered with parameters of that
  /// type
  template <class Own>
  void set(CoarseningKind kind, const Own& own) {
    require_type(kind, typeid(Own));
    set_values(kind, initial_values(described_members(own)));
  }

  /// Those of `kind`, in the order of their description.
  Values values(CoarseningKind kind) const;

  /// Shows each coarsening's parameters to a visitor as a section of the coarsening's name.
  template <class Visitor>
  void describe(Visitor& visit) {
    for (const Registered& known : all_registered()) {
      if (known.members->empty()) continue;
      Section section{*known.members, stored(known.kind)};
      visit.section(known.name, section, known.text);
    }
  }

 private:
  struct Registered {
    CoarseningKind kind;
    std::string_view name;
    std::string_view text;
    const std::vector<DescribedMember>* members;
  };
  struct Section {
    const std::vector<DescribedMember>& members;
    Values& values;

    template <class Visitor>
    friend void describe_parameters(Visitor& visit, Section& section) {
      visit_members(visit, section.members, section.values);
    }
  };

  static std::vector<Registered> all_registered();
  static void require_type(CoarseningKind kind, const std::type_info& type);
  void set_values(CoarseningKind kind, const Values& values);
  Values& stored(CoarseningKind kind);

  std::map<CoarseningKind, Values> m_values;
};

}  // namespace tessera::amg
