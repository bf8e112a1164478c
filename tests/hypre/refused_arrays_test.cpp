// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One process has no memory for one array: hypre's functions return an error on all of them, and
/// none waits for another. The test's limit of time makes a hang a failure.
#include "hypre/hypre_fixture.hpp"
#include "support/refused_array.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace tessera::test {
namespace hypre_test {
namespace {

class HypreRefusedArrays : public Hypre, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Hypre::SetUp();
    if (num_processes() == 1) GTEST_SKIP() << "one process passes on what an allocation throws";
  }
};

/// What `work` returns where the last process is refused array `number` of its own.
HYPRE_Int refused(long number, const std::function<HYPRE_Int()>& work, std::string& label) {
  const RefusedArray<Space> one(process() == num_processes() - 1 ? number : 0);
  const HYPRE_Int returned = work();
  label = one.label();
  return returned;
}

/// Refuses each array of the last process's, or `points` of them, while `work` is done.
void expect_errors(long points, const std::function<HYPRE_Int()>& work) {
  long count = 0;
  {
    const RefusedArray<Space> none(0);
    ASSERT_EQ(work(), 0) << take_message();
    count = process() == num_processes() - 1 ? none.count() : 0;
  }
  count = static_cast<long>(all_processes()->maximum_of(static_cast<double>(count)));
  ASSERT_GT(count, 10);
  points = std::min(points, count);
  for (long i = 0; i < points; ++i) {
    std::string label;
    const HYPRE_Int returned = refused(1 + i * count / points, work, label);
    EXPECT_NE(HYPRE_CheckError(returned, HYPRE_ERROR_MEMORY), 0) << label << ": " << returned;
    EXPECT_NE(take_message(), "");
  }
}

TEST_P(HypreRefusedArrays, EndSetupsUpdatesAndProductsOfAll) {
  const SharedProblem problem(GalleryParameters{.problem = ProblemKind::elasticity3d, .n = 5});
  const HypreMatrix A(problem.first, problem.host);
  const HypreVector b(problem.first, waves_of(problem));
  const HypreVector x(problem.first,
                      std::vector<double>(static_cast<std::size_t>(problem.num_rows())));
  const std::string words = std::string("gather_rows=30 amg.pool_memory=false ") + GetParam();
  const auto set_up = [&](const TesseraHandle& M) {
    return HYPRE_TesseraSetup(M.get(), A.get(), nullptr, nullptr);
  };
  const auto apply = [&](const TesseraHandle& M) {
    return HYPRE_TesseraSolve(M.get(), A.get(), b.get(), x.get());
  };
  expect_errors(100, [&] {
    const TesseraHandle M(words);
    const HYPRE_Int returned = set_up(M);
    return returned != 0 ? returned : apply(M);
  });
  expect_errors(60, [&] {
    const TesseraHandle M(words);
    const HYPRE_Int returned = set_up(M);
    return returned != 0 ? returned : set_up(M);
  });
  const TesseraHandle M(words);
  EXPECT_EQ(set_up(M), 0);
  EXPECT_EQ(apply(M), 0);
}

INSTANTIATE_TEST_SUITE_P(Numberings, HypreRefusedArrays,
                         ::testing::Values("block_size=3", "block_size=3 numbering=by_unknown"));

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
