// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the small eigenvalue problems of Lanczos and Arnoldi answer.
#pragma once

namespace tessera::amg::detail {

/// An eigenvalue and how far it may be from one of the operator that the method was run on.
struct RitzValue {
  double value = 0;
  double residual = 0;
};

}  // namespace tessera::amg::detail
