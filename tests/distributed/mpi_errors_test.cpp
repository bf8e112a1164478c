// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Errors of MPI where its error handler returns: exceptions with MPI's own words.
#ifdef TESSERA_TEST_WITH_MPI
#include "distributed/shares.hpp"
#include "tessera/distributed/mpi/mpi_communicator.hpp"

#include <vector>

namespace tessera::test::mpi_errors_test {

using distributed::Communicator;

/// All processes in a communicator of their own, whose errors end nothing.
class MpiErrors : public ::testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_dup(MPI_COMM_WORLD, &m_communicator);
    MPI_Comm_set_errhandler(m_communicator, MPI_ERRORS_RETURN);
    processes = distributed::mpi_communicator(m_communicator);
  }
  void TearDown() override { MPI_Comm_free(&m_communicator); }

  std::shared_ptr<const Communicator> processes;

 private:
  MPI_Comm m_communicator = MPI_COMM_NULL;
};

TEST_F(MpiErrors, OfACallHaveItsNameAndTheReason) {
  const double sent = 1;
  const std::vector<Communicator::Outgoing> to_nobody{{num_processes(), &sent, sizeof(sent)}};
  expect_error(error_of([&] { processes->start(to_nobody, {}); }), ErrorKind::precondition,
               {"MPI failed in MPI_Isend: ", "rank"});
  expect_error(error_of([] { distributed::mpi_communicator(MPI_COMM_NULL); }),
               ErrorKind::precondition, {"the communicator is MPI_COMM_NULL"});
}

/// Around a ring each sends two numbers on, of which the next one expects one.
TEST_F(MpiErrors, OfAMessageHaveItsReason) {
  if (num_processes() == 1) GTEST_SKIP() << "messages take two processes";
  const double sent[] = {1, 2};
  double received = 0;
  const int next = (process() + 1) % num_processes();
  const int before = (process() + num_processes() - 1) % num_processes();
  const std::vector<Communicator::Outgoing> outgoing{{next, sent, sizeof(sent)}};
  const std::vector<Communicator::Incoming> incoming{{before, &received, sizeof(received)}};
  const auto transfer = processes->start(outgoing, incoming);
  expect_error(error_of([&] { transfer->wait(); }), ErrorKind::precondition,
               {"MPI failed in MPI_Waitall: ", "truncate"});
}

}  // namespace tessera::test::mpi_errors_test
#endif
