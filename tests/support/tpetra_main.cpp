// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// GoogleTest's main with MPI and Kokkos initialised around all tests, which every process runs.
#include <gtest/gtest.h>
#include <Tpetra_Core.hpp>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  return RUN_ALL_TESTS();
}
