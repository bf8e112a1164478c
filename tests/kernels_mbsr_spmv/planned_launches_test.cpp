// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Plans of staged products that launch the same kernel with different amounts of shared memory, in
/// turns, from several threads, and for the first time while a stream records. A host has none.
#include "mbsr_spmv_fixture.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/launch_graph.hpp"

#include <iterator>
#include <thread>
#include <vector>

namespace tessera::test::planned_launches_test {

/// A product by the staged kernel of two lanes per tile row, whose sums depend on nothing else.
template <class Scalar, class Space>
struct StagedProduct {
  static constexpr std::int32_t n = 5000;

  kernels::Mbsr<Scalar, Space> A;
  MultiVector<Scalar, Space> x;
  kernels::MbsrSpmvPlan<Space> plan;
  std::vector<Scalar> expected;  ///< by the kernel without stages, to its bits

  /// The matrix has `width` columns beside one another in each row.
  StagedProduct(const Space& exec, std::int32_t width) {
    const auto host = by_rows<double>(n, n, [&](auto& host, std::int32_t i) {
      for (std::int32_t c = i; c < std::min(n, i + width); ++c)
        host.push(c, 1 + (i + 3 * c) % 5);
    });
    A = make_mbsr<Scalar>(exec, host, kernels::TileLayout::packed);
    // Small whole numbers: sums are exact in any order.
    std::vector<Scalar> numbers(n);
    for (std::int32_t i = 0; i < n; ++i)
      numbers[i] = static_cast<Scalar>(i % 7 - 3);
    x = to_multivector(exec, numbers, n);
    plan = kernels::analyse_spmv(exec, A.view(), kernels::MbsrSpmvKernel::staged, 2);
    const auto y = allocate_multivector<Scalar>(exec, "tessera::test", n);
    const auto plain = kernels::analyse_spmv(exec, A.view(), kernels::MbsrSpmvKernel::tile_row);
    kernels::spmv(exec, plain, Scalar(1), A.view(), x, Scalar(0), y);
    expected = to_host(y);
  }

  void write(const Space& exec, const MultiVector<Scalar, Space>& y) const {
    kernels::spmv(exec, plan, Scalar(1), A.view(), x, Scalar(0), y);
  }
};

template <class Param>
class PlannedLaunchesOfTiles : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Product = StagedProduct<Scalar, Space>;
  Space exec;

  MultiVector<Scalar, Space> empty() const {
    return allocate_multivector<Scalar>(exec, "tessera::test", Product::n);
  }
};
TYPED_TEST_SUITE(PlannedLaunchesOfTiles, Scalars, TypeNames);

TYPED_TEST(PlannedLaunchesOfTiles, ShareAKernel) {
  TESSERA_TEST_TYPES(TypeParam);
  using Product = typename TestFixture::Product;
  if (!kernels::has_staged_spmv<Space>()) GTEST_SKIP() << "no staged products";
  // Blocks with more shared memory than a kernel has unasked, 48 kB, and with less.
  constexpr auto wide = static_cast<std::int32_t>(320 / sizeof(Scalar));
  const std::vector<Product> products{{this->exec, wide}, {this->exec, 8}, {this->exec, wide / 2}};
  constexpr std::size_t order[] = {1, 0, 1, 2, 0, 2, 1};
  constexpr std::size_t num_threads = 3;
  std::vector<MultiVector<Scalar, Space>> results;
  for (std::size_t i = 0; i < num_threads * std::size(order); ++i)
    results.push_back(this->empty());
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < num_threads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < std::size(order); ++i)
        products[order[i]].write(this->exec, results[t * std::size(order) + i]);
    });
  }
  for (auto& thread : threads)
    thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::size_t p = order[i % std::size(order)];
    EXPECT_EQ(to_host(results[i]), products[p].expected) << i << " by plan " << p;
  }
}

TYPED_TEST(PlannedLaunchesOfTiles, BeginInARecording) {
  TESSERA_TEST_TYPES(TypeParam);
  using Product = typename TestFixture::Product;
  if constexpr (kernels::has_launch_graphs<Space>) {
    if (!kernels::has_staged_spmv<Space>()) GTEST_SKIP() << "no staged products";
    const Product product(this->exec, static_cast<std::int32_t>(320 / sizeof(Scalar)));
    const auto y = this->empty();
    const kernels::RecordingStream<Space> stream(this->exec);
    const auto graph = kernels::LaunchGraph<Space>::record(
        stream, [&](const Space& instance) { product.write(instance, y); });
    ASSERT_TRUE(graph.is_ready()) << graph.failure();
    for (int launch = 0; launch < 2; ++launch) {
      Kokkos::deep_copy(this->exec, y, Scalar(-1));
      graph.launch(this->exec);
      EXPECT_EQ(to_host(y), product.expected);
    }
  } else {
    GTEST_SKIP() << "no recordings";
  }
}

}  // namespace tessera::test::planned_launches_test
