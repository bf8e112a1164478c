// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One function for each of several types, in a class that is no template: the factories of a
/// method that is registered (operator/registry.hpp) for some scalars and spaces.
#pragma once

#include <any>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

/// How messages call a type of matrix: "double on OpenMP with offsets of 32 bits".
template <class Scalar, class Space, class Offset>
std::string matrix_type_text() {
  static_assert(std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>);
  return std::string(std::is_same_v<Scalar, double> ? "double" : "float") + " on " + Space::name() +
         " with offsets of " + std::to_string(8 * sizeof(Offset)) + " bits";
}

/// Holds `std::function`s of different signatures, one of each.
class FunctionsByType {
 public:
  /// `types`: how messages call what it is for, "double on OpenMP".
  template <class Signature>
  void add(std::function<Signature> function, std::string types) {
    m_functions.push_back({std::move(types), std::move(function)});
  }

  /// The function of this signature; null where there is none.
  template <class Signature>
  const std::function<Signature>* find() const {
    for (const Function& known : m_functions)
      if (const auto* found = std::any_cast<std::function<Signature>>(&known.function))
        return found;
    return nullptr;
  }

  bool empty() const { return m_functions.empty(); }

  /// What there are functions for: "double on OpenMP, float on OpenMP"; "nothing" where there are
  /// none.
  std::string types() const {
    std::string joined;
    for (const Function& known : m_functions)
      joined += (joined.empty() ? "" : ", ") + known.types;
    return joined.empty() ? "nothing" : joined;
  }

 private:
  struct Function {
    std::string types;
    std::any function;
  };

  std::vector<Function> m_functions;
};

}  // namespace tessera
