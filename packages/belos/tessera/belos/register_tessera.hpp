// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Tessera by name in Belos, and so in MueLu.
#pragma once

namespace tessera::belos {

/// Makes the names "TESSERA", "TESSERA SINGLE KERNEL CG" and "TESSERA SINGLE KERNEL BICGSTAB", in
/// any letters' case, known to `Belos::SolverFactory` for Tpetra's default types, in the whole
/// process: each a `SolverManager`. MueLu then takes them for "smoother: type" and "coarse: type".
/// Further calls do nothing.
void registerTesseraSolver();

}  // namespace tessera::belos
