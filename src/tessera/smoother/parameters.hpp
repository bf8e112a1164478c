// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The parameters of the smoothers.
#pragma once

#include "tessera/operator/parameter_description.hpp"
#include "tessera/smoother/ilu_parameters.hpp"

namespace tessera {

/// Programs add values of their own by name: smoother/register_smoother.hpp.
enum class SmootherType : int {
  automatic,
  jacobi,
  l1_jacobi,
  chebyshev,
  spai0,
  ilu,
  block_jacobi,
  gauss_seidel,
  two_stage_gauss_seidel,
  fsai
};

/// Which points a sweep relaxes where the coarsening splits a level's into fine and coarse ones.
/// Of two kinds the order is that before the coarse correction; after it they take turns the other
/// way round.
enum class RelaxationPoints { all, f, fc, cf };

/// Of `SmootherType::jacobi`.
struct JacobiParameters {
  double omega = 4.0 / 3.0;
  bool omega_over_radius = true;
};

/// See smoother/chebyshev_recurrence.hpp.
enum class ChebyshevKind { first, fourth, fourth_optimized };

/// Of `SmootherType::chebyshev`.
struct ChebyshevParameters {
  ChebyshevKind kind = ChebyshevKind::first;
  int degree = 2;
  double eigenvalue_ratio = 7;
};

/// Which rows of a level are a block where their number is not given.
enum class RelaxationBlocks { found, nodes };

/// Of `SmootherType::block_jacobi`.
struct BlockJacobiParameters {
  RelaxationBlocks blocks = RelaxationBlocks::found;
  int block_rows = 0;
};

/// In which order Gauss-Seidel takes rows.
enum class GaussSeidelOrder { colours, natural };

/// Of `SmootherType::gauss_seidel` and `SmootherType::two_stage_gauss_seidel`.
struct GaussSeidelParameters {
  GaussSeidelOrder order = GaussSeidelOrder::colours;
  double omega = 1;
  bool symmetric = false;
  int inner_sweeps = 1;
};

/// Of `SmootherType::fsai`.
struct FsaiParameters {
  int pattern_power = 1;
  double drop_tolerance = 0;
  int max_row_entries = 32;
  double omega = 4.0 / 3.0;
};

/// Which relaxation runs on a level, and how often. An aggregate of another type than `type` is not
/// read.
struct SmootherParameters {
  SmootherType type = SmootherType::automatic;
  int sweeps = 1;
  RelaxationPoints points = RelaxationPoints::all;
  // With initialisers, so that -Wextra takes designated ones that leave them out.
  JacobiParameters jacobi = {};
  ChebyshevParameters chebyshev = {};
  IluParameters ilu = {};
  BlockJacobiParameters block_jacobi = {};
  GaussSeidelParameters gauss_seidel = {};
  FsaiParameters fsai = {};
};

/// The library's own.
inline constexpr EnumName<SmootherType> smoother_type_names[] = {
    {SmootherType::automatic, "auto",
     "by the matrix: chebyshev for several unknowns per node and for positive couplings; without "
     "symmetry ilu on a host, for flows, and block_jacobi on a device, for cells; else jacobi"},
    {SmootherType::jacobi, "jacobi", "the diagonal, damped by the spectral radius of D^-1 A"},
    {SmootherType::l1_jacobi, "l1_jacobi", "each row's sum of magnitudes; needs no damping"},
    {SmootherType::chebyshev, "chebyshev", "a polynomial in D^-1 A for the upper spectrum"},
    {SmootherType::spai0, "spai0",
     "the diagonal sparse approximate inverse, damped in rows where it would amplify"},
    {SmootherType::ilu, "ilu", "incomplete factors on the matrix's own pattern, ILU(0)"},
    {SmootherType::block_jacobi, "block_jacobi",
     "the inverses of blocks of consecutive rows: full blocks found in the pattern, as cells have, "
     "nodes, or a given number of rows"},
    {SmootherType::gauss_seidel, "gauss_seidel",
     "each row with the newest values, by colours or in the rows' order; needs no damping"},
    {SmootherType::two_stage_gauss_seidel, "two_stage_gauss_seidel",
     "Gauss-Seidel whose triangular solves are a few Jacobi sweeps"},
    {SmootherType::fsai, "fsai",
     "a factorised sparse approximate inverse, damped; for symmetric positive definite matrices"}};

inline constexpr EnumName<RelaxationPoints> relaxation_points_names[] = {
    {RelaxationPoints::all, "all", "all at a time"},
    {RelaxationPoints::f, "f", "fine points alone"},
    {RelaxationPoints::fc, "fc", "fine points, then coarse ones; coarse ones first afterwards"},
    {RelaxationPoints::cf, "cf", "coarse points, then fine ones; fine ones first afterwards"}};

inline constexpr EnumName<ChebyshevKind> chebyshev_kind_names[] = {
    {ChebyshevKind::first, "first", "least on an interval below the spectral radius"},
    {ChebyshevKind::fourth, "fourth",
     "least where the coarse correction leaves most; reads no eigenvalue_ratio"},
    {ChebyshevKind::fourth_optimized, "fourth_optimized",
     "of the least bound for the rate of a V-cycle; reads no eigenvalue_ratio"}};

template <class Visitor>
void describe_parameters(Visitor& visit, JacobiParameters& p) {
  visit("omega", p.omega, "damping over the spectral radius of D^-1 A", Range{1e-6, 2.0});
  visit("omega_over_radius", p.omega_over_radius,
        "false: omega is the damping itself, whatever the spectral radius");
}

template <class Visitor>
void describe_parameters(Visitor& visit, ChebyshevParameters& p) {
  visit("kind", p.kind, "kind of Chebyshev polynomial",
        EnumNames<ChebyshevKind>(chebyshev_kind_names));
  visit("degree", p.degree, "degree of the polynomial", Range{1, 100});
  visit("eigenvalue_ratio", p.eigenvalue_ratio,
        "spectral radius over the lower end of the interval that is damped (kind=first)",
        Range{1.0, 1e6});
}

inline constexpr EnumName<RelaxationBlocks> relaxation_blocks_names[] = {
    {RelaxationBlocks::found, "found",
     "full blocks in the level's pattern, as cells of discontinuous elements have; where there are "
     "none, single rows"},
    {RelaxationBlocks::nodes, "nodes",
     "the unknowns of each node of the level: on the finest as many as the matrix has per node, "
     "below one for each near-nullspace vector"}};

template <class Visitor>
void describe_parameters(Visitor& visit, BlockJacobiParameters& p) {
  visit("blocks", p.blocks, "which rows are a block (block_rows=0)",
        EnumNames<RelaxationBlocks>(relaxation_blocks_names));
  visit("block_rows", p.block_rows, "consecutive rows of a block; 0: as blocks says", Range{0, 32});
}

inline constexpr EnumName<GaussSeidelOrder> gauss_seidel_order_names[] = {
    {GaussSeidelOrder::colours, "colours", "rows of a colour at a time: few launches"},
    {GaussSeidelOrder::natural, "natural",
     "as the rows are numbered; on a device a launch for each of the longest chain of coupled "
     "rows"}};

template <class Visitor>
void describe_parameters(Visitor& visit, GaussSeidelParameters& p) {
  visit("order", p.order, "order of the rows (gauss_seidel)",
        EnumNames<GaussSeidelOrder>(gauss_seidel_order_names));
  visit("omega", p.omega, "relaxation factor; beyond 1 over-relaxation (SOR, SSOR)",
        Range{1e-6, 1.999});
  visit("symmetric", p.symmetric,
        "each sweep forward and back; false: forward before the coarse correction, backward after");
  visit("inner_sweeps", p.inner_sweeps,
        "Jacobi sweeps in the place of a triangular solve (two_stage_gauss_seidel)", Range{1, 100});
}

template <class Visitor>
void describe_parameters(Visitor& visit, FsaiParameters& p) {
  visit("pattern_power", p.pattern_power,
        "the factor has the lower pattern of A (1) or of the square of A (2)", Range{1, 2});
  visit("drop_tolerance", p.drop_tolerance,
        "couplings of at most this share of the root of their two diagonal entries stay out of the "
        "pattern",
        Range{0.0, 1.0});
  visit("max_row_entries", p.max_row_entries,
        "entries of a row of the factor, the diagonal among them; the largest couplings stay",
        Range{1, 64});
  visit("omega", p.omega, "damping over the spectral radius of the preconditioned matrix",
        Range{1e-6, 1.999});
}

/// Those, and then what is registered by now.
EnumNames<SmootherType> all_smoother_names();

/// Names each member once; see operator/parameter_description.hpp.
template <class Visitor>
void describe_parameters(Visitor& visit, SmootherParameters& p) {
  visit("type", p.type, "the relaxation", all_smoother_names());
  visit("sweeps", p.sweeps, "sweeps before and after the coarse correction", Range{1, 100});
  visit("points", p.points,
        "which points are relaxed where coarsening has fine and coarse ones (classical, "
        "reduction), by jacobi, l1_jacobi or gauss_seidel; before the coarse correction",
        EnumNames<RelaxationPoints>(relaxation_points_names));
  visit.section("jacobi", p.jacobi, "damped Jacobi, with type=jacobi");
  visit.section("chebyshev", p.chebyshev, "the Chebyshev polynomial, with type=chebyshev");
  visit.section("ilu", p.ilu,
                "the incomplete factors, with type=ilu; negative_pivots=auto keeps them");
  visit.section("block_jacobi", p.block_jacobi, "block Jacobi, with type=block_jacobi");
  visit.section("gauss_seidel", p.gauss_seidel,
                "Gauss-Seidel, with type=gauss_seidel or two_stage_gauss_seidel");
  visit.section("fsai", p.fsai, "the factorised approximate inverse, with type=fsai");
}

}  // namespace tessera
