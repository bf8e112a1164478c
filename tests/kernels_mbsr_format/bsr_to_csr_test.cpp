// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/mbsr.hpp"
#include "support/reference.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/format/mbsr.hpp"
#include "tessera/kernels/format/mbsr/bsr_to_csr.hpp"
#include "tessera/kernels/format/mbsr/convert.hpp"

namespace tessera::test::bsr_to_csr_test {

TESSERA_TEST_SUITE(BsrTest, Matrices, TypeNames);

/// The entries of the blocks, given block row by block row.
template <class Scalar>
HostMatrix<Scalar> expand(const HostMatrix<int>& blocks, int size,
                          const std::vector<Scalar>& values) {
  return by_rows<Scalar>(size * blocks.num_rows, size * blocks.num_cols, [&](auto& A, int row) {
    for (auto b = blocks.offsets[row / size]; b < blocks.offsets[row / size + 1]; ++b) {
      for (int c = 0; c < size; ++c) {
        A.push(size * blocks.columns[b] + c, values[(b * size + row % size) * size + c]);
      }
    }
  });
}

TESSERA_TYPED_TEST(BsrTest, IsExactForEveryBlockSize) {
  for (const auto& pattern : edge_case_matrices<double>()) {
    if (pattern.num_entries() > 2000) continue;
    const HostMatrix<int> blocks{pattern.num_rows, pattern.num_cols, pattern.offsets,
                                 pattern.columns, std::vector<int>(pattern.num_entries())};
    const auto structure = make_csr<Offset>(exec, blocks);
    for (const int size : {1, 3, 4, 6}) {
      const auto values = random_vector<Scalar>(blocks.num_entries() * size * size);
      const auto on_device = to_device(exec, values);
      const kernels::BsrView<Scalar, Space, Offset> A{
          blocks.num_rows,   blocks.num_cols,   size,     blocks.num_entries(),
          structure.offsets, structure.columns, on_device};
      const auto csr = kernels::bsr_to_csr(exec, A);
      expect_same(to_host(csr), expand(blocks, size, values));
      if (size != 4) continue;
      const auto tiles = kernels::csr_to_mbsr<Scalar>(exec, csr.view());
      EXPECT_EQ(static_cast<std::size_t>(tiles.num_tiles()), blocks.num_entries());
      EXPECT_EQ(tiles.num_entries, 16 * blocks.num_entries());
    }
  }
}

TESSERA_TYPED_TEST(BsrTest, BadArgumentsThrow) {
  const auto offsets = to_device(exec, std::vector<Offset>{0, 1});
  const auto columns = to_device(exec, std::vector<Ordinal>{0});
  const auto values = to_device(exec, std::vector<Scalar>(4, Scalar(1)));
  kernels::BsrView<Scalar, Space, Offset> A{1, 1, 2, 1, offsets, columns, values};
  EXPECT_NO_THROW(kernels::bsr_to_csr(exec, A));
  A.block_size = 0;
  EXPECT_THROW(kernels::bsr_to_csr(exec, A), Error);
  A.block_size = 3;  // 9 values
  EXPECT_THROW(kernels::bsr_to_csr(exec, A), Error);
  A.block_size = 2;
  A.num_block_rows = 2'000'000'000;
  EXPECT_THROW(kernels::bsr_to_csr(exec, A), Error);
}

}  // namespace tessera::test::bsr_to_csr_test
