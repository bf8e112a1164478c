// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Strength by several lanes per node is that by one thread per node, bit by bit, on any space.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/format/offsets.hpp"
#include "tessera/kernels/graph/detail/node_strength.hpp"
#include "tessera/kernels/graph/detail/scalar_strength.hpp"
#include "tessera/kernels/graph/detail/strong_passes.hpp"
#include "tessera/kernels/graph/hubs.hpp"

#include <limits>
#include <utility>

namespace tessera::test::strength_by_lanes_test {

namespace passes = kernels::detail;

template <class Param>
class StrengthByLanesTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using View = kernels::CsrView<Scalar, Space, Offset>;
  Space exec;

  struct Result {
    std::vector<double> scale;
    std::vector<Offset> offsets;
    std::vector<Ordinal> columns;
    bool operator==(const Result&) const = default;
  };

  /// `make(scale, theta_squared)` is the strength to pass over.
  template <class Make>
  Result run(const View& A, int block_size, StrengthMeasure measure, double theta,
             std::size_t longest_row, int lanes, const Make& make) {
    const Ordinal n = A.num_rows / block_size;
    const kernels::HubTest<Space, Offset> is_hub{A.offsets, block_size, longest_row};
    const auto scale = allocate<double>(exec, "tessera::test", n);
    const auto unscaled = make(ArrayView<const double, Space>(), 0.0);
    using Strength = std::decay_t<decltype(unscaled)>;
    kernels::for_each_row(exec, "scale", n, lanes,
                          passes::StoreScale<Space, Strength, kernels::HubTest<Space, Offset>>{
                              unscaled, measure, is_hub, scale});
    const Strength strength = make(scale, theta * theta);
    const auto offsets = allocate<Offset>(exec, "tessera::test", n + 1);
    kernels::for_each_row(exec, "count", n, lanes,
                          passes::CountStrong<Space, Offset, Strength>{strength, n, offsets});
    const auto num_edges = kernels::counts_to_offsets<Offset, Space>(exec, offsets);
    const auto columns = allocate<Ordinal>(exec, "tessera::test", num_edges);
    kernels::for_each_row(
        exec, "fill", n, lanes,
        passes::FillStrong<Space, Offset, Strength>{strength, n, offsets, columns});
    return {to_host(scale), to_host(offsets), to_host(columns)};
  }

  Result run(const HostMatrix<Scalar>& A, int block_size, StrengthMeasure measure, double theta,
             std::size_t longest_row, int lanes) {
    const auto on_device = make_csr<Offset>(exec, A);
    const View view = on_device.view();
    if (block_size == 1) {
      return run(view, 1, measure, theta, longest_row, lanes,
                 [&](const ArrayView<const double, Space>& scale, double theta_squared) {
                   return passes::ScalarStrength<Scalar, Space, Offset>{view, scale, theta_squared};
                 });
    }
    return run(view, block_size, measure, theta, longest_row, lanes,
               [&](const ArrayView<const double, Space>& scale, double theta_squared) {
                 return passes::NodeStrength<Scalar, Space, Offset>{view, scale, theta_squared,
                                                                    block_size};
               });
  }

  void expect_same(const HostMatrix<Scalar>& A, int block_size) {
    for (const auto measure : {StrengthMeasure::largest, StrengthMeasure::diagonal}) {
      for (const double theta : {0.0, 0.08, 0.5}) {
        for (const std::size_t longest :
             {std::size_t(20), std::numeric_limits<std::size_t>::max()}) {
          const auto expected = run(A, block_size, measure, theta, longest, 0);
          for (const int lanes : {4, 8, 16, 32})
            EXPECT_EQ(run(A, block_size, measure, theta, longest, lanes), expected)
                << "theta " << theta << ", lanes " << lanes << ", block size " << block_size;
        }
      }
    }
  }

  /// Few values, whose sums are exact in any order; some rows are empty, without a diagonal, or
  /// long.
  HostMatrix<Scalar> random_matrix(Ordinal n, int seed, bool sorted) {
    Random random(seed);
    return by_rows<Scalar>(n, n, [&](auto& A, Ordinal i) {
      const int kind = random.below(12);
      std::vector<Ordinal> columns;
      for (Ordinal j = 0; kind > 0 && j < n; ++j) {
        if (random.below(kind == 1 ? 2 : 25) == 0 || (j == i && kind != 2)) columns.push_back(j);
      }
      if (!sorted && columns.size() > 1) std::swap(columns.front(), columns.back());
      for (const Ordinal j : columns)
        A.push(j, Scalar(j == i ? random.below(40) - 4 : 0.25 * (random.below(9) - 6)));
    });
  }

  /// Full blocks: the rows of a node have the same columns.
  HostMatrix<Scalar> blocks(Ordinal nodes, Ordinal m, int seed, bool ragged) {
    Random random(seed);
    std::vector<Ordinal> neighbours;
    return by_rows<Scalar>(nodes * m, nodes * m, [&](auto& A, Ordinal row) {
      const Ordinal node = row / m;
      if (row % m == 0) neighbours.clear();
      for (Ordinal j = 0; j < nodes && row % m == 0; ++j)
        if (j == node || random.below(3) == 0) neighbours.push_back(j);
      for (const Ordinal j : neighbours) {
        for (Ordinal c = 0; c < m; ++c) {
          if (ragged && random.below(20) == 0) continue;
          A.push(j * m + c, Scalar(j == node ? 8 + random.below(4) : 0.5 * (random.below(7) - 3)));
        }
      }
    });
  }
};
TYPED_TEST_SUITE(StrengthByLanesTest, Matrices, TypeNames);

TYPED_TEST(StrengthByLanesTest, OfSingleUnknowns) {
  this->expect_same(this->random_matrix(150, 1, true), 1);
  this->expect_same(this->random_matrix(150, 2, false), 1);
}

TYPED_TEST(StrengthByLanesTest, OfBlocks) {
  for (const Ordinal m : {2, 3, 6}) {
    this->expect_same(this->blocks(50, m, 3, false), m);
    this->expect_same(this->blocks(50, m, 4, true), m);
  }
  this->expect_same(this->random_matrix(150, 5, false), 3);
}

TYPED_TEST(StrengthByLanesTest, OfNothing) {
  this->expect_same(this->random_matrix(0, 1, true), 1);
  this->expect_same(this->random_matrix(1, 1, true), 1);
}

}  // namespace tessera::test::strength_by_lanes_test
