// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which smoothers and operators can be written as steps of a cycle in one kernel, and as which.
#include "smoother_fixture.hpp"

#include "tessera/kernels/format/convert.hpp"
#include "tessera/operator/step_writer.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tessera::test {
namespace {

using kernels::StepKind;

TESSERA_TEST_SUITE(WriteStepsTest, Matrices, TypeNames);

/// The kinds of the steps of a smoother's sweeps; none where it has no steps.
template <class Scalar, class Space>
std::vector<StepKind> kinds_of(const Smoother<Scalar, Space>& smoother, const SweepVectors& at) {
  StepWriter<Scalar, Space> writer;
  std::vector<StepKind> kinds;
  if (!smoother.write_steps(writer, at)) return kinds;
  for (const auto& step : writer.steps())
    kinds.push_back(step.kind);
  EXPECT_EQ(writer.steps().back().y, at.x_out);
  return kinds;
}

TESSERA_TYPED_TEST(WriteStepsTest, SweepsAreSteps) {
  const auto A = std::make_shared<StoredCsr<Scalar, Space, Offset>>(
      exec, make_csr<Offset>(exec, random_spd_matrix<Scalar>(20, 0.2)));
  const Array<const Scalar, Space> d(kernels::inverse_diagonal(exec, A->view()));
  const SweepVectors from_zero{.b = 0, .x_out = 1};
  const SweepVectors from_guess{.b = 0, .x_in = 2, .x_out = 1};
  for (const SmootherType type : all_smoothers) {
    const auto smoother = make_smoother<Scalar, Space>(
        exec, {.type = type, .sweeps = 2, .chebyshev = {.degree = 2}}, A, A->view(), d, 1.5);
    const bool is_polynomial = type == SmootherType::chebyshev;
    const bool is_by_launches = type == SmootherType::ilu || type == SmootherType::block_jacobi ||
                                type == SmootherType::gauss_seidel ||
                                type == SmootherType::two_stage_gauss_seidel ||
                                type == SmootherType::fsai;
    const std::size_t products = is_by_launches ? 0 : is_polynomial ? 4 : 2;
    std::vector<StepKind> kinds(products, is_polynomial ? StepKind::chebyshev : StepKind::jacobi);
    EXPECT_EQ(kinds_of(*smoother, from_guess), kinds) << static_cast<int>(type);
    if (!kinds.empty()) kinds.front() = StepKind::scale;
    EXPECT_EQ(kinds_of(*smoother, from_zero), kinds) << static_cast<int>(type);
  }
}

TESSERA_TYPED_TEST(WriteStepsTest, RowsOfTheVectorsScalarAlone) {
  const auto csr = make_csr<Offset>(exec, random_spd_matrix<Scalar>(20, 0.2));
  const StoredCsr<Scalar, Space, Offset> A(exec, csr);
  kernels::Step<Scalar> step;
  const SparseOperator<Scalar, Space>& op = A;
  ASSERT_TRUE(op.write_rows(step));
  EXPECT_EQ(step.num_rows, 20);
  EXPECT_EQ(step.num_entries, A.num_entries());
  EXPECT_EQ(step.values, A.view().values.data());
  EXPECT_EQ(step.offsets == nullptr, sizeof(Offset) == 8);
  EXPECT_EQ(step.wide_offsets == nullptr, sizeof(Offset) == 4);
  if constexpr (std::is_same_v<Scalar, double>) {
    const StoredMatrix<double, kernels::Csr<float, Space, Offset>> rounded(
        exec, kernels::convert_values<float>(exec, csr));
    const SparseOperator<double, Space>& rounded_op = rounded;
    EXPECT_FALSE(rounded_op.write_rows(step));
  }
}

}  // namespace
}  // namespace tessera::test
