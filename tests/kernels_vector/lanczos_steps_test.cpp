// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The update of the Lanczos recurrence against plain loops.
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/vector/lanczos_steps.hpp"

#include <limits>

namespace tessera::test::lanczos_steps_test {

using namespace tessera::kernels;

TESSERA_TEST_SUITE(LanczosSteps, Scalars, TypeNames);

/// A workspace in memory of the test's own.
template <class Space>
struct OwnWorkspace {
  Array<std::byte, Space> memory;
  ReductionWorkspace<Space> workspace;

  explicit OwnWorkspace(const Space& exec)
      : memory(allocate<std::byte>(exec, "tessera::test", ReductionWorkspace<Space>::bytes(1, 1))),
        workspace(exec, 1, 1, memory.data()) {}
};

/// D^-1 with a zero in every seventh row, Au, u and u_before of n rows.
template <class Scalar>
struct Operands {
  std::vector<Scalar> inverse, Au, u, u_before;

  explicit Operands(std::size_t n)
      : inverse(random_vector<Scalar>(n, 1)),
        Au(random_vector<Scalar>(n, 2)),
        u(random_vector<Scalar>(n, 3)),
        u_before(random_vector<Scalar>(n, 4)) {
    for (std::size_t i = 0; i < n; ++i)
      inverse[i] = i % 7 == 3 ? Scalar(0) : Scalar(0.5) + std::abs(inverse[i]);
  }

  long double next(std::size_t i, long double of_u, long double of_u_before) const {
    if (inverse[i] == Scalar(0)) return 0;
    return static_cast<long double>(inverse[i]) * Au[i] - of_u * u[i] - of_u_before * u_before[i];
  }
};

TESSERA_TYPED_TEST(LanczosSteps, MakesTheNextVectorAndItsNorm) {
  const OwnWorkspace<Space> own(exec);
  for (const std::size_t n : {1, 2, 1023, 1025, 5000, 1024 * 1024 + 7}) {
    const Operands<Scalar> given(n);
    const std::vector<Scalar> dots{Scalar(0.75), Scalar(-0.5)};
    const std::vector<Scalar> norms{Scalar(2), Scalar(1.5),
                                    std::numeric_limits<Scalar>::quiet_NaN()};
    for (const int step : {0, 1}) {
      auto before = given.u_before;
      // The first step does not read what is in its place.
      if (step == 0) before.assign(n, std::numeric_limits<Scalar>::quiet_NaN());
      const auto u_before = to_multivector(exec, before, n, 1);
      const auto inverse = to_device(exec, given.inverse);
      const auto all_dots = to_device(exec, dots);
      const auto all_norms = to_device(exec, norms);
      const LanczosNumbers<Scalar, Space> numbers{all_dots, all_norms};
      lanczos_step<Scalar, Space>(exec, own.workspace, numbers, step, inverse,
                                  to_multivector(exec, given.Au, n, 1),
                                  to_multivector(exec, given.u, n, 1), u_before);
      exec.fence("tessera::test");
      const auto got = to_host(u_before);
      const long double of_u = static_cast<long double>(dots[step]) / norms[step];
      const long double of_before =
          step > 0 ? static_cast<long double>(norms[step]) / norms[step - 1] : 0.0L;
      const auto eps = static_cast<long double>(std::numeric_limits<Scalar>::epsilon());
      long double norm = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const long double expected = given.next(i, of_u, of_before);
        ASSERT_NEAR(static_cast<double>(got[i]), static_cast<double>(expected),
                    static_cast<double>(20 * eps))
            << "row " << i << " of " << n << " in step " << step;
        if (given.inverse[i] != Scalar(0)) norm += expected * expected / given.inverse[i];
      }
      const auto got_norm = static_cast<double>(to_host(all_norms)[step + 1]);
      EXPECT_NEAR(got_norm, static_cast<double>(norm),
                  static_cast<double>((100 + std::sqrt(static_cast<long double>(n))) * eps * norm));
    }
  }
}

TESSERA_TYPED_TEST(LanczosSteps, AnEndedRecurrenceStaysAtZero) {
  const OwnWorkspace<Space> own(exec);
  const std::size_t n = 2000;
  const Operands<Scalar> given(n);
  const auto dots = to_device(exec, std::vector<Scalar>{1, 0});
  const auto norms = to_device(exec, std::vector<Scalar>{1, 0, 5});
  const auto u_before = to_multivector(exec, given.u_before, n, 1);
  const LanczosNumbers<Scalar, Space> numbers{dots, norms};
  lanczos_step<Scalar, Space>(exec, own.workspace, numbers, 1, to_device(exec, given.inverse),
                              to_multivector(exec, given.Au, n, 1),
                              to_multivector(exec, given.u, n, 1), u_before);
  exec.fence("tessera::test");
  for (const Scalar value : to_host(u_before))
    ASSERT_EQ(value, Scalar(0));
  EXPECT_EQ(to_host(norms)[2], Scalar(0));
}

TESSERA_TYPED_TEST(LanczosSteps, WrongLengthsAreErrors) {
  const OwnWorkspace<Space> own(exec);
  const auto short_one = to_device(exec, std::vector<Scalar>{1});
  const auto three = to_multivector(exec, std::vector<Scalar>{1, 2, 3}, 3, 1);
  const auto inverse = to_device(exec, std::vector<Scalar>{1, 1, 1});
  const LanczosNumbers<Scalar, Space> numbers{short_one, short_one};
  EXPECT_THROW(
      (lanczos_step<Scalar, Space>(exec, own.workspace, numbers, 0, inverse, three, three, three)),
      Error);
}

}  // namespace tessera::test::lanczos_steps_test
