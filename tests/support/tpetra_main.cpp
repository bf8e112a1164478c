// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// GoogleTest's main with MPI and Kokkos initialised around all tests, which every process runs.
/// The first one prints as usual, the others print what fails.
#include <gtest/gtest.h>
#include <Tpetra_Core.hpp>

#include <iostream>

namespace {

class FailurePrinter : public ::testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int process) : m_process(process) {}

  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed())
      std::cout << "process " << m_process << ": " << result.file_name() << ':'
                << result.line_number() << ": " << result.message() << std::endl;
  }

 private:
  int m_process;
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const Tpetra::ScopeGuard tpetra(&argc, &argv);
  const int process = Tpetra::getDefaultComm()->getRank();
  if (process > 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(process));
  }
  return RUN_ALL_TESTS();
}
