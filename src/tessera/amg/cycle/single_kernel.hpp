// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A cycle as the steps of a program, for solves within one kernel.
///
/// Kernel by kernel a cycle launches about five a level. Here they are steps between which a
/// kernel's blocks wait for each other: four a level of a V-cycle with one sweep of Jacobi (R with
/// the first sweep, which from zero is a scaling; the residual; P; the sweep behind), and one for
/// the coarsest. The numbers are those of the cycle kernel by kernel up to rounding.
#pragma once

#include "tessera/amg/cycle/cycle_type.hpp"
#include "tessera/amg/cycle/hierarchy.hpp"
#include "tessera/kernels/persistent/step_program.hpp"

#include <string>

namespace tessera::amg {

/// Why a cycle cannot be the steps of a program; empty where it can: all levels are in one
/// precision and relaxed by a diagonal or by a Chebyshev polynomial, and their operators,
/// prolongators and restrictions are in compressed rows of the vectors' scalar, none of them long
/// enough to be shared out by entries; the coarsest is relaxed, too, or has a dense inverse. The
/// steps of a K-cycle depend on inner products.
template <class Scalar, class Space>
std::string obstacle_to_one_kernel(CycleType type, const Hierarchy<Scalar, Space>& hierarchy);

/// The steps of one cycle from the finest level on, for a hierarchy without an obstacle. They read
/// its arrays.
template <class Scalar, class Space>
kernels::StepProgram<Scalar, Space> cycle_program(CycleType type,
                                                  const Hierarchy<Scalar, Space>& hierarchy,
                                                  const kernels::StepSharing& sharing = {});

}  // namespace tessera::amg
