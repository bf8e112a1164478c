// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a captured preconditioner cannot record it applies plainly.
#include "core/captured_fixture.hpp"
#include "support/error_of.hpp"

#include <cmath>
#include <functional>
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

namespace unrecorded_preconditioner_test {

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

template <class Param>
class UnrecordedPreconditionerTest : public CapturedFixture<Param> {
 public:
  using Callable = CallablePreconditioner<typename CapturedFixture<Param>::Scalar,
                                          typename CapturedFixture<Param>::Space>;
};
TYPED_TEST_SUITE(UnrecordedPreconditionerTest, Scalars, TypeNames);

TYPED_TEST(UnrecordedPreconditionerTest, WhatCannotBeRecordedIsAppliedPlainly) {
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

TYPED_TEST(UnrecordedPreconditionerTest, WrongArgumentsAreRefusedAndLeaveItAsItWas) {
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

TYPED_TEST(UnrecordedPreconditionerTest, InARecordingOfSomebodyElseItIsPlain) {
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

}  // namespace unrecorded_preconditioner_test
}  // namespace tessera::test
