// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// GoogleTest's main with Kokkos, and MPI where there is one, initialised around all tests, which
/// every process runs. The first one prints as usual, the others print what fails.
#include "support/all_processes.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <iostream>

namespace tessera::test {
namespace {

std::shared_ptr<const distributed::Communicator> shared;

class FailurePrinter : public ::testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed())
      std::cout << "process " << shared->rank() << ": " << result.file_name() << ':'
                << result.line_number() << ": " << result.message() << std::endl;
  }
};

int run_all() {
  if (shared->rank() > 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  const int failed = RUN_ALL_TESTS();
  shared.reset();
  return failed;
}

}  // namespace

std::shared_ptr<const distributed::Communicator> all_processes() { return shared; }

}  // namespace tessera::test

#ifdef TESSERA_TEST_WITH_MPI
#include "support/mpi_options.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  {
    ::testing::InitGoogleTest(&argc, argv);
    const Kokkos::ScopeGuard kokkos(argc, argv);
    tessera::test::shared =
        tessera::distributed::mpi_communicator(MPI_COMM_WORLD, tessera::test::mpi_options());
    failed = tessera::test::run_all();
  }
  MPI_Finalize();
  return failed;
}
#else
int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  tessera::test::shared = tessera::distributed::alone();
  return tessera::test::run_all();
}
#endif
