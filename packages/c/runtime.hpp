// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Kokkos for programs that know nothing of it, and what has to be freed before it ends.
#pragma once

#include <atomic>
#include <cstdint>

namespace tessera::c {

/// What holds memory of Kokkos's: a solver or a problem behind a handle.
class Handle {
 public:
  virtual ~Handle() = default;
  /// Frees that memory; only the shell is left, which can be deleted at any time.
  virtual void release() noexcept = 0;

  std::atomic<bool> busy = false;
};

/// Initialises Kokkos unless it is. `threads` 0 leaves their number to Kokkos.
/// @throws Failure of TESSERA_ERROR_RUNTIME where that cannot be: Kokkos is finalised, or the
///         process was forked after it was initialised
void start_runtime(std::int32_t threads = 0);

/// From here on the handle is known, and released before Kokkos ends.
void add_handle(Handle& handle);

/// A handle in use by this thread, for the life of this object.
class HandleUse {
 public:
  /// @throws Failure where the pointer is no handle of that name (null, or destroyed), or where
  ///         another thread uses it
  HandleUse(Handle* handle, const char* name);
  ~HandleUse();
  HandleUse(const HandleUse&) = delete;
  HandleUse& operator=(const HandleUse&) = delete;

 private:
  Handle* m_handle;
};

/// The handle is known no more, and deleted. Null is allowed.
/// @throws as HandleUse
void destroy_handle(Handle* handle, const char* name);

}  // namespace tessera::c
