// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/together.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <string>

namespace tessera::app_tpetra {

void together(const Teuchos::Comm<int>& processes, const std::function<void()>& work) {
  app::Failure failure;
  bool failed = true;
  try {
    work();
    failed = false;
  } catch (const std::exception& error) {
    failure = app::failure_of(error);
  }
  const int size = processes.getSize();
  const int own = failed ? processes.getRank() : size;
  int first = size;
  Teuchos::reduceAll(processes, Teuchos::REDUCE_MIN, own, Teuchos::outArg(first));
  if (first == size) return;
  auto code = static_cast<int>(failure.code);
  auto length = static_cast<int>(failure.message.size());
  Teuchos::broadcast(processes, first, &code);
  Teuchos::broadcast(processes, first, &length);
  failure.message.resize(static_cast<std::size_t>(length));
  if (length > 0) Teuchos::broadcast(processes, first, length, failure.message.data());
  failure.code = static_cast<app::ExitCode>(code);
  throw CommandError(failure);
}

}  // namespace tessera::app_tpetra
