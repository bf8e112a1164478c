// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Products and inner products have the same bits on any number of a host's threads.
#include "mbsr_spmv_fixture.hpp"

#include "support/instances.hpp"

#include <mutex>
#include <set>
#include <string_view>
#include <thread>

namespace tessera::test::number_of_threads_test {

/// The threads that run a kernel on `exec`. Kokkos 4 may answer concurrency() for the default
/// instance, whichever is asked.
std::size_t threads_of(const HostSpace& exec) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  Kokkos::parallel_for(Kokkos::RangePolicy<HostSpace>(exec, 0, 4096), [&](int) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  exec.fence();
  return threads.size();
}

TEST(NumberOfThreads, InstancesDiffer) {
  const auto list = instances();
  const std::size_t all = threads_of(list[0]);
  if (all < 2) GTEST_SKIP() << "one thread";
  if (std::string_view(HostSpace::name()) == "Threads") GTEST_SKIP() << "Threads has one instance";
  ASSERT_EQ(list.size(), 2u);
  EXPECT_LT(threads_of(list[1]), all);
}

template <class Param>
class MbsrThreads : public ::testing::Test {};
using ThreadTypes =
    ::testing::Types<Mixed<double, double, HostSpace>, Mixed<Half, float, HostSpace>>;
TYPED_TEST_SUITE(MbsrThreads, ThreadTypes, StoredNames);

TESSERA_STORED_TEST(MbsrThreads, ProductsAndDots) {
  const auto uneven = random_matrix<double>(
      {.num_rows = 7000, .num_cols = 7000, .density = 0.001, .dense_row = 100, .seed = 4});
  for (const auto layout : tile_layouts) {
    const MbsrCase<TypeParam> t(uneven, layout, 2);
    for (const auto kernel :
         {kernels::MbsrSpmvKernel::tile_row, kernels::MbsrSpmvKernel::load_balanced}) {
      std::vector<std::vector<Working>> products;
      std::vector<std::vector<Working>> dots;
      std::vector<std::vector<double>> norms;
      for (const HostSpace& exec : instances()) {
        const auto plan = kernels::analyse_spmv(exec, t.A.view(), kernel);
        const auto y = t.rows_by_k(all_nan<Working>(t.size()));
        const auto dot = to_device(exec, all_nan<Working>(2));
        kernels::spmv_dot<Working>(exec, plan, t.A.view(), t.x, y, dot);
        products.push_back(to_host(y));
        dots.push_back(to_host(dot));
        const auto norm = to_device(exec, all_nan<double>(2));
        kernels::spmv_residual_norm<Working>(exec, plan, t.A.view(), t.y, t.x, y, norm);
        norms.push_back(to_host(norm));
      }
      expect_same_bits(products, "A x");
      expect_same_bits(dots, "<x, A x>");
      expect_same_bits(norms, "|b - A x|");
    }
  }
}

}  // namespace tessera::test::number_of_threads_test
