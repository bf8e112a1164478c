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

/// A call of hypre's that asks for memory.
using Work = std::function<HYPRE_Int(const TesseraHandle&)>;

/// Refuses each array of the last process's, or `points` of them, in `work`, which comes after
/// `before` with a handle of its own.
void expect_errors(const std::string& words, long points, const Work& before, const Work& work) {
  const bool is_culprit = process() == num_processes() - 1;
  long count = 0;
  {
    const TesseraHandle M(words);
    ASSERT_EQ(before(M), 0) << take_message();
    const RefusedArray<Space> none(0);
    ASSERT_EQ(work(M), 0) << take_message();
    count = is_culprit ? none.count() : 0;
  }
  count = static_cast<long>(all_processes()->maximum_of(static_cast<double>(count)));
  ASSERT_GT(count, 0);
  points = std::min(points, count);
  for (long i = 0; i < points; ++i) {
    const TesseraHandle M(words);
    ASSERT_EQ(before(M), 0) << take_message();
    HYPRE_Int returned = 0;
    std::string label;
    {
      const RefusedArray<Space> one(is_culprit ? 1 + i * count / points : 0);
      returned = work(M);
      label = one.label();
    }
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
  const auto nothing = [](const TesseraHandle&) { return HYPRE_Int(0); };
  expect_errors(words, 100, nothing, set_up);
  expect_errors(words, 60, set_up, set_up);
  expect_errors(words, 60, set_up, apply);
  const TesseraHandle M(words);
  EXPECT_EQ(set_up(M), 0);
  EXPECT_EQ(apply(M), 0);
}

INSTANTIATE_TEST_SUITE_P(Numberings, HypreRefusedArrays,
                         ::testing::Values("block_size=3", "block_size=3 numbering=by_unknown"));

}  // namespace
}  // namespace hypre_test
}  // namespace tessera::test
