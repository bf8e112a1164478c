// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What a process sends through MPI, whichever library calls it: MPI's profiling interface, by
/// which a program's own `MPI_Isend` comes before the library's `PMPI_Isend` (MPI 4.1,
/// section 15.2).
///
/// Defines functions of MPI: one source of a program includes it. A call that is not listed here is
/// not counted.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>

namespace tessera::perf {

/// Of one process.
struct MpiCounts {
  std::int64_t messages = 0;  ///< from process to process, counted where they are sent
  std::int64_t bytes = 0;  ///< in these
  std::int64_t collectives = 0;
  std::int64_t collective_bytes = 0;  ///< that the process gives to them

  MpiCounts operator-(const MpiCounts& o) const {
    return {messages - o.messages, bytes - o.bytes, collectives - o.collectives,
            collective_bytes - o.collective_bytes};
  }
};

/// Since MPI was initialised.
inline MpiCounts& mpi_counts() {
  static MpiCounts counts;
  return counts;
}

namespace detail {

inline std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return std::int64_t{count} * size;
}

inline void count_message(int count, MPI_Datatype type, int destination) {
  if (destination == MPI_PROC_NULL) return;
  ++mpi_counts().messages;
  mpi_counts().bytes += bytes_of(count, type);
}

inline void count_collective(int count, MPI_Datatype type) {
  ++mpi_counts().collectives;
  mpi_counts().collective_bytes += bytes_of(count, type);
}

/// Bytes of messages that are made once and sent any number of times.
inline std::map<MPI_Request, std::int64_t>& persistent_sends() {
  static std::map<MPI_Request, std::int64_t> sends;
  return sends;
}

inline void count_start(MPI_Request request) {
  const auto found = persistent_sends().find(request);
  if (found == persistent_sends().end()) return;  // one that receives
  ++mpi_counts().messages;
  mpi_counts().bytes += found->second;
}

}  // namespace detail
}  // namespace tessera::perf

// Names and arguments are MPI's.
extern "C" {

#define TESSERA_PERF_COUNT_SEND(NAME)                                               \
  int MPI_##NAME(const void* buffer, int count, MPI_Datatype type, int to, int tag, \
                 MPI_Comm communicator) {                                           \
    tessera::perf::detail::count_message(count, type, to);                          \
    return PMPI_##NAME(buffer, count, type, to, tag, communicator);                 \
  }
TESSERA_PERF_COUNT_SEND(Send)
TESSERA_PERF_COUNT_SEND(Ssend)
TESSERA_PERF_COUNT_SEND(Rsend)
TESSERA_PERF_COUNT_SEND(Bsend)
#undef TESSERA_PERF_COUNT_SEND

#define TESSERA_PERF_COUNT_SEND(NAME)                                               \
  int MPI_##NAME(const void* buffer, int count, MPI_Datatype type, int to, int tag, \
                 MPI_Comm communicator, MPI_Request* request) {                     \
    tessera::perf::detail::count_message(count, type, to);                          \
    return PMPI_##NAME(buffer, count, type, to, tag, communicator, request);        \
  }
TESSERA_PERF_COUNT_SEND(Isend)
TESSERA_PERF_COUNT_SEND(Issend)
TESSERA_PERF_COUNT_SEND(Irsend)
TESSERA_PERF_COUNT_SEND(Ibsend)
#undef TESSERA_PERF_COUNT_SEND

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int to, int tag,
                  MPI_Comm communicator, MPI_Request* request) {
  const int status = PMPI_Send_init(buffer, count, type, to, tag, communicator, request);
  tessera::perf::detail::persistent_sends()[*request] =
      tessera::perf::detail::bytes_of(count, type);
  return status;
}
int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag,
                  MPI_Comm communicator, MPI_Request* request) {
  const int status = PMPI_Recv_init(buffer, count, type, from, tag, communicator, request);
  tessera::perf::detail::persistent_sends().erase(*request);  // a number may come again
  return status;
}
int MPI_Start(MPI_Request* request) {
  tessera::perf::detail::count_start(*request);
  return PMPI_Start(request);
}
int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i)
    tessera::perf::detail::count_start(requests[i]);
  return PMPI_Startall(count, requests);
}

int MPI_Barrier(MPI_Comm communicator) {
  tessera::perf::detail::count_collective(0, MPI_BYTE);
  return PMPI_Barrier(communicator);
}
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Bcast(buffer, count, type, root, communicator);
}
int MPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Allreduce(sent, received, count, type, op, communicator);
}
int MPI_Iallreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm communicator, MPI_Request* request) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Iallreduce(sent, received, count, type, op, communicator, request);
}
int MPI_Reduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Reduce(sent, received, count, type, op, root, communicator);
}
int MPI_Scan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Scan(sent, received, count, type, op, communicator);
}
int MPI_Exscan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Exscan(sent, received, count, type, op, communicator);
}
int MPI_Gather(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
               MPI_Datatype received_type, int root, MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Gather(sent, count, type, received, received_count, received_type, root,
                     communicator);
}
int MPI_Gatherv(const void* sent, int count, MPI_Datatype type, void* received, const int counts[],
                const int displacements[], MPI_Datatype received_type, int root,
                MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Gatherv(sent, count, type, received, counts, displacements, received_type, root,
                      communicator);
}
int MPI_Scatter(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
                MPI_Datatype received_type, int root, MPI_Comm communicator) {
  tessera::perf::detail::count_collective(received_count, received_type);
  return PMPI_Scatter(sent, count, type, received, received_count, received_type, root,
                      communicator);
}
int MPI_Scatterv(const void* sent, const int counts[], const int displacements[], MPI_Datatype type,
                 void* received, int received_count, MPI_Datatype received_type, int root,
                 MPI_Comm communicator) {
  tessera::perf::detail::count_collective(received_count, received_type);
  return PMPI_Scatterv(sent, counts, displacements, type, received, received_count, received_type,
                       root, communicator);
}
int MPI_Allgather(const void* sent, int count, MPI_Datatype type, void* received,
                  int received_count, MPI_Datatype received_type, MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Allgather(sent, count, type, received, received_count, received_type, communicator);
}
int MPI_Allgatherv(const void* sent, int count, MPI_Datatype type, void* received,
                   const int counts[], const int displacements[], MPI_Datatype received_type,
                   MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Allgatherv(sent, count, type, received, counts, displacements, received_type,
                         communicator);
}
int MPI_Alltoall(const void* sent, int count, MPI_Datatype type, void* received, int received_count,
                 MPI_Datatype received_type, MPI_Comm communicator) {
  tessera::perf::detail::count_collective(count, type);
  return PMPI_Alltoall(sent, count, type, received, received_count, received_type, communicator);
}

}  // extern "C"
