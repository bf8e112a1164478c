// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A captured preconditioner beside one that is applied plainly.
#pragma once

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/captured_preconditioner.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tessera::test {

/// Three Jacobi sweeps, with a vector whose memory moves with the number of columns.
template <class Scalar, class Space>
class ThreeSweeps : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  ThreeSweeps(const Space& exec, const HostMatrix<Scalar>& A)
      : m_A(make_csr(exec, A)),
        m_plan(kernels::analyse_spmv(exec, m_A.view())),
        m_weights(kernels::inverse_diagonal(exec, m_A.view())) {}

  void prepare(const Space& exec, int k) override {
    if (m_x.extent(1) == static_cast<std::size_t>(k)) return;
    m_x = {};
    m_x = allocate_multivector<Scalar>(exec, "tessera::test::x", m_A.num_rows, k);
  }
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    ++calls;
    require(r.extent(0) == static_cast<std::size_t>(m_A.num_rows) && z.extent(0) == r.extent(0),
            [] { return std::string("r and z have another length than A"); });
    prepare(exec, static_cast<int>(r.extent(1)));
    kernels::multiply<Scalar, Space>(exec, Scalar(0.5), m_weights, r, m_x);
    kernels::jacobi_sweep(exec, m_plan, m_A.view(), m_weights, r, m_x, z);
    kernels::jacobi_sweep(exec, m_plan, m_A.view(), m_weights, r, z, m_x);
    kernels::copy<Scalar, Scalar, Space>(exec, m_x, z);
  }

  int calls = 0;  ///< on the host

 private:
  kernels::Csr<Scalar, Space> m_A;
  kernels::CsrSpmvPlan<Space> m_plan;
  Array<Scalar, Space> m_weights;
  MultiVector<Scalar, Space> m_x;
};

template <class Param>
class CapturedFixture : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Captured = CapturedPreconditioner<Scalar, Space>;
  using Inner = Preconditioner<Scalar, Space>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;
  static constexpr bool replays = kernels::has_launch_graphs<Space>;

  static constexpr int rows = 900;
  Space exec;
  HostMatrix<Scalar> A = poisson<Scalar>(30, 30);
  std::shared_ptr<ThreeSweeps<Scalar, Space>> inner =
      std::make_shared<ThreeSweeps<Scalar, Space>>(exec, A);
  ThreeSweeps<Scalar, Space> reference{exec, A};

  MultiVector<Scalar, Space> vectors(std::uint64_t seed, int k = 1) {
    return to_multivector(exec, random_vector<Scalar>(rows * k, seed), rows, k);
  }
  MultiVector<Scalar, Space> empty(int k = 1) {
    return allocate_multivector<Scalar>(exec, "tessera::test::z", rows, k);
  }

  /// M r into `z`, where nothing of what it was is left.
  std::vector<Scalar> applied(Inner& M, const MultiVector<Scalar, Space>& r,
                              const MultiVector<Scalar, Space>& z) {
    return applied_on(exec, M, r, z);
  }
  std::vector<Scalar> applied_on(const Space& instance, Inner& M,
                                 const MultiVector<Scalar, Space>& r,
                                 const MultiVector<Scalar, Space>& z) {
    Kokkos::deep_copy(instance, z, std::numeric_limits<Scalar>::quiet_NaN());
    M.apply(instance, r, z);
    instance.fence("tessera::test: applied");
    return to_host(z);
  }

  /// Time and again M makes of r what the preconditioner inside does.
  void expect_as_inside(Inner& M, const MultiVector<Scalar, Space>& r,
                        const MultiVector<Scalar, Space>& z, int times = 1) {
    const auto expected = applied(reference, r, empty(static_cast<int>(r.extent(1))));
    for (int i = 0; i < times; ++i)
      EXPECT_EQ(applied(M, r, z), expected) << i;
  }

  /// Writes new values where r lies.
  void renew(const MultiVector<Scalar, Space>& r, std::uint64_t seed) {
    Kokkos::deep_copy(exec, r, vectors(seed, static_cast<int>(r.extent(1))));
    exec.fence("tessera::test: renewed");
  }

  void expect_counts(const Captured& M, std::size_t captures, std::size_t launches) {
    EXPECT_EQ(M.failure(), "");
    EXPECT_EQ(M.num_captures(), replays ? captures : 0);
    EXPECT_EQ(M.num_launches(), replays ? launches : 0);
  }
};

}  // namespace tessera::test
