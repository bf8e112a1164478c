// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Steps of a command that end on all processes in the same way.
#pragma once

#include "app/agreed_failure.hpp"

#include <Teuchos_Comm.hpp>

#include <functional>

namespace tessera::app_tpetra {

using app::CommandError;

/// Calls `work` on every process. Where it throws on one, all throw a CommandError with what the
/// first of them had to say. `work` does not communicate, or throws on all processes that it does
/// so with. Collective.
void together(const Teuchos::Comm<int>& processes, const std::function<void()>& work);

}  // namespace tessera::app_tpetra
