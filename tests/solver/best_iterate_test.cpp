// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A solve that does not converge never leaves an x worse than the guess, whatever its recurrence
/// believed.
#include "solver_fixture.hpp"

#include "support/host_values.hpp"
#include "support/share.hpp"

#include <cmath>

namespace tessera::test::best_iterate_test {

TESSERA_TEST_SUITE(BestIterate, Scalars, TypeNames);

/// Rows and columns scaled over `decades` orders of magnitude each: ill-conditioned, and as far
/// from symmetric as can be.
template <class Scalar>
HostMatrix<Scalar> badly_scaled(std::int32_t n, double decades, std::uint64_t seed) {
  auto A = random_matrix<Scalar>({.num_rows = n, .num_cols = n, .seed = seed});
  const auto powers = random_vector<Scalar>(2 * n, seed + 1);
  for_each_entry(A, [&](std::int32_t i, std::int32_t j, Scalar& value) {
    value *= static_cast<Scalar>(std::pow(10.0, decades / 2 * (powers[i] + powers[n + j])));
  });
  return A;
}

/// Jacobi divides by diagonal entries that tell nothing of the matrix: (nearly) 0 between its
/// couplings of size 1.
template <class Scalar>
HostMatrix<Scalar> small_pivots(std::int32_t n, double pivot, std::uint64_t seed) {
  return with_diagonal(nonsymmetric_matrix<Scalar>(n, seed), [&](std::int32_t i, Scalar& value) {
    value = static_cast<Scalar>(i % 3 == 0 ? pivot : 1);
  });
}

template <class Scalar>
std::vector<HostMatrix<Scalar>> hard_matrices() {
  const double tiny = sizeof(Scalar) == 8 ? 1e-12 : 1e-6;
  return {badly_scaled<Scalar>(60, 4, 1),
          badly_scaled<Scalar>(60, 12, 2),
          small_pivots<Scalar>(60, tiny, 3),
          small_pivots<Scalar>(50, -tiny * tiny, 4),
          hilbert<Scalar>(30),
          nonsymmetric_matrix<Scalar>(50, 5)};
}

template <class Space, class Scalar>
void expect_no_worse_than_the_guess(const SolverParameters& p, const HostMatrix<Scalar>& A, int k,
                                    With with) {
  const auto b = random_vector<Scalar>(A.num_rows * k, 6);
  for (const auto& guess :
       {std::vector<Scalar>(b.size(), Scalar(0)), random_vector<Scalar>(b.size(), 7)}) {
    const auto solved = solve<Space>(p, A, b, k, with, guess);
    if (solved.result.converged()) continue;
    EXPECT_TRUE(all_finite(solved.x)) << to_string(solved.result.status);
    const auto start = residual_norms(A, b, guess, k);
    const auto end = residual_norms(A, b, solved.x, k);
    // What the device measured and what is measured here differ by the products' round-off.
    const double round_off = 1e3 * std::numeric_limits<Scalar>::epsilon();
    for (int j = 0; j < k; ++j) {
      EXPECT_LE(end[j], start[j] * (1 + round_off))
          << to_string(solved.result.status) << ", column " << j;
    }
  }
}

TESSERA_TYPED_TEST(BestIterate, NoUnconvergedSolveIsWorseThanItsGuess) {
  const auto matrices = hard_matrices<Scalar>();
  Share share;
  for (const SolverName name : all_solvers) {
    std::vector<PreconditioningSide> sides{PreconditioningSide::right};
    if (name == SolverName::gmres || name == SolverName::bicgstab)
      sides.push_back(PreconditioningSide::left);
    for (const auto side : sides) {
      for (const With with : {With::nothing, With::jacobi}) {
        for (const int limit : {7, 60}) {
          for (std::size_t m = 0; m < matrices.size(); ++m) {
            if (!share.takes()) continue;
            SCOPED_TRACE(name_of(name) + ", matrix " + std::to_string(m) + ", limit " +
                         std::to_string(limit));
            expect_no_worse_than_the_guess<Space>({.name = name,
                                                   .tolerance = 1e-14,
                                                   .max_iterations = limit,
                                                   .side = side,
                                                   .gmres = {.restart = 10}},
                                                  matrices[m], limit == 60 ? 2 : 1, with);
          }
        }
      }
    }
  }
}

}  // namespace tessera::test::best_iterate_test
