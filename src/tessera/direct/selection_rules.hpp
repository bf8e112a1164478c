// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The rates by which the time that sparse factors take is estimated.
#pragma once

#include "tessera/operator/rule.hpp"

namespace tessera::rules {

inline constexpr Rule<double> cholesky_flops_per_second = {
    "operations per second of sparse Cholesky factors", 2.5e9,
    "multifrontal panels, measured on a Xeon at 2.x GHz without wide vectors"};
inline constexpr Rule<double> lu_flops_per_second = {"operations per second of sparse LU factors",
                                                     0.5e9, "KLU's scalar loops on the same host"};
inline constexpr Rule<double> factor_seconds_per_entry = {
    "seconds per entry of sparse factors beside the operations", 1.0e-8, "on the same host"};

}  // namespace tessera::rules
