// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Calls of a device's runtime, of which `Api` (execution/cuda/graph_api.hpp,
/// execution/hip/graph_api.hpp) knows how they fail.
#pragma once

#include "tessera/kernels/execution/error.hpp"

#include <string>

namespace tessera::kernels::detail {

/// Throws `Error` of kind `device` unless `result` says that all went well.
template <class Api>
void check_call(typename Api::Result result, const char* step) {
  if (result == Api::success) return;
  Api::forget_error();  // whoever asks for the last one next has not caused it
  throw Error(ErrorKind::device, std::string(step) + ": " + Api::message(result));
}

/// Makes `device` the one that this thread's calls go to.
template <class Api>
void use_device(int device) {
  int current = -1;
  check_call<Api>(Api::current_device(&current), "asking for the current device");
  if (current != device) check_call<Api>(Api::set_device(device), "choosing a device");
}

}  // namespace tessera::kernels::detail
