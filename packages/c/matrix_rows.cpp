// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "c/matrix_rows.hpp"

#include <limits>
#include <string>

namespace tessera::c {

void require_matrix(const tessera_matrix& A) {
  constexpr std::int64_t max_rows = std::numeric_limits<Ordinal>::max();
  const auto shown = [](const char* name, std::int64_t value, const std::string& expected) {
    return std::string("A->") + name + " is " + std::to_string(value) + "; expected " + expected;
  };
  require_argument(A.value_type == TESSERA_DOUBLE || A.value_type == TESSERA_FLOAT, [&] {
    return shown("value_type", A.value_type, "TESSERA_DOUBLE or TESSERA_FLOAT");
  });
  require_argument(A.offset_type == TESSERA_INT32 || A.offset_type == TESSERA_INT64, [&] {
    return shown("offset_type", A.offset_type, "TESSERA_INT32 or TESSERA_INT64");
  });
  require_argument(A.block_size >= 0 && A.block_size <= 1024,
                   [&] { return shown("block_size", A.block_size, "0 to 1024"); });
  require_argument(A.rows >= 0 && A.rows <= max_rows / block_size_of(A), [&] {
    return shown("rows", A.rows, "0 to " + std::to_string(max_rows / block_size_of(A)));
  });
  const std::int64_t max_entries =
      A.offset_type == TESSERA_INT32 ? max_rows : std::numeric_limits<std::int64_t>::max();
  const std::int64_t per_block = static_cast<std::int64_t>(block_size_of(A)) * block_size_of(A);
  require_argument(A.entries >= 0 && A.entries <= max_entries / per_block, [&] {
    return shown("entries", A.entries,
                 "0 to " + std::to_string(max_entries / per_block) +
                     (A.offset_type == TESSERA_INT32 ? ", or offsets of TESSERA_INT64" : ""));
  });
  require_argument(A.rows > 0 || A.entries == 0,
                   [&] { return shown("entries", A.entries, "0, as there are no rows"); });
  require_argument((A.flags & ~static_cast<std::uint32_t>(TESSERA_TRUSTED)) == 0,
                   [&] { return shown("flags", A.flags, "TESSERA_TRUSTED or 0"); });
  for (const std::int64_t reserved : A.reserved) {
    require_argument(reserved == 0, [] {
      return std::string("A->reserved is not 0; begin with tessera_matrix A = {0}");
    });
  }
}

}  // namespace tessera::c
