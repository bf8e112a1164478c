// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The parameters of all Krylov solvers.
#pragma once

#include "tessera/operator/parameter_description.hpp"

namespace tessera {

enum class SolverName { automatic, cg, bicgstab, gmres, fgmres, richardson };
enum class StoppingReference { rhs, initial_residual };
enum class ResidualKind { recurrence, true_residual };
enum class PreconditioningSide { left, right };
enum class NullspaceKind { automatic, none, constant, components, given };
enum class RunAhead { automatic, off, on };
enum class SingleKernel { automatic, off, on };
enum class TilePrecision { off, fixed, dynamic };

/// Of `SolverName::cg`.
struct CgParameters {
  bool flexible = false;
};

/// Of `SolverName::gmres` and `SolverName::fgmres`, which have the same basis and restarts.
struct GmresParameters {
  int restart = 50;
};

/// Of `SolverName::richardson`.
struct RichardsonParameters {
  double damping = 1;
  int stagnation_window = 50;
};

/// How a Krylov solver iterates and when it stops. "Converged" always means that the true residual
/// b - A x met a tolerance, the relative or the absolute one; these parameters choose only what is
/// looked at on the way. What one method alone reads is in the aggregate of its name; the others
/// serve several.
struct SolverParameters {
  SolverName name = SolverName::automatic;
  double tolerance = 1e-8;
  double absolute_tolerance = 0;
  int max_iterations = 1000;
  double time_limit_s = 0;
  StoppingReference reference = StoppingReference::rhs;
  ResidualKind residual = ResidualKind::recurrence;
  bool verify = true;
  double divergence_limit = 1e8;
  PreconditioningSide side = PreconditioningSide::right;
  NullspaceKind nullspace = NullspaceKind::automatic;
  RunAhead ahead = RunAhead::automatic;
  SingleKernel single_kernel = SingleKernel::automatic;
  TilePrecision tiles = TilePrecision::off;
  // With initialisers, so that -Wextra takes designated ones that leave them out.
  CgParameters cg = {};
  GmresParameters gmres = {};
  RichardsonParameters richardson = {};
};

inline constexpr std::array<EnumName<SolverName>, 6> solver_names{
    {{SolverName::automatic, "auto",
      "cg where the matrix is symmetric with a positive diagonal, else gmres, or fgmres around "
      "multigrid in float or a K-cycle"},
     {SolverName::cg, "cg", "conjugate gradients, for symmetric positive definite systems"},
     {SolverName::bicgstab, "bicgstab", "stabilised biconjugate gradients, short recurrences"},
     {SolverName::gmres, "gmres", "restarted generalised minimal residual"},
     {SolverName::fgmres, "fgmres", "GMRES whose preconditioner may change in each iteration"},
     {SolverName::richardson, "richardson", "preconditioned fixed-point iteration"}}};

inline constexpr std::array<EnumName<StoppingReference>, 2> stopping_reference_names{
    {{StoppingReference::rhs, "rhs", "relative to the right-hand side's norm"},
     {StoppingReference::initial_residual, "initial_residual",
      "relative to the first residual's norm"}}};

inline constexpr std::array<EnumName<ResidualKind>, 2> residual_kind_names{
    {{ResidualKind::recurrence, "recurrence", "the method's own recurrence"},
     {ResidualKind::true_residual, "true",
      "b - A x in each iteration (cg, bicgstab from the right, richardson; not supported by "
      "others)"}}};

inline constexpr std::array<EnumName<PreconditioningSide>, 2> preconditioning_side_names{
    {{PreconditioningSide::left, "left", "M A x = M b"},
     {PreconditioningSide::right, "right", "A M y = b, x = M y"}}};

inline constexpr std::array<EnumName<NullspaceKind>, 5> nullspace_kind_names{
    {{NullspaceKind::automatic, "auto",
      "of a symmetric matrix: given where a program gave one; constant where every row sums to "
      "zero, components where it has several parts or rows of zeros, or where a solve fails and "
      "they are found; else none"},
     {NullspaceKind::none, "none", "nothing is projected out"},
     {NullspaceKind::constant, "constant",
      "the constant vector, e.g. pure Neumann problems; an error where it is not in the nullspace"},
     {NullspaceKind::components, "components",
      "the constant of each connected component whose rows sum to zero; an error where none is"},
     {NullspaceKind::given, "given",
      "the vectors that a program gave by set_nullspace; an error without them"}}};

/// Whether a choice, once made, has vectors projected out.
inline bool projects_nullspace(NullspaceKind kind) {
  return kind != NullspaceKind::automatic && kind != NullspaceKind::none;
}

inline constexpr std::array<EnumName<RunAhead>, 3> run_ahead_names{
    {{RunAhead::automatic, "auto", "on where the device has events"},
     {RunAhead::off, "off", "each iteration is queued when the residual before it is known"},
     {RunAhead::on, "on", "an iteration is queued while the one before it runs"}}};

inline constexpr std::array<EnumName<SingleKernel>, 3> single_kernel_names{
    {{SingleKernel::automatic, "auto",
      "on for up to 3.6 million entries on a device, 1.8 million on tiles, 450,000 with amg, "
      "200,000 with ilu of up to 200 levels, and rows of up to 100,000 entries"},
     {SingleKernel::off, "off", "iterations are launched one by one"},
     {SingleKernel::on, "on", "whatever the size and the machine"}}};

inline constexpr std::array<EnumName<TilePrecision>, 3> tile_precision_names{
    {{TilePrecision::off, "off", "the matrix stays in CSR"},
     {TilePrecision::fixed, "fixed",
      "each tile of 16 by 16 in the lowest of FP64, FP32, bfloat16, half and fp8 that holds its "
      "entries to 1e-15 of themselves"},
     {TilePrecision::dynamic, "dynamic",
      "as fixed, and lower where the entries of the direction that a tile multiplies are small; "
      "the true residual meets the tolerance all the same"}}};

template <class Visitor>
void describe_parameters(Visitor& visit, CgParameters& p) {
  visit("flexible", p.flexible,
        "Polak-Ribiere beta, which tolerates a slightly nonsymmetric preconditioner");
}

template <class Visitor>
void describe_parameters(Visitor& visit, GmresParameters& p) {
  visit("restart", p.restart, "basis vectors before a restart", Range{1, 10000});
}

template <class Visitor>
void describe_parameters(Visitor& visit, RichardsonParameters& p) {
  visit("damping", p.damping, "factor on each correction", Range{1e-6, 10.0});
  visit("stagnation_window", p.stagnation_window,
        "iterations without a smaller residual before the solve counts as stagnated; 0: no limit",
        Range{0, 100000000});
}

/// Names each member once; see operator/parameter_description.hpp.
template <class Visitor>
void describe_parameters(Visitor& visit, SolverParameters& p) {
  visit("name", p.name, "the method", EnumNames<SolverName>(solver_names));
  visit("tolerance", p.tolerance, "relative residual norm at which the solve has converged",
        Range{0.0, 1.0});
  visit("absolute_tolerance", p.absolute_tolerance,
        "residual norm ||b - A x|| at which the solve has converged, too: the larger of the two "
        "tolerances counts; 0: the relative one alone",
        Range{0.0, 1e300});
  visit("max_iterations", p.max_iterations, "iteration limit", Range{0, 100000000});
  visit("time_limit_s", p.time_limit_s, "time limit in seconds; 0: none", Range{0.0, 1e9});
  visit("reference", p.reference, "what the residual is relative to",
        EnumNames<StoppingReference>(stopping_reference_names));
  visit("residual", p.residual, "which residual is checked in each iteration",
        EnumNames<ResidualKind>(residual_kind_names));
  visit("verify", p.verify,
        "where the true residual turns out above the tolerance, restart from it; false: stop as "
        "stagnated");
  visit("divergence_limit", p.divergence_limit,
        "growth of the residual norm over its start at which the solve has diverged",
        Range{1.0, 1e300});
  visit("side", p.side, "side of the preconditioner (bicgstab, gmres)",
        EnumNames<PreconditioningSide>(preconditioning_side_names));
  visit("nullspace", p.nullspace, "nullspace of a symmetric singular matrix, projected out",
        EnumNames<NullspaceKind>(nullspace_kind_names));
  visit("ahead", p.ahead,
        "whether an iteration is queued before the last one's residual is read, unless that "
        "residual is expected to meet the tolerance; x and the iterations are the same (cg, gmres, "
        "fgmres)",
        EnumNames<RunAhead>(run_ahead_names));
  visit("single_kernel", p.single_kernel,
        "whether a whole solve is one launch; it needs one right-hand side, no live logger, and as "
        "preconditioner none, jacobi, block_jacobi, ilu, or amg whose levels are stored in CSR and "
        "smoothed by Jacobi or Chebyshev (cg, bicgstab)",
        EnumNames<SingleKernel>(single_kernel_names));
  visit("tiles", p.tiles,
        "precision of the matrix in a solve that is one launch, with preconditioner none or "
        "jacobi; other solves keep the matrix's own (cg, bicgstab)",
        EnumNames<TilePrecision>(tile_precision_names));
  visit.section("cg", p.cg, "conjugate gradients, with name=cg");
  visit.section("gmres", p.gmres, "GMRES, with name=gmres or fgmres");
  visit.section("richardson", p.richardson, "fixed-point iteration, with name=richardson");
}

}  // namespace tessera
