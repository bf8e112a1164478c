// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "spmv_fixture.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/spmv/csr/csr_format.hpp"

namespace tessera::test::plans_together_test {

TESSERA_TEST_SUITE(PlansTogether, Matrices, TypeNames);

/// One row much longer than the others, which are few enough for a balanced plan.
template <class Scalar>
HostMatrix<Scalar> with_long_row() {
  return random_matrix<Scalar>(
      {.num_rows = 700, .num_cols = 900, .density = 0.004, .dense_row = 20, .seed = 3});
}

TESSERA_TYPED_TEST(PlansTogether, AreThoseMadeOneByOne) {
  const HostMatrix<Scalar> hosts[] = {poisson<Scalar>(20, 15), with_long_row<Scalar>(),
                                      random_matrix<Scalar>({.num_rows = 0, .num_cols = 5})};
  for (int turn = 0; turn < 3; ++turn) {
    std::array<kernels::Csr<Scalar, Space, Offset>, 3> matrices;
    for (int p = 0; p < 3; ++p)
      matrices[p] = make_csr<Offset>(exec, hosts[(p + turn) % 3]);
    const auto plans = kernels::analyse_spmv_together<Scalar, Space, Offset>(
        exec, {matrices[0].view(), matrices[1].view(), matrices[2].view()});
    for (int p = 0; p < 3; ++p) {
      const auto alone = kernels::analyse_spmv(exec, matrices[p].view());
      EXPECT_EQ(plans[p].algorithm, alone.algorithm);
      EXPECT_EQ(plans[p].threads_per_row, alone.threads_per_row);
      EXPECT_EQ(plans[p].staged_lanes, alone.staged_lanes);
      EXPECT_EQ(plans[p].part_entries, alone.part_entries);
      EXPECT_EQ(plans[p].entries_per_team, alone.entries_per_team);
      EXPECT_EQ(to_host(plans[p].first_row), to_host(alone.first_row));
      // Each knows its own pattern at another place, and no other.
      const auto& host = hosts[(p + turn) % 3];
      const auto again = make_csr<Offset>(exec, host);
      const auto x = to_multivector(exec, random_vector<Scalar>(host.num_cols), host.num_cols, 1);
      const auto y = allocate_multivector<Scalar>(exec, "tessera::test", host.num_rows);
      EXPECT_NO_THROW(kernels::spmv(exec, plans[p], Scalar(1), again.view(), x, Scalar(0), y));
    }
  }
}

TESSERA_TYPED_TEST(PlansTogether, RefuseOtherPatternsOfTheSameSize) {
  // The same rows the other way round.
  const auto triangle = [&](bool ascending) {
    return make_csr<Offset>(exec, by_rows<Scalar>(40, 40, [&](auto& host, Ordinal i) {
                              for (Ordinal j = 0; j < (ascending ? i : 39 - i); ++j)
                                host.push(j, Scalar(1));
                            }));
  };
  const auto A = triangle(true), B = triangle(false);
  const auto plans =
      kernels::analyse_spmv_together<Scalar, Space, Offset>(exec, {A.view(), B.view(), A.view()});
  const auto x = to_multivector(exec, random_vector<Scalar>(40), 40, 1);
  const auto y = allocate_multivector<Scalar>(exec, "tessera::test", 40);
  const auto product = [&](int plan, const kernels::Csr<Scalar, Space, Offset>& M) {
    kernels::spmv(exec, plans[plan], Scalar(1), M.view(), x, Scalar(0), y);
  };
  EXPECT_NO_THROW(product(0, A));
  EXPECT_NO_THROW(product(1, B));
  EXPECT_NO_THROW(product(2, A));
  EXPECT_THROW(product(0, B), Error);
  EXPECT_THROW(product(1, A), Error);
}

}  // namespace tessera::test::plans_together_test
