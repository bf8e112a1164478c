// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which thread may record graphs. While one thread records, CUDA and HIP refuse every other one to
/// wait for the whole device, and Kokkos does that, and ends the program, where it frees memory. So
/// graphs are recorded by the first thread that solves, and by none after a second one has come.
#pragma once

#include <mutex>

namespace tessera::kernels {

/// To be called where a thread begins to set up or to solve; waits for a recording under way.
void announce_thread();

/// Owned where the calling thread may record, until the lock is given up. What is recorded may
/// announce the thread again.
std::unique_lock<std::recursive_mutex> lock_recording();

}  // namespace tessera::kernels
