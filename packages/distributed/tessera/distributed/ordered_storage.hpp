// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// How levels may be stored whose rows are summed in the order of all columns.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/amg/setup/level_formats.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/operator/parameter_description.hpp"

#include <string>
#include <type_traits>

namespace tessera::distributed {

/// What parameters call a value, of the names that they have for it.
template <class Enum>
std::string name_among(EnumNames<Enum> names, Enum value) {
  for (const EnumName<Enum>& known : names)
    if (known.value == value) return std::string(known.name);
  return "another one";
}

/// Whether ordered rows of a level that works in `working` are in that scalar.
inline bool is_stored_ordered(StorageScalar scalar, StorageScalar working) {
  return scalar == StorageScalar::same || scalar == working;
}

/// Throws for a storage that ordered rows do not have: they are compressed ones in `Working`.
/// `matrix`: "A", "P" or "R" of the level of that number.
template <class Working>
void check_ordered_storage(const amg::Parameters& p, int level, const std::string& matrix,
                           const StorageParameters& storage) {
  const auto refuse = [&](const std::string& member, const std::string& what,
                          const std::string& expected, const std::string& found) {
    throw Error(ErrorKind::configuration, "'reproducible' is for " + what + ": '" +
                                              amg::storage_setting(p, level, matrix, member) +
                                              "' of level " + std::to_string(level) + " is " +
                                              expected + ", not " + found);
  };
  const StorageFormat format = storage.format;
  if (format != StorageFormat::automatic && format != StorageFormat::csr)
    refuse("format", "compressed rows", "auto or csr", name_among(storage_format_names(), format));
  constexpr bool is_double = std::is_same_v<Working, double>;
  if (!is_stored_ordered(storage.scalar,
                         is_double ? StorageScalar::float64 : StorageScalar::float32))
    refuse("scalar", "rows in the scalar of the vectors",
           is_double ? "same or double" : "same or float",
           name_among(EnumNames<StorageScalar>(storage_scalar_names), storage.scalar));
}

}  // namespace tessera::distributed
