// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Connected components against a search on the host.
#include "tessera/kernels/graph/components.hpp"

#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/typed_tests.hpp"

namespace tessera::test::components_test {

TESSERA_TEST_SUITE(ComponentsTest, Matrices, TypeNames);

/// The least row of each row's component, by labels that go round until nothing changes.
template <class Scalar>
std::vector<Ordinal> min_rows(const HostMatrix<Scalar>& A) {
  std::vector<Ordinal> label(A.num_rows);
  for (Ordinal i = 0; i < A.num_rows; ++i)
    label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for_each_entry(A, [&](Ordinal i, Ordinal j, Scalar value) {
      if (value == Scalar(0) || label[i] == label[j]) return;
      label[i] = label[j] = std::min(label[i], label[j]);
      changed = true;
    });
  }
  return label;
}

template <class Space, class Offset, class Scalar>
void expect_components(const HostMatrix<Scalar>& A) {
  const Space exec;
  const auto device = make_csr<Offset>(exec, A);
  EXPECT_EQ(to_host(kernels::connected_components(exec, device.view())), min_rows(A));
}

TESSERA_TYPED_TEST(ComponentsTest, RandomGraphs) {
  Random random(3);
  for (const Ordinal n : {0, 1, 2, 50, 3000}) {
    for (const double edges_per_row : {0.0, 0.3, 0.6, 2.0}) {
      // In one direction alone, and some of them zeros.
      std::vector<std::vector<std::pair<Ordinal, Scalar>>> rows(n);
      for (int e = 0; e < static_cast<int>(edges_per_row * n); ++e)
        rows[random.below(n)].emplace_back(random.below(n), Scalar(e % 5 == 0 ? 0 : 1));
      expect_components<Space, Offset>(from_rows(n, rows));
    }
  }
}

TESSERA_TYPED_TEST(ComponentsTest, LongPathsInAnyOrder) {
  const Ordinal n = 20000;
  // Steps of 7919 visit all rows; every 5000th edge is missing.
  std::vector<std::vector<std::pair<Ordinal, Scalar>>> rows(n);
  for (Ordinal i = 0; i + 1 < n; ++i) {
    if (i % 5000 == 4999) continue;
    const auto at = [&](std::int64_t place) { return static_cast<Ordinal>(place * 7919 % n); };
    rows[at(i)].emplace_back(at(i + 1), Scalar(-1));
    rows[at(i + 1)].emplace_back(at(i), Scalar(-1));
  }
  const auto A = from_rows(n, rows);
  const auto labels =
      to_host(kernels::connected_components(exec, make_csr<Offset>(exec, A).view()));
  for (Ordinal start = 0; start < n; start += 5000) {
    Ordinal least = n;
    for (Ordinal i = start; i < start + 5000; ++i)
      least = std::min(least, static_cast<Ordinal>(std::int64_t{i} * 7919 % n));
    for (Ordinal i = start; i < start + 5000; ++i)
      ASSERT_EQ(labels[std::int64_t{i} * 7919 % n], least);
  }
}

}  // namespace tessera::test::components_test
