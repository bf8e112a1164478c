// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One place for each parameter's name, meaning and range.
///
/// A component's parameters are an aggregate with default member initialisers. Beside it stands
/// `describe_parameters(visitor, parameters)`, found by argument-dependent lookup, which names each
/// member once: for the string parser, `tessera params`, the JSON schema and the report, and for
/// the library to check ranges (operator/check_parameters.hpp).
///
/// @code
/// struct JacobiParameters {
///   int sweeps = 1;
///   double omega = 4.0 / 3.0;
/// };
/// template <class Visitor>
/// void describe_parameters(Visitor& visit, JacobiParameters& p) {
///   visit("sweeps", p.sweeps, "relaxation sweeps a visit", Range{1, 100});
///   visit("omega", p.omega, "damping over the spectral radius", Range{0.0, 2.0});
/// }
/// @endcode
///
/// A visitor takes `(name, bool&, text)`, `(name, int& or double&, text, Range)`, `(name, Enum&,
/// text, EnumNames<Enum>)`, `section(name, nested_parameters, text)`, and `list(name,
/// std::vector<Nested>&, text, first)`, where a new list's first element starts as `first()`.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string_view>

namespace tessera {

/// Inclusive bounds of a numeric parameter.
template <class T>
struct Range {
  T lowest = std::numeric_limits<T>::lowest();
  T highest = std::numeric_limits<T>::max();
};
template <class T>
Range(T, T) -> Range<T>;

/// One value of an enumeration as users write it, and what it means.
template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
  std::string_view text;
};

/// All values of an enumeration; a view of static storage.
template <class Enum>
using EnumNames = std::span<const EnumName<Enum>>;

}  // namespace tessera
