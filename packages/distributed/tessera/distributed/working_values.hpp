// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Rows and vectors in the scalar that a cycle works in.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
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

/// A copy in `Working`.
template <class Working, class Space>
Array<const Working, Space> working_array(const Space& exec, const Array<double, Space>& given) {
  const auto made = allocate<Working>(exec, "tessera::distributed::working_array", given.extent(0));
  if (given.extent(0) > 0)
    kernels::copy<double, Working, Space>(exec, as_multivector(given), as_multivector(made));
  return made;
}

}  // namespace tessera::distributed
