// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/on_all_processes.hpp"

#include "tessera/distributed/step_memory_limit.hpp"
#include "tessera/operator/out_of_memory.hpp"

#include <cstdint>
#include <exception>
#include <span>
#include <string>

namespace tessera::distributed {
namespace {

struct Failure {
  int kind = 0;
  std::string message;
};

Failure failure_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return {static_cast<int>(error.kind()), error.what()};
  } catch (const std::exception& error) {
    return {static_cast<int>(is_out_of_memory(error) ? ErrorKind::out_of_memory
                                                     : ErrorKind::precondition),
            error.what()};
  } catch (...) {
    return {static_cast<int>(ErrorKind::precondition), "an unknown exception"};
  }
}

}  // namespace

void on_all_processes(const Communicator& processes, const std::function<void()>& work) {
  std::exception_ptr thrown;
  try {
    StepMemoryLimit::run(work);
  } catch (...) {
    thrown = std::current_exception();
  }
  const int size = processes.size();
  if (size == 1) {
    if (thrown) std::rethrow_exception(thrown);
    return;
  }
  const int own = thrown ? processes.rank() : size;
  const auto first = static_cast<int>(processes.minimum_of(own));
  if (first == size) return;
  Failure failure;
  if (processes.rank() == first) failure = failure_of(thrown);
  std::int64_t shape[] = {failure.kind, static_cast<std::int64_t>(failure.message.size())};
  processes.broadcast(std::as_writable_bytes(std::span(shape)), first);
  failure.kind = static_cast<int>(shape[0]);
  failure.message.resize(static_cast<std::size_t>(shape[1]));
  processes.broadcast(std::as_writable_bytes(std::span(failure.message)), first);
  // What another call of this has thrown says it already.
  const std::string where = "on process ";
  throw Error(
      static_cast<ErrorKind>(failure.kind),
      failure.message.starts_with(where)
          ? failure.message
          : where + std::to_string(first) + " of " + std::to_string(size) + ": " + failure.message);
}

}  // namespace tessera::distributed
