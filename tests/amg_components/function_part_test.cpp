// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The part of a system that couples each function to itself.
#include "support/device.hpp"
#include "support/host_values.hpp"
#include "support/random_matrix.hpp"
#include "support/same_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/amg/coarsening/function_part.hpp"

namespace tessera::test::function_part_test {

TESSERA_TEST_SUITE(FunctionPart, Matrices, TypeNames);

TESSERA_TYPED_TEST(FunctionPart, HasTheEntriesWithinFunctions) {
  for (const int block_size : {1, 2, 3}) {
    const auto A = random_matrix<Scalar>(
        {.num_rows = 60, .num_cols = 60, .density = 0.2, .empty_row_fraction = 0.2});
    const auto functions = amg::functions_of_nodes(exec, A.num_rows, block_size);
    const auto device = make_csr<Offset>(exec, A);
    auto part = amg::function_pattern(exec, device.view(), functions);
    amg::fill_function_part(exec, device.view(), functions, part);
    const auto expected = by_rows<Scalar>(60, 60, [&](auto& B, std::int32_t i) {
      for (auto e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
        if (A.columns[e] % block_size == i % block_size) B.push(A.columns[e], A.values[e]);
      }
    });
    expect_same(to_host(part), expected);
  }
}

TESSERA_TYPED_TEST(FunctionPart, CoarsePointsKeepTheirs) {
  const auto functions = amg::functions_of_nodes(exec, 6, 3);
  EXPECT_EQ(to_host(functions), (std::vector<Ordinal>{0, 1, 2, 0, 1, 2}));
  const auto number = to_device(exec, std::vector<Ordinal>{-1, 0, 1, -1, -1, 2});
  EXPECT_EQ(to_host(amg::functions_of_coarse_points<Space>(exec, functions, number, 3)),
            (std::vector<Ordinal>{1, 2, 2}));
}

}  // namespace tessera::test::function_part_test
