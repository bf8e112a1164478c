// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A line of the tables that open choices are made by: selection_rules.hpp of each folder that
/// makes some.
#pragma once

namespace tessera::rules {

/// A value, with the property that it belongs to and the reason or record that it rests on.
/// docs/guide/selection_rules.md lists all of them; docs/rules_table.py writes it.
template <class T>
struct Rule {
  const char* property;  ///< what is compared with the value, or set to it
  T value;
  const char* reason;

  constexpr operator T() const { return value; }
};

}  // namespace tessera::rules
