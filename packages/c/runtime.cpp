// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "c/runtime.hpp"

#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_set>

#include "c/failure.hpp"
#include "frontend/machine.hpp"
#include "tessera/kernels/execution/recording_threads.hpp"

namespace tessera::c {

namespace {

struct Runtime {
  std::mutex mutex;
  std::unordered_set<Handle*> handles;
  bool hooked = false;
  pid_t process = 0;  ///< that Kokkos was found or made initialised in
};

/// Never destroyed: handles are given back at any time, from destructors of static objects as well.
Runtime& runtime() {
  static auto* const one = new Runtime;
  return *one;
}

/// Before Kokkos ends, whoever ends it.
void release_handles() {
  Runtime& known = runtime();
  const std::lock_guard lock(known.mutex);
  for (Handle* const handle : known.handles)
    if (!handle->busy.load()) handle->release();
}

/// At the end of a program whose Kokkos was initialised here.
void finalize_kokkos() {
  Runtime& known = runtime();
  if (known.process != getpid() || !Kokkos::is_initialized()) return;
  {
    // A thread that still solves would lose its arrays; the end of the process frees them anyway.
    const std::lock_guard lock(known.mutex);
    for (const Handle* const handle : known.handles)
      if (handle->busy.load()) return;
  }
  try {
    Kokkos::finalize();
  } catch (...) {  // nobody is left to be told
  }
}

/// Messages for what is wrong with the handle itself. The mutex is held.
void require_known(const Runtime& known, const Handle* handle, const char* name) {
  require_pointer(handle, name);
  require_argument(known.handles.contains(const_cast<Handle*>(handle)), [&] {
    return std::string(name) + " is not one that was created, or was destroyed before";
  });
}

[[noreturn]] void throw_busy(const char* name) {
  throw Failure(TESSERA_ERROR_BUSY,
                std::string(name) +
                    " is in a call already, of another thread or of the one whose progress "
                    "function this is; take one for each thread");
}

}  // namespace

void start_runtime(std::int32_t threads) {
  require_argument(threads >= 0, [&] {
    return "threads is " + std::to_string(threads) + "; expected 0 or more";
  });
  Runtime& known = runtime();
  const std::lock_guard lock(known.mutex);
  if (known.process != 0 && known.process != getpid()) {
    throw Failure(
        TESSERA_ERROR_RUNTIME,
        "this process was forked from one that used Tessera before, and threads and devices do "
        "not survive that; start processes afresh (spawn), or fork before the first call");
  }
  if (Kokkos::is_finalized()) {
    throw Failure(TESSERA_ERROR_RUNTIME,
                  "Kokkos is finalised; nothing can be set up or solved after that");
  }
  if (!Kokkos::is_initialized()) {
    frontend::initialize_kokkos(threads);
    std::atexit(finalize_kokkos);
  }
  known.process = getpid();
  if (!known.hooked) {
    Kokkos::push_finalize_hook(release_handles);
    known.hooked = true;
  }
}

void add_handle(Handle& handle) {
  const std::lock_guard lock(runtime().mutex);
  runtime().handles.insert(&handle);
}

HandleUse::HandleUse(Handle* handle, const char* name) : m_handle(handle) {
  const std::lock_guard lock(runtime().mutex);
  require_known(runtime(), handle, name);
  if (m_handle->busy.exchange(true)) throw_busy(name);
}

HandleUse::~HandleUse() { m_handle->busy.store(false); }

void destroy_handle(Handle* handle, const char* name) {
  if (handle == nullptr) return;
  {
    const std::lock_guard lock(runtime().mutex);
    require_known(runtime(), handle, name);
    if (handle->busy.exchange(true)) throw_busy(name);
    runtime().handles.erase(handle);
  }
  // Frees of one thread while another one records a graph end the program; after this none records.
  if (Kokkos::is_initialized() && !Kokkos::is_finalized()) kernels::announce_thread();
  handle->release();
  delete handle;
}

}  // namespace tessera::c
