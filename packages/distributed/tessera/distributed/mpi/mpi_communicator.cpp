// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/mpi/mpi_communicator.hpp"

#include "tessera/distributed/mpi/check_mpi.hpp"
#include "tessera/kernels/execution/error.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

/// MPI counts in int; longer messages are several.
constexpr std::size_t longest_message = std::size_t(1) << 30;

class Requests : public Communicator::Transfer {
 public:
  explicit Requests(std::size_t expected) { m_requests.reserve(expected); }
  MPI_Request* add() { return &m_requests.emplace_back(MPI_REQUEST_NULL); }
  void wait() override {
    m_statuses.resize(m_requests.size());
    const int code =
        MPI_Waitall(static_cast<int>(m_requests.size()), m_requests.data(), m_statuses.data());
    m_requests.clear();
    if (code == MPI_SUCCESS) return;
    // MPI_ERR_IN_STATUS says no more than that one of them failed; its own status says how.
    for (const MPI_Status& status : m_statuses)
      if (code == MPI_ERR_IN_STATUS && status.MPI_ERROR != MPI_ERR_PENDING)
        check_mpi(status.MPI_ERROR, "MPI_Waitall");
    check_mpi(code, "MPI_Waitall");
  }

 private:
  std::vector<MPI_Request> m_requests;
  std::vector<MPI_Status> m_statuses;
};

/// Calls `part(offset, count)` for messages that MPI can count.
template <class Part>
void in_parts(std::size_t bytes, const Part& part) {
  for (std::size_t begin = 0; begin < bytes; begin += longest_message)
    part(begin, static_cast<int>(std::min(longest_message, bytes - begin)));
}

class Mpi : public Communicator {
 public:
  Mpi(MPI_Comm communicator, const MpiOptions& options, std::shared_ptr<const void> owner)
      : m_owner(std::move(owner)), m_communicator(communicator), m_options(options) {
    check_mpi(MPI_Comm_rank(communicator, &m_rank), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(communicator, &m_size), "MPI_Comm_size");
  }

  int rank() const override { return m_rank; }
  int size() const override { return m_size; }
  bool takes_device_pointers() const override { return m_options.takes_device_pointers; }
  int first_on_host() const override {
    if (m_first_on_host < 0) m_first_on_host = lowest_rank_on_host();
    return m_first_on_host;
  }

  void sum(std::span<double> numbers) const override { reduce(numbers, MPI_DOUBLE, MPI_SUM); }
  void sum(std::span<std::int64_t> numbers) const override {
    reduce(numbers, MPI_INT64_T, MPI_SUM);
  }
  void minimum(std::span<double> numbers) const override { reduce(numbers, MPI_DOUBLE, MPI_MIN); }
  void maximum(std::span<double> numbers) const override { reduce(numbers, MPI_DOUBLE, MPI_MAX); }

  void broadcast(std::span<std::byte> data, int root) const override {
    in_parts(data.size(), [&](std::size_t begin, int count) {
      check_mpi(MPI_Bcast(data.data() + begin, count, MPI_BYTE, root, m_communicator), "MPI_Bcast");
    });
  }
  void all_gather(std::int64_t own, std::span<std::int64_t> all) const override {
    check_mpi(MPI_Allgather(&own, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, m_communicator),
              "MPI_Allgather");
  }
  void all_to_all(std::span<const std::int64_t> given,
                  std::span<std::int64_t> received) const override {
    check_mpi(
        MPI_Alltoall(given.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T, m_communicator),
        "MPI_Alltoall");
  }

  std::unique_ptr<Transfer> start(std::span<const Outgoing> outgoing,
                                  std::span<const Incoming> incoming) const override {
    auto transfer = std::make_unique<Requests>(outgoing.size() + incoming.size());
    for (const Incoming& message : incoming)
      in_parts(message.bytes, [&](std::size_t begin, int count) {
        check_mpi(MPI_Irecv(static_cast<std::byte*>(message.data) + begin, count, MPI_BYTE,
                            message.process, mpi_tag, m_communicator, transfer->add()),
                  "MPI_Irecv");
      });
    for (const Outgoing& message : outgoing)
      in_parts(message.bytes, [&](std::size_t begin, int count) {
        check_mpi(MPI_Isend(static_cast<const std::byte*>(message.data) + begin, count, MPI_BYTE,
                            message.process, mpi_tag, m_communicator, transfer->add()),
                  "MPI_Isend");
      });
    return transfer;
  }

 private:
  template <class Number>
  void reduce(std::span<Number> numbers, MPI_Datatype type, MPI_Op operation) const {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), type,
                            operation, m_communicator),
              "MPI_Allreduce");
  }

  int lowest_rank_on_host() const {
    MPI_Comm host = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(m_communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
              "MPI_Comm_split_type");
    int lowest = m_rank;
    const int code = MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, host);
    check_mpi(MPI_Comm_free(&host), "MPI_Comm_free");
    check_mpi(code, "MPI_Allreduce");
    return lowest;
  }

  std::shared_ptr<const void> m_owner;
  MPI_Comm m_communicator;
  MpiOptions m_options;
  int m_rank = 0;
  int m_size = 1;
  mutable int m_first_on_host = -1;  ///< nobody has asked yet
};

}  // namespace

std::shared_ptr<const Communicator> mpi_communicator(MPI_Comm communicator,
                                                     const MpiOptions& options,
                                                     const std::shared_ptr<const void>& owner) {
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  require(begun != 0 && ended == 0,
          [] { return std::string("MPI is not initialised, or finalised already"); });
  require(communicator != MPI_COMM_NULL,
          [] { return std::string("the communicator is MPI_COMM_NULL"); });
  return std::make_shared<Mpi>(communicator, options, owner);
}

}  // namespace tessera::distributed
