// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/detail/minimum_degree.hpp"

#include "tessera/kernels/error.hpp"

#ifdef TESSERA_HAVE_SUITESPARSE
#include <amd.h>
#endif

namespace tessera::direct::detail {

MinimumDegree minimum_degree(int n, const std::vector<int>& offsets,
                             const std::vector<int>& columns) {
#ifdef TESSERA_HAVE_SUITESPARSE
  MinimumDegree result;
  result.order.resize(n);
  if (n == 0) return result;
  double info[AMD_INFO];
  // A null pointer is refused even where there is nothing to read.
  const int no_column = 0;
  const int status = amd_order(n, offsets.data(), columns.empty() ? &no_column : columns.data(),
                               result.order.data(), nullptr, info);
  require(status == AMD_OK || status == AMD_OK_BUT_JUMBLED,
          [&] { return "AMD did not order the matrix, its status is " + std::to_string(status); });
  result.entries = n + info[AMD_LNZ];
  result.flops = 2 * info[AMD_NMULTSUBS_LDL] + info[AMD_NDIV] + n;
  return result;
#else
  (void)n;
  (void)offsets;
  (void)columns;
  throw Error(ErrorKind::configuration, "this library was built without SuiteSparse");
#endif
}

}  // namespace tessera::direct::detail
