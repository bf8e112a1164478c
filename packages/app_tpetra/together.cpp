// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "app_tpetra/together.hpp"

#include <Teuchos_CommHelpers.hpp>

#include <string>

namespace tessera::app_tpetra {

void together(const Teuchos::Comm<int>& processes, const std::function<void()>& work) {
  const auto own = app::failure_in(work);
  const int size = processes.getSize();
  const int place = own ? processes.getRank() : size;
  int first = size;
  Teuchos::reduceAll(processes, Teuchos::REDUCE_MIN, place, Teuchos::outArg(first));
  if (first == size) return;
  app::Failure failure = own.value_or(app::Failure());
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
