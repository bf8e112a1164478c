// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/solver_kind.hpp"

#include <algorithm>
#include <cctype>

namespace tessera::belos {

std::string name_of(SolverKind kind) {
  const auto* const entry =
      std::ranges::find(solver_kind_names, kind, &EnumName<SolverKind>::value);
  return std::string(entry->name);
}

std::optional<SolverKind> solver_kind_of(std::string_view name) {
  const auto is_called = [&](const EnumName<SolverKind>& kind) {
    return std::ranges::equal(name, kind.name, [](char given, char known) {
      return std::toupper(static_cast<unsigned char>(given)) == known;
    });
  };
  const auto* const entry = std::ranges::find_if(solver_kind_names, is_called);
  if (entry == std::end(solver_kind_names)) return std::nullopt;
  return entry->value;
}

}  // namespace tessera::belos
