// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// NCCL, found when a program runs: nothing of it is needed to build.
#pragma once

#include <cstddef>
#include <string>

namespace tessera::distributed::nccl {

/// ncclUniqueId, which goes by value.
struct UniqueId {
  char bytes[128];
};
/// What ncclComm_t points to.
struct CommunicatorHandle;
using Result = int;  ///< ncclResult_t

inline constexpr Result success = 0;  ///< ncclSuccess
inline constexpr Result in_progress = 7;  ///< ncclInProgress
inline constexpr int type_of_bytes = 0;  ///< ncclInt8
inline constexpr int type_of_doubles = 8;  ///< ncclFloat64
inline constexpr int operation_sum = 0;  ///< ncclSum
/// The first version that sends from process to process: 2.7.
inline constexpr int min_version = 2700;
/// The first one whose documentation has messages and sums in graphs beside ones that are not.
inline constexpr int min_recording_version = 21200;

/// The functions that are used, as NCCL's nccl.h declares them; RCCL, AMD's, has the same. Streams
/// are those of CUDA or HIP.
struct Library {
  std::string name;  ///< as it was loaded
  int version = 0;  ///< 2.7.8 is 2708, and 2.19.3 is 21903
  Result (*get_unique_id)(UniqueId*) = nullptr;
  Result (*init_rank)(CommunicatorHandle**, int size, UniqueId, int rank) = nullptr;
  Result (*destroy)(CommunicatorHandle*) = nullptr;
  Result (*abort)(CommunicatorHandle*) = nullptr;
  Result (*get_async_error)(CommunicatorHandle*, Result*) = nullptr;
  const char* (*error_string)(Result) = nullptr;
  Result (*group_start)() = nullptr;
  Result (*group_end)() = nullptr;
  Result (*send)(const void*, std::size_t, int type, int process, CommunicatorHandle*,
                 void* stream) = nullptr;
  Result (*receive)(void*, std::size_t, int type, int process, CommunicatorHandle*,
                    void* stream) = nullptr;
  Result (*all_reduce)(const void*, void*, std::size_t, int type, int operation,
                       CommunicatorHandle*, void* stream) = nullptr;
};

/// The variable of the environment that names the library's file.
inline constexpr const char* library_variable = "TESSERA_NCCL_LIBRARY";

/// What that variable says; without, libnccl.so.2, which the system looks for, or librccl.so.1
/// where Kokkos is built for HIP.
std::string library_name();

/// Loads it; it stays loaded, for it has threads of its own.
/// @throws Error of kind `configuration` that says what to do where it cannot be loaded, is another
///         library, or is older than `min_version`.
Library load_library(const std::string& name = library_name());

}  // namespace tessera::distributed::nccl
