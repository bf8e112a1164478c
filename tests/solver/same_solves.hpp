// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Solves that must not differ in a bit.
#pragma once

#include "solver_fixture.hpp"

namespace tessera::test {

template <class Scalar>
void expect_same(const Solved<Scalar>& a, const Solved<Scalar>& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.result.status, b.result.status);
  EXPECT_EQ(a.result.iterations, b.result.iterations);
  EXPECT_EQ(a.result.residual_history, b.result.residual_history);
  ASSERT_EQ(a.result.columns.size(), b.result.columns.size());
  for (std::size_t j = 0; j < a.result.columns.size(); ++j) {
    EXPECT_EQ(a.result.columns[j].status, b.result.columns[j].status) << j;
    EXPECT_EQ(a.result.columns[j].iterations, b.result.columns[j].iterations) << j;
    EXPECT_EQ(a.result.columns[j].true_relative_residual,
              b.result.columns[j].true_relative_residual);
  }
}

/// Counts what it does.
template <class Scalar, class Space>
class CountingJacobi : public JacobiPreconditioner<Scalar, Space> {
 public:
  using Base = JacobiPreconditioner<Scalar, Space>;
  using Base::Base;
  using typename Base::ConstVectors;
  using typename Base::Vectors;
  void apply(const Space& exec, const ConstVectors& r, const Vectors& z) override {
    ++calls;
    Base::apply(exec, r, z);
  }
  int calls = 0;
};

}  // namespace tessera::test
