// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A captured preconditioner gives the bits of the one inside, by a recording where that can be and
/// plainly where it cannot. On spaces without graphs it is always plain.
#include "tessera/operator/captured_preconditioner.hpp"

#include "support/device.hpp"
#include "support/error_of.hpp"
#include "support/launches.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/launch_graph.hpp"
#include "tessera/kernels/format/diagonal.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace tessera::test {

/// More than Kokkos passes as an argument unless it is told to.
template <class Scalar, class Space>
struct AddManyNumbers {
  Scalar numbers[256];
  MultiVectorView<Scalar, Space> z;
  KOKKOS_FUNCTION void operator()(Ordinal i) const { z(i, 0) += numbers[i % 256]; }
};

template <class Scalar, class Space>
struct SumColumn {
  ConstMultiVectorView<Scalar, Space> r;
  KOKKOS_FUNCTION void operator()(Ordinal i, double& sum) const { sum += r(i, 0); }
};

namespace captured_preconditioner_test {

/// What a test's callable does.
template <class Scalar, class Space>
class CallablePreconditioner : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;
  using Apply = std::function<void(const Space&, const ConstVectors&, const Vectors&)>;

  explicit CallablePreconditioner(Apply apply)
      : m_apply(std::make_unique<Apply>(std::move(apply))) {}
  void prepare(const Space&, int) override {}
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    ++calls;
    (*m_apply)(exec, r, z);
  }

  int calls = 0;

 private:
  /// Apart, as GCC 16 imagines calls of this class's `apply` on objects of others, and warns that
  /// they are too small.
  std::unique_ptr<Apply> m_apply;
};

/// Three Jacobi sweeps, with a vector whose memory moves with the number of columns.
template <class Scalar, class Space>
class Sweeps : public Preconditioner<Scalar, Space> {
 public:
  using typename Preconditioner<Scalar, Space>::ConstVectors;
  using typename Preconditioner<Scalar, Space>::Vectors;

  Sweeps(const Space& exec, const HostMatrix<Scalar>& A)
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
class CapturedPreconditionerTest : public ::testing::Test {
 public:
  TESSERA_TEST_TYPES(Param);
  using Captured = CapturedPreconditioner<Scalar, Space>;
  using Inner = Preconditioner<Scalar, Space>;
  using Callable = CallablePreconditioner<Scalar, Space>;
  using ConstVectors = ConstMultiVectorView<Scalar, Space>;
  using Vectors = MultiVectorView<Scalar, Space>;
  static constexpr bool replays = kernels::has_launch_graphs<Space>;

  static constexpr int rows = 900;
  Space exec;
  HostMatrix<Scalar> A = poisson<Scalar>(30, 30);
  std::shared_ptr<Sweeps<Scalar, Space>> inner = std::make_shared<Sweeps<Scalar, Space>>(exec, A);
  Sweeps<Scalar, Space> reference{exec, A};

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
TYPED_TEST_SUITE(CapturedPreconditionerTest, Scalars, TypeNames);

TYPED_TEST(CapturedPreconditionerTest, OnePairOfVectorsIsRecordedAtItsSecondApplication) {
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  for (int i = 0; i < 6; ++i) {
    this->renew(r, 10 + i);
    this->expect_as_inside(M, r, z);
  }
  this->expect_counts(M, 1, 5);
  EXPECT_EQ(this->inner->calls, TestFixture::replays ? 2 : 6);
}

TYPED_TEST(CapturedPreconditionerTest, PairsThatTakeTurnsHaveARecordingEach) {
  typename TestFixture::Captured M(this->inner);
  const auto p = this->vectors(1);
  const auto r = this->vectors(2);
  const auto p_hat = this->empty();
  const auto s_hat = this->empty();
  for (int i = 0; i < 4; ++i) {
    this->renew(p, 10 + i);
    this->renew(r, 20 + i);
    this->expect_as_inside(M, p, p_hat);
    this->expect_as_inside(M, r, s_hat);
  }
  this->expect_counts(M, 2, 6);
}

TYPED_TEST(CapturedPreconditionerTest, VectorsThatDoNotComeBackAreCopied) {
  TESSERA_TEST_TYPES(TypeParam);
  typename TestFixture::Captured M(this->inner);
  std::vector<MultiVector<Scalar, Space>> basis;
  for (int i = 0; i < 10; ++i)
    basis.push_back(this->vectors(i));
  const auto z = this->empty();
  for (int cycle = 0; cycle < 2; ++cycle) {
    for (const auto& vector : basis)
      this->expect_as_inside(M, vector, z);
  }
  this->expect_counts(M, 1, 16);
  EXPECT_EQ(this->inner->calls, TestFixture::replays ? 5 : 20);
  // One that comes back has a recording of its own again.
  for (int i = 0; i < 3; ++i) {
    this->renew(basis[0], 50 + i);
    this->expect_as_inside(M, basis[0], z);
  }
  this->expect_counts(M, 2, 19);
}

TYPED_TEST(CapturedPreconditionerTest, AnotherNumberOfColumnsIsRecordedAgain) {
  typename TestFixture::Captured M(this->inner);
  std::size_t captures = 0;
  std::size_t launches = 0;
  for (const int k : {1, 3, 1, 2}) {
    const auto r = this->vectors(k, k);
    const auto z = this->empty(k);
    SCOPED_TRACE(k);
    if (k == 3) M.prepare(this->exec, k);
    for (int i = 0; i < 3; ++i) {
      this->renew(r, 10 * k + i);
      this->expect_as_inside(M, r, z);
    }
    M.prepare(this->exec, k);
    this->expect_as_inside(M, r, z);
    this->expect_counts(M, captures += 1, launches += 3);
  }
}

TYPED_TEST(CapturedPreconditionerTest, ColumnsOfALargerBlockAreTaken) {
  TESSERA_TEST_TYPES(TypeParam);
  typename TestFixture::Captured M(this->inner);
  constexpr int rows = TestFixture::rows;
  const auto block = to_multivector(this->exec, random_vector<Scalar>(2 * rows * 2), 2 * rows, 2);
  const typename TestFixture::ConstVectors r =
      Kokkos::subview(block, std::pair<int, int>(100, 100 + rows), Kokkos::ALL);
  const auto z = this->empty(2);
  const auto expected = this->empty(2);
  this->reference.apply(this->exec, r, expected);
  const auto expected_values = to_host(expected);
  for (int i = 0; i < 3; ++i) {
    Kokkos::deep_copy(this->exec, z, Scalar(0));
    M.apply(this->exec, r, z);
    EXPECT_EQ(to_host(z), expected_values);
  }
  this->expect_counts(M, 1, 2);
}

TYPED_TEST(CapturedPreconditionerTest, ARecordingIsLaunchedOnAnyInstance) {
  TESSERA_TEST_TYPES(TypeParam);
  std::vector<Space> instances{Space()};
  if (Space().concurrency() >= 2) {
    for (const Space& part : Kokkos::Experimental::partition_space(Space(), 1, 1))
      instances.push_back(part);
  }
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  const auto expected = this->empty();
  std::size_t applications = 0;
  for (int i = 0; i < 3; ++i) {
    for (const Space& instance : instances) {
      this->renew(r, ++applications);
      const auto values = this->applied_on(instance, M, r, z);
      EXPECT_EQ(values, this->applied(this->reference, r, expected)) << i;
    }
  }
  this->expect_counts(M, 1, applications - 1);
}

TYPED_TEST(CapturedPreconditionerTest, WhatIsForgottenIsRecordedAgain) {
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  this->expect_as_inside(M, r, z, 3);
  M.forget();
  this->expect_as_inside(M, r, z, 3);
  this->expect_counts(M, 2, 4);
}

TYPED_TEST(CapturedPreconditionerTest, WrongArgumentsAreRefusedAndLeaveItAsItWas) {
  TESSERA_TEST_TYPES(TypeParam);
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  const auto short_vector = allocate_multivector<Scalar>(this->exec, "tessera::test", 5, 1);
  for (int i = 0; i < 3; ++i) {
    this->expect_as_inside(M, r, z);
    expect_error(error_of([&] { M.apply(this->exec, short_vector, z); }), ErrorKind::precondition,
                 {"another length"});
    expect_error(error_of([&] { M.apply(this->exec, r, short_vector); }), ErrorKind::precondition,
                 {"another length"});
  }
  this->expect_as_inside(M, r, z, 3);
  EXPECT_EQ(M.failure(), "");
}

TYPED_TEST(CapturedPreconditionerTest, WhatCannotBeRecordedIsAppliedPlainly) {
  TESSERA_TEST_TYPES(TypeParam);
  using ConstVectors = typename TestFixture::ConstVectors;
  using Vectors = typename TestFixture::Vectors;
  using Apply = typename TestFixture::Callable::Apply;
  constexpr int rows = TestFixture::rows;
  const auto scaled = [](const Space& exec, Scalar factor, const ConstVectors& r,
                         const Vectors& z) {
    kernels::axpby<Scalar, Space>(exec, factor, r, Scalar(0), z);
  };
  std::vector<Scalar> factors(rows, Scalar(3));
  const auto device_factors = allocate<Scalar>(this->exec, "tessera::test::factors", rows);
  std::vector<std::pair<const char*, Apply>> cases;
  cases.emplace_back("waits", [&](const Space& exec, const ConstVectors& r, const Vectors& z) {
    scaled(exec, Scalar(3), r, z);
    exec.fence("tessera::test: in an application");
  });
  cases.emplace_back("waits for all",
                     [&](const Space& exec, const ConstVectors& r, const Vectors& z) {
                       scaled(exec, Scalar(3), r, z);
                       Kokkos::fence("tessera::test: in an application");
                     });
  cases.emplace_back("allocates", [&](const Space& exec, const ConstVectors& r, const Vectors& z) {
    const auto v = allocate_multivector<Scalar>(exec, "tessera::test::temporary", rows, 1);
    scaled(exec, Scalar(3), r, v);
    kernels::copy<Scalar, Scalar, Space>(exec, v, z);
    exec.fence("tessera::test: v is used no more");
  });
  cases.emplace_back(
      "sums on the host", [&](const Space& exec, const ConstVectors& r, const Vectors& z) {
        double sum = 0;
        Kokkos::parallel_reduce("tessera::test::sum", Kokkos::RangePolicy<Space>(exec, 0, rows),
                                SumColumn<Scalar, Space>{r}, sum);
        scaled(exec, std::isfinite(sum) ? Scalar(3) : Scalar(0), r, z);
      });
  cases.emplace_back(
      "copies from the host", [&](const Space& exec, const ConstVectors& r, const Vectors& z) {
        using HostView =
            Kokkos::View<const Scalar*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
        Kokkos::deep_copy(exec, device_factors, HostView(factors.data(), factors.size()));
        kernels::multiply<Scalar, Space>(exec, Scalar(1), device_factors, r, z);
      });
  cases.emplace_back("throws", [&](const Space& exec, const ConstVectors& r, const Vectors& z) {
    scaled(exec, Scalar(3), r, z);
    if constexpr (TestFixture::replays) {
      if (kernels::is_recording(exec)) throw std::logic_error("not while it is recorded");
    }
  });
  cases.emplace_back(
      "has a large functor", [&](const Space& exec, const ConstVectors& r, const Vectors& z) {
        scaled(exec, Scalar(3), r, z);
        Kokkos::parallel_for("tessera::test::add", Kokkos::RangePolicy<Space>(exec, 0, rows),
                             AddManyNumbers<Scalar, Space>{{}, z});
      });

  for (const auto& [name, apply] : cases) {
    SCOPED_TRACE(name);
    const auto callable = std::make_shared<typename TestFixture::Callable>(apply);
    typename TestFixture::Captured M(callable);
    const auto r = this->vectors(1);
    const auto z = this->empty();
    for (int i = 0; i < 4; ++i) {
      this->renew(r, 10 + i);
      auto expected = to_host(r);
      for (Scalar& value : expected)
        value *= Scalar(3);
      EXPECT_EQ(this->applied(M, r, z), expected) << i;
    }
    EXPECT_EQ(M.failure().empty(), !TestFixture::replays) << M.failure();
    EXPECT_EQ(M.num_captures(), 0U);
    EXPECT_EQ(M.num_launches(), 0U);
    // Once on the host for the recording that failed, and then for each application.
    EXPECT_EQ(callable->calls, TestFixture::replays ? 5 : 4);

    // Nothing else is worse for it.
    typename TestFixture::Captured other(this->inner);
    this->expect_as_inside(other, r, z, 3);
    this->expect_counts(other, 1, 2);
    Kokkos::deep_copy(this->exec, z, Scalar(0));
    AddManyNumbers<Scalar, Space> add{{}, z};
    add.numbers[7] = Scalar(2);
    Kokkos::parallel_for("tessera::test::add", Kokkos::RangePolicy<Space>(this->exec, 0, rows),
                         add);
    EXPECT_EQ(to_host(z)[7 + 256], Scalar(2));
  }
}

TYPED_TEST(CapturedPreconditionerTest, AToolSeesTheKernels) {
  typename TestFixture::Captured M(this->inner);
  const auto r = this->vectors(1);
  const auto z = this->empty();
  const auto expected = this->applied(this->reference, r, this->empty());
  this->expect_as_inside(M, r, z, 3);
  {
    const LaunchesOf kernels("");
    EXPECT_EQ(this->applied(M, r, z), expected);
    EXPECT_GE(kernels.count(), 4);
  }
  this->expect_counts(M, 1, 2);
  EXPECT_EQ(this->applied(M, r, z), expected);
  this->expect_counts(M, 1, 3);
}

TYPED_TEST(CapturedPreconditionerTest, InARecordingOfSomebodyElseItIsPlain) {
  TESSERA_TEST_TYPES(TypeParam);
  if constexpr (TestFixture::replays) {
    typename TestFixture::Captured M(this->inner);
    const auto r = this->vectors(1);
    const auto z = this->empty();
    const kernels::RecordingStream<Space> stream(this->exec);
    for (int i = 0; i < 3; ++i) {
      this->expect_as_inside(M, r, z);
      const auto graph = kernels::LaunchGraph<Space>::record(
          stream, [&](const Space& instance) { M.apply(instance, r, z); });
      ASSERT_TRUE(graph.is_ready()) << graph.failure();
      this->renew(r, 10 + i);
      Kokkos::deep_copy(this->exec, z, Scalar(0));
      graph.launch(this->exec);
      EXPECT_EQ(to_host(z), this->applied(this->reference, r, this->empty()));
    }
    this->expect_counts(M, 1, 2);
  }
}

TEST(LaunchGraphs, AreNotOnAHost) { EXPECT_FALSE(kernels::has_launch_graphs<HostSpace>); }

}  // namespace captured_preconditioner_test
}  // namespace tessera::test
