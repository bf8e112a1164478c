// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/on_all_processes.hpp"

#include "tessera/operator/out_of_memory.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <exception>
#include <string>

namespace tessera::tpetra {
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

void on_all_processes(const Teuchos::Comm<int>& processes, const std::function<void()>& work) {
  std::exception_ptr thrown;
  try {
    work();
  } catch (...) {
    thrown = std::current_exception();
  }
  const int size = processes.getSize();
  if (size == 1) {
    if (thrown) std::rethrow_exception(thrown);
    return;
  }
  const int own = thrown ? processes.getRank() : size;
  int first = size;
  Teuchos::reduceAll(processes, Teuchos::REDUCE_MIN, own, Teuchos::outArg(first));
  if (first == size) return;
  Failure failure;
  if (processes.getRank() == first) failure = failure_of(thrown);
  auto length = static_cast<int>(failure.message.size());
  Teuchos::broadcast(processes, first, &failure.kind);
  Teuchos::broadcast(processes, first, &length);
  failure.message.resize(static_cast<std::size_t>(length));
  if (length > 0) Teuchos::broadcast(processes, first, length, failure.message.data());
  throw Error(static_cast<ErrorKind>(failure.kind), "on process " + std::to_string(first) + " of " +
                                                        std::to_string(size) + ": " +
                                                        failure.message);
}

}  // namespace tessera::tpetra
