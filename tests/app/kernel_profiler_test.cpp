// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app/kernel_profiler.hpp"

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

namespace tessera::app::kernel_profiler_test {

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};
struct SumIndices {
  KOKKOS_FUNCTION void operator()(int i, long& sum) const { sum += i; }
};

void run_kernels() {
  const Kokkos::Profiling::ScopedRegion level("tessera::level 3");
  Kokkos::parallel_for("tessera::spmv::rows", 100, Nothing());
  Kokkos::parallel_for("tessera::spmv::rows", 100, Nothing());
  const Kokkos::Profiling::ScopedRegion step("tessera::setup::galerkin");
  long sum = 0;
  Kokkos::parallel_reduce("tessera::dot", 100, SumIndices(), sum);
}

const KernelTime* find(const std::vector<KernelTime>& kernels, const std::string& name) {
  for (const KernelTime& kernel : kernels) {
    if (kernel.kernel == name) return &kernel;
  }
  return nullptr;
}

TEST(KernelProfiler, CountsCallsByKernelLevelAndStep) {
  KernelProfiler profiler;
  run_kernels();
  const std::vector<KernelTime> kernels = profiler.take();
  const KernelTime* spmv = find(kernels, "spmv::rows");
  ASSERT_NE(spmv, nullptr);
  EXPECT_EQ(spmv->calls, 2);
  EXPECT_EQ(spmv->level, 3);
  EXPECT_EQ(spmv->step, "");
  EXPECT_GE(spmv->ms, 0);
  const KernelTime* dot = find(kernels, "dot");
  ASSERT_NE(dot, nullptr);
  EXPECT_EQ(dot->calls, 1);
  EXPECT_EQ(dot->step, "galerkin");
  EXPECT_EQ(dot->level, 3);
  EXPECT_TRUE(profiler.take().empty()) << "taken once";
}

TEST(KernelProfiler, CopiesCount) {
  const Kokkos::View<double*> a("a", 10), b("b", 10);
  KernelProfiler profiler;
  Kokkos::deep_copy(a, b);
  const std::vector<KernelTime> kernels = profiler.take();
  const KernelTime* copy = find(kernels, "copy");
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->level, -1);
}

int calls_of_other_tool = 0;
void count_call(const char*, std::uint32_t, std::uint64_t*) { ++calls_of_other_tool; }

TEST(KernelProfiler, PutsBackTheCallbacksOfAnotherTool) {
  const auto before = Kokkos::Tools::Experimental::get_callbacks();
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(count_call);
  {
    const KernelProfiler profiler;
  }
  calls_of_other_tool = 0;
  Kokkos::parallel_for("tessera::test", 1, Nothing());
  Kokkos::fence();
  EXPECT_EQ(calls_of_other_tool, 1);
  Kokkos::Tools::Experimental::set_callbacks(before);
}

TEST(KernelProfiler, GroupsByTheFirstPartOfTheLabel) {
  EXPECT_EQ(kernel_group("spmv::rows"), "spmv");
  EXPECT_EQ(kernel_group("dot"), "dot");
}

}  // namespace tessera::app::kernel_profiler_test
