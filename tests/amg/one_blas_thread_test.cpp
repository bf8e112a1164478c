// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/detail/one_blas_thread.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace tessera::test {
namespace {

TEST(OneBlasThread, HoldsAnOpenBlasToOneThreadAndPutsItBack) {
  const auto parallel = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_parallel"));
  const auto threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (parallel == nullptr || threads == nullptr || set == nullptr || parallel() != 1) {
    GTEST_SKIP() << "the BLAS of this process has no threads of its own";
  }
  const int before = threads();
  set(2);
  {
    const amg::detail::OneBlasThread outer;
    EXPECT_EQ(threads(), 1);
    {
      const amg::detail::OneBlasThread inner;
      EXPECT_EQ(threads(), 1);
    }
    EXPECT_EQ(threads(), 1);
  }
  EXPECT_EQ(threads(), 2);
  set(before);
}

}  // namespace
}  // namespace tessera::test
