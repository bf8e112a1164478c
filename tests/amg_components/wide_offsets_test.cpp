// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Where 32 bits do not count the entries of a product inside multigrid, it is made with 64-bit
/// offsets. The tests lower what 32 bits count, in place of products of 2^31 entries.
#include "tessera/amg/multigrid.hpp"
#include "tessera/solve.hpp"

#include "support/device.hpp"
#include "support/offset_limit.hpp"
#include "support/random_matrix.hpp"
#include "support/solves.hpp"
#include "support/typed_tests.hpp"

namespace tessera::test::wide_offsets_test {

/// Few entries per row, so that A P has more than A.
template <class Scalar>
HostMatrix<Scalar> sparse_matrix() {
  return random_spd_matrix<Scalar>(1500, 0.002, 5);
}

template <class Scalar>
struct Outcome {
  SolveResult result;
  std::vector<Scalar> x;
  HierarchyInfo hierarchy;
};

template <class Offset, class Scalar, class Space>
Outcome<Scalar> solved(const Space& exec, const HostMatrix<Scalar>& host, Precision precision) {
  SolveParameters parameters;
  parameters.precision = precision;
  parameters.preconditioner = PreconditionerKind::amg;
  parameters.amg.coarsening = amg::CoarseningKind::smoothed_aggregation;  // for its product P^T A P
  if (std::is_same_v<Scalar, float>) parameters.solver.tolerance = 1e-4;
  auto solver = set_up(exec, make_csr<Offset>(exec, host), parameters);
  const auto b = to_multivector(exec, std::vector<Scalar>(host.num_rows, 1), host.num_rows);
  const auto x = zeros<Scalar>(exec, host.num_rows);
  auto result = solver.solve(exec, b, x);
  return {std::move(result), to_host(x), solver.hierarchy()};
}

bool goes_on_with_64_bits(const HierarchyInfo& info) {
  return std::any_of(info.notes.begin(), info.notes.end(), [](const std::string& note) {
    return note.starts_with("multigrid with 64-bit offsets: one of its products has ");
  });
}

TESSERA_TEST_SUITE(WideOffsets, Scalars, TypeNames);

TESSERA_TYPED_TEST(WideOffsets, AProductBeyond32BitsIsAnErrorOfItsOwn) {
  const auto host = sparse_matrix<Scalar>();
  const OffsetLimit<std::int32_t> limit(host.num_entries());
  amg::Multigrid<Scalar, Space> multigrid;
  try {
    multigrid.setup(exec, make_csr(exec, host));
    FAIL() << "nothing was thrown";
  } catch (const OffsetOverflow& overflow) {
    EXPECT_GT(overflow.num_entries(), static_cast<std::int64_t>(host.num_entries()));
    EXPECT_NE(std::string(overflow.what()).find("the product has "), std::string::npos)
        << overflow.what();
  }
  amg::Multigrid<Scalar, Space> wide;
  EXPECT_NO_THROW(wide.setup(exec, make_csr<std::int64_t>(exec, host)));
}

TESSERA_TYPED_TEST(WideOffsets, TheSolverGoesOnWith64Bits) {
  const auto host = sparse_matrix<Scalar>();
  for (const Precision precision : {Precision::same, Precision::single}) {
    if (precision == Precision::single && std::is_same_v<Scalar, float>) continue;
    const auto narrow = solved<std::int32_t>(exec, host, precision);
    EXPECT_FALSE(goes_on_with_64_bits(narrow.hierarchy));
    const OffsetLimit<std::int32_t> limit(host.num_entries());
    const auto wide = solved<std::int32_t>(exec, host, precision);
    EXPECT_TRUE(goes_on_with_64_bits(wide.hierarchy));
    EXPECT_TRUE(wide.result.converged());
    EXPECT_EQ(wide.hierarchy.levels.size(), narrow.hierarchy.levels.size());
    EXPECT_EQ(wide.hierarchy.notes.size(), narrow.hierarchy.notes.size() + 1);
    EXPECT_EQ(wide.result.residual_history, narrow.result.residual_history);
    EXPECT_EQ(wide.x, narrow.x);
    EXPECT_FALSE(goes_on_with_64_bits(solved<std::int64_t>(exec, host, precision).hierarchy));
  }
}

}  // namespace tessera::test::wide_offsets_test
