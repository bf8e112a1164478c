// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A smoother as a program adds it, of which all is known: l1-Jacobi, one sweep.
#pragma once

#include "tessera/smoother/jacobi.hpp"
#include "tessera/smoother/register_smoother.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tessera::test {

/// A factory for all types of matrices.
struct MakeOwnSmoother {
  bool expects_square;

  template <class Scalar, class Space, class Offset>
  std::unique_ptr<Smoother<Scalar, Space>> operator()(
      const Space& exec, const SmootherInputs<Scalar, Space, Offset>& inputs) const {
    EXPECT_EQ(inputs.entries.num_rows, inputs.A->num_rows());
    EXPECT_GE(inputs.entries.num_cols, inputs.A->num_rows());
    EXPECT_TRUE(!expects_square || inputs.entries.num_cols == inputs.A->num_rows());
    EXPECT_EQ(inputs.entries.num_entries == 0, inputs.A->num_rows() == 0);
    EXPECT_EQ(static_cast<Ordinal>(inputs.inverse_diagonal.extent(0)), inputs.A->num_rows());
    return std::make_unique<JacobiSmoother<Scalar, Space>>(
        inputs.A, l1_jacobi_weights(exec, inputs.entries), 1);
  }
};

/// "own_l1_jacobi", which takes distributed rows as they are.
inline SmootherType own_l1_jacobi() {
  static const SmootherType type = register_smoother("own_l1_jacobi", "l1-Jacobi again",
                                                     {.entries = true}, MakeOwnSmoother{false});
  return type;
}

/// "own_local", which each process has for its own block.
inline SmootherType own_local() {
  static const SmootherType type =
      register_smoother("own_local", "l1-Jacobi of a square matrix",
                        {.entries = true, .square_matrix = true}, MakeOwnSmoother{true});
  return type;
}

}  // namespace tessera::test
