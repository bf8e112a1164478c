// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The solvers that Belos knows by name once they are registered.
#pragma once

#include "tessera/operator/parameter_description.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tessera::belos {

enum class SolverKind { tessera, single_kernel_cg, single_kernel_bicgstab };

inline constexpr EnumName<SolverKind> solver_kind_names[] = {
    {SolverKind::tessera, "TESSERA", "picks its method and its preconditioner"},
    {SolverKind::single_kernel_cg, "TESSERA SINGLE KERNEL CG",
     "conjugate gradients, a whole solve in one launch"},
    {SolverKind::single_kernel_bicgstab, "TESSERA SINGLE KERNEL BICGSTAB",
     "stabilised biconjugate gradients, a whole solve in one launch"}};

std::string name_of(SolverKind kind);

/// The kind of that name, in any letters' case; none where it is nobody's.
std::optional<SolverKind> solver_kind_of(std::string_view name);

/// True where a solve is one launch or an error.
inline bool is_single_kernel(SolverKind kind) { return kind != SolverKind::tessera; }

}  // namespace tessera::belos
