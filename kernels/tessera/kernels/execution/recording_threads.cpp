// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/kernels/execution/recording_threads.hpp"

#include <thread>

namespace tessera::kernels {
namespace {

std::recursive_mutex recording_mutex;
std::thread::id first_thread;  ///< by the mutex, as the next
bool has_several_threads = false;

}  // namespace

void announce_thread() { static_cast<void>(lock_recording()); }

std::unique_lock<std::recursive_mutex> lock_recording() {
  std::unique_lock lock(recording_mutex);
  if (first_thread == std::thread::id()) first_thread = std::this_thread::get_id();
  has_several_threads |= first_thread != std::this_thread::get_id();
  if (has_several_threads) lock.unlock();
  return lock;
}

}  // namespace tessera::kernels
