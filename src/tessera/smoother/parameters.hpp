// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The parameters of the smoothers.
#pragma once

#include "tessera/operator/parameter_description.hpp"

namespace tessera {

/// Programs add values of their own by name: smoother/register_smoother.hpp.
enum class SmootherType : int { automatic, jacobi, l1_jacobi, chebyshev, spai0, ilu, block_jacobi };

/// Of `SmootherType::jacobi`.
struct JacobiParameters {
  double omega = 4.0 / 3.0;
  bool omega_over_radius = true;
};

/// Of `SmootherType::chebyshev`.
struct ChebyshevParameters {
  int degree = 2;
  double eigenvalue_ratio = 7;
};

/// Which relaxation runs on a level, and how often. An aggregate of another type than `type` is not
/// read.
struct SmootherParameters {
  SmootherType type = SmootherType::automatic;
  int sweeps = 1;
  // With initialisers, so that -Wextra takes designated ones that leave them out.
  JacobiParameters jacobi = {};
  ChebyshevParameters chebyshev = {};
};

/// The library's own.
inline constexpr EnumName<SmootherType> smoother_type_names[] = {
    {SmootherType::automatic, "auto",
     "jacobi; chebyshev where a node has several unknowns, as in elasticity"},
    {SmootherType::jacobi, "jacobi", "the diagonal, damped by the spectral radius of D^-1 A"},
    {SmootherType::l1_jacobi, "l1_jacobi", "each row's sum of magnitudes; needs no damping"},
    {SmootherType::chebyshev, "chebyshev", "a polynomial in D^-1 A for the upper spectrum"},
    {SmootherType::spai0, "spai0",
     "the diagonal sparse approximate inverse, damped in rows where it would amplify"},
    {SmootherType::ilu, "ilu", "incomplete factors on the matrix's own pattern, ILU(0)"},
    {SmootherType::block_jacobi, "block_jacobi",
     "the inverses of full blocks of consecutive rows, found in the pattern: those of cells"}};

template <class Visitor>
void describe_parameters(Visitor& visit, JacobiParameters& p) {
  visit("omega", p.omega, "damping over the spectral radius of D^-1 A", Range{1e-6, 2.0});
  visit("omega_over_radius", p.omega_over_radius,
        "false: omega is the damping itself, whatever the spectral radius");
}

template <class Visitor>
void describe_parameters(Visitor& visit, ChebyshevParameters& p) {
  visit("degree", p.degree, "degree of the polynomial", Range{1, 100});
  visit("eigenvalue_ratio", p.eigenvalue_ratio,
        "spectral radius over the lower end of the interval that is damped", Range{1.0, 1e6});
}

/// Those, and then what is registered by now.
EnumNames<SmootherType> all_smoother_names();

/// Names each member once; see operator/parameter_description.hpp.
template <class Visitor>
void describe_parameters(Visitor& visit, SmootherParameters& p) {
  visit("type", p.type, "the relaxation", all_smoother_names());
  visit("sweeps", p.sweeps, "sweeps before and after the coarse correction", Range{1, 100});
  visit.section("jacobi", p.jacobi, "damped Jacobi, with type=jacobi");
  visit.section("chebyshev", p.chebyshev, "the Chebyshev polynomial, with type=chebyshev");
}

}  // namespace tessera
