// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/nccl/nccl_library.hpp"

#include "tessera/kernels/execution/error.hpp"

#include <dlfcn.h>
#include <Kokkos_Macros.hpp>

#include <cstdlib>

namespace tessera::distributed::nccl {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::configuration,
              what +
                  ". Install NCCL 2.7 or newer (AMD: RCCL), name its file in the environment "
                  "variable " +
                  library_variable + ", or take mpi_communicator alone");
}

/// Looks `symbol` up in the library.
template <class Function>
void find(void* library, const std::string& name, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function == nullptr) refuse("the library '" + name + "' is not NCCL: it lacks " + symbol);
}

}  // namespace

std::string library_name() {
  const char* const named = std::getenv(library_variable);
  if (named != nullptr && *named != '\0') return named;
#if defined(KOKKOS_ENABLE_HIP)
  return "librccl.so.1";
#else
  return "libnccl.so.2";
#endif
}

Library load_library(const std::string& name) {
  void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = dlerror();
    refuse("NCCL cannot be loaded: " + std::string(why != nullptr ? why : name.c_str()));
  }
  Library library;
  library.name = name;
  Result (*get_version)(int*) = nullptr;
  find(handle, name, "ncclGetVersion", get_version);
  find(handle, name, "ncclGetUniqueId", library.get_unique_id);
  find(handle, name, "ncclCommInitRank", library.init_rank);
  find(handle, name, "ncclCommDestroy", library.destroy);
  find(handle, name, "ncclCommAbort", library.abort);
  find(handle, name, "ncclCommGetAsyncError", library.get_async_error);
  find(handle, name, "ncclGetErrorString", library.error_string);
  find(handle, name, "ncclGroupStart", library.group_start);
  find(handle, name, "ncclGroupEnd", library.group_end);
  find(handle, name, "ncclAllReduce", library.all_reduce);
  if (get_version(&library.version) != success || library.version < min_version)
    refuse("the library '" + name + "' is NCCL of version " + std::to_string(library.version) +
           ", which is too old");
  find(handle, name, "ncclSend", library.send);
  find(handle, name, "ncclRecv", library.receive);
  return library;
}

}  // namespace tessera::distributed::nccl
