// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows in the scalar that a cycle works in.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/matrix/magnitudes.hpp"

#include <cstdint>
#include <type_traits>

namespace tessera::distributed {

/// A in `Working`. @throws Error where float does not hold it.
template <class Working, class Space>
kernels::Csr<Working, Space, std::int64_t> working_values(
    const Space& exec, const kernels::Csr<double, Space, std::int64_t>& A) {
  if constexpr (std::is_same_v<Working, double>) {
    return A;
  } else {
    if (A.num_entries() > 0 && !holds<float>(magnitudes(exec, A.view())))
      throw Error(ErrorKind::bad_input,
                  "float does not hold the matrix: an entry is too large or a row too small; take "
                  "'precision' = 'same'");
    return kernels::convert_values<Working>(exec, A);
  }
}

}  // namespace tessera::distributed
