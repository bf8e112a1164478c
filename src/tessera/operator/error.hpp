// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// `tessera::Error` and `tessera::require`, for users of the library.
#pragma once

#include "tessera/kernels/execution/error.hpp"
