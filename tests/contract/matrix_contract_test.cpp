// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrix kernels queue all work on the instance they are given, under labels of Tessera, and a
// product neither allocates nor copies nor waits.
#include "tools_recorder.hpp"

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/host_space.hpp"
#include "tessera/kernels/format/add.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/format/norms.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/kernels/format/statistics.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/matrix/crs_matrix.hpp"
#include "tessera/matrix/validate.hpp"

namespace tessera::test::matrix_contract_test {

TESSERA_TEST_SUITE(MatrixContract, Scalars, TypeNames);

/// An instance other than the default one, where the space can be divided.
template <class Space>
Space other_instance() {
  if (Space().concurrency() < 2) return Space();
  return Kokkos::Experimental::partition_space(Space(), 1, 1)[0];
}

bool is_ours(const std::string& label) { return label.rfind("tessera::", 0) == 0; }

template <class Space>
void expect_ours(const ToolsRecorder& recorder, const Space& exec) {
  EXPECT_FALSE(recorder.kernels.empty());
  const std::uint32_t device = Kokkos::Tools::Experimental::device_id(exec);
  for (const auto& kernel : recorder.kernels) {
    // Filling and copying Views is done by kernels of Kokkos.
    const bool by_kokkos = kernel.label.rfind("Kokkos::View", 0) == 0;
    EXPECT_TRUE(is_ours(kernel.label) || by_kokkos) << kernel.label;
    EXPECT_EQ(kernel.device, device) << kernel.label << " is not on the given instance";
  }
  for (const auto& label : recorder.allocations) {
    const bool scratch_of_kokkos = label.rfind("Kokkos::", 0) == 0;
    EXPECT_TRUE(is_ours(label) || scratch_of_kokkos) << label;
  }
}

TYPED_TEST(MatrixContract, ProductsQueueKernelsAndNothingElse) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec = other_instance<Space>();
  for (const auto& host : {random_spd_matrix<Scalar>(2000, 0.005), poisson<Scalar>(12, 11, 10)}) {
    const auto A = make_csr(exec, host);
    const std::size_t n = host.num_rows;
    const auto d = to_device(exec, random_vector<Scalar>(n));
    const auto x = to_multivector(exec, random_vector<Scalar>(3 * n), n, 3);
    const auto b = to_multivector(exec, random_vector<Scalar>(3 * n), n, 3);
    const auto y = to_multivector(exec, random_vector<Scalar>(3 * n), n, 3);
    const auto p = to_multivector(exec, random_vector<Scalar>(3 * n), n, 3);
    const auto dots = allocate<Scalar>(exec, "tessera::test", 3);
    for (const auto algorithm :
         {kernels::CsrSpmvAlgorithm::classical, kernels::CsrSpmvAlgorithm::load_balanced}) {
      const auto plan = kernels::analyse_spmv(exec, A.view(), algorithm);
      const auto products = [&] {
        kernels::spmv(exec, plan, Scalar(2), A.view(), x, Scalar(0), y);
        kernels::spmv(exec, plan, Scalar(0), A.view(), x, Scalar(2), y);
        kernels::spmv_residual(exec, plan, A.view(), b, x, y);
        kernels::spmv_dot(exec, plan, A.view(), x, y, dots);
        kernels::jacobi_sweep(exec, plan, A.view(), d, b, x, y);
        kernels::chebyshev_step(exec, plan, A.view(), d, Scalar(1), Scalar(1), b, x, p, y);
      };
      products();  // Kokkos makes room for its reductions once
      exec.fence("tessera::test");
      const ToolsRecorder recorder;
      products();
      expect_ours(recorder, exec);
      EXPECT_TRUE(recorder.allocations.empty()) << recorder.allocations[0];
      EXPECT_TRUE(recorder.copies.empty()) << recorder.copies[0];
      EXPECT_TRUE(recorder.fences.empty()) << recorder.fences[0].label;
    }
  }
}

TYPED_TEST(MatrixContract, OperatorQueuesKernelsAndNothingElse) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec = other_instance<Space>();
  const CrsMatrix<Scalar, Space> A(exec, make_csr(exec, poisson<Scalar>(12, 11, 10)));
  const auto x = to_multivector(exec, random_vector<Scalar>(1320), 1320);
  const auto y = to_multivector(exec, random_vector<Scalar>(1320), 1320);
  const auto dots = allocate<Scalar>(exec, "tessera::test", 1);
  A.apply_dot(exec, x, y, dots);
  exec.fence("tessera::test");
  const ToolsRecorder recorder;
  A.apply(exec, Scalar(1), x, Scalar(0), y);
  A.residual(exec, y, x, y);
  A.apply_dot(exec, x, y, dots);
  expect_ours(recorder, exec);
  // One pass over the matrix each; on a device the dot product is a pass over the vectors.
  EXPECT_EQ(recorder.kernels.size(), kernels::is_host_space<Space> ? 3u : 4u);
  EXPECT_TRUE(recorder.allocations.empty()) << recorder.allocations[0];
  EXPECT_TRUE(recorder.fences.empty()) << recorder.fences[0].label;
}

TYPED_TEST(MatrixContract, FormatKernelsUseTheInstanceAndOurLabels) {
  TESSERA_TEST_TYPES(TypeParam);
  const Space exec = other_instance<Space>();
  const auto A = make_csr(
      exec,
      random_matrix<Scalar>(
          {.num_rows = 500, .num_cols = 500, .density = 0.05, .dense_row = 9, .unsorted = true}));
  const auto d = to_device(exec, random_vector<Scalar>(500));
  const ToolsRecorder recorder;
  kernels::extract_diagonal(exec, A.view(), d);
  kernels::transpose(exec, A.view());
  kernels::sort_rows(exec, A.view());
  kernels::add(exec, Scalar(1), A.view(), Scalar(2), A.view());
  kernels::inf_norm(exec, A.view());
  kernels::row_statistics(exec, A.view());
  kernels::convert_offsets<std::int64_t>(exec, A);
  validate(exec, A.view());
  expect_ours(recorder, exec);
}

}  // namespace tessera::test::matrix_contract_test
