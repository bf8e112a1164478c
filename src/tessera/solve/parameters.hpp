// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Everything that `Solver` can be told.
#pragma once

#include "tessera/amg/parameters.hpp"
#include "tessera/direct/parameters.hpp"
#include "tessera/kernels/spmv/mbsr/tensor_core_use.hpp"
#include "tessera/smoother/ilu_parameters.hpp"
#include "tessera/solver/solver_parameters.hpp"

namespace tessera {

/// What approximates the inverse inside the Krylov method.
enum class PreconditionerKind { automatic, none, jacobi, block_jacobi, ilu, amg, direct };

inline constexpr EnumName<PreconditionerKind> preconditioner_names[] = {
    {PreconditionerKind::automatic, "auto",
     "amg; jacobi where the diagonal dominates most rows, or on a host degrees follow a power law; "
     "ilu on a host where a flow couples discontinuous elements; direct on a host where that is "
     "estimated to be cheaper, or where iterations fail; none where the diagonal has many zeros"},
    {PreconditionerKind::none, "none", "the identity"},
    {PreconditionerKind::jacobi, "jacobi", "the inverse of the diagonal"},
    {PreconditionerKind::block_jacobi, "block_jacobi", "the inverses of blocks on the diagonal"},
    {PreconditionerKind::ilu, "ilu", "incomplete factors on the matrix's own pattern, ILU(0)"},
    {PreconditionerKind::amg, "amg", "one multigrid cycle"},
    {PreconditionerKind::direct, "direct",
     "sparse factors, on the host and by all its threads, for a device as well"}};

/// In which precision the preconditioner is stored and works. The solver's own vectors and the
/// stopping test keep the matrix's precision.
enum class Precision { automatic, same, single };

inline constexpr EnumName<Precision> precision_names[] = {
    {Precision::automatic, "auto", "float where the values' range allows it"},
    {Precision::same, "same", "as the matrix"},
    {Precision::single, "float", "float under a double solver"}};

/// Whether the preconditioner is made of D A E: with diagonal D and E of powers of two that bring
/// the largest entry of each row and column to about 1, or with such as undo a diagonal scaling of
/// a discretisation, see amg::find_scaling. D = E for a symmetric A.
enum class Equilibration { automatic, none, powers_of_two, unit_diagonal };

inline constexpr EnumName<Equilibration> equilibration_names[] = {
    {Equilibration::automatic, "auto",
     "unit_diagonal where it makes the sums of rows or columns small; powers_of_two where the "
     "scalar "
     "that the preconditioner works or is stored in would not hold the values; else none"},
    {Equilibration::none, "none", "the matrix as it is"},
    {Equilibration::powers_of_two, "powers_of_two",
     "rows and columns scaled until their largest entries are about 1"},
    {Equilibration::unit_diagonal, "unit_diagonal",
     "rows and columns scaled to a diagonal of ones, and to sums as near to zero as they come"}};

inline constexpr EnumName<TensorCoreUse> tensor_core_names[] = {
    {TensorCoreUse::automatic, "auto",
     "those with five vectors and more whose sums are in float, where rows of tiles are long"},
    {TensorCoreUse::on, "on", "all of them; an error where the device has none"},
    {TensorCoreUse::off, "off", "none"}};

/// Everything that `Solver` can be told.
struct SolveParameters {
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  Precision precision = Precision::automatic;
  Equilibration equilibration = Equilibration::automatic;
  bool graph = true;
  bool column_patterns = true;
  TensorCoreUse tensor_cores = TensorCoreUse::automatic;
  int block_rows = 0;
  double max_memory_mb = 0;
  bool forecast_memory = false;
  SolverParameters solver;
  amg::Parameters amg;
  direct::Parameters direct;
  IluParameters ilu;
};

template <class Visitor>
void describe_parameters(Visitor& visit, SolveParameters& p) {
  visit("preconditioner", p.preconditioner, "what approximates the inverse",
        EnumNames<PreconditionerKind>(preconditioner_names));
  visit("precision", p.precision, "precision of the preconditioner",
        EnumNames<Precision>(precision_names));
  visit("equilibration", p.equilibration,
        "factors that scale rows and columns of the matrix inside the preconditioner",
        EnumNames<Equilibration>(equilibration_names));
  visit("graph", p.graph,
        "replay an iteration, or a multigrid cycle, as one graph where the device has graphs");
  visit("column_patterns", p.column_patterns,
        "on a GPU, products with a matrix in compressed rows whose rows repeat, as on grids, read "
        "patterns in place of columns");
  visit("tensor_cores", p.tensor_cores,
        "on a GPU, whether products with a matrix of tiles go to tensor cores",
        EnumNames<TensorCoreUse>(tensor_core_names));
  visit("block_rows", p.block_rows,
        "consecutive rows of a block (block_jacobi); 0: those of full blocks where the pattern has "
        "such, a node's unknowns where they are several and numbered node by node, else 8",
        Range{0, 32});
  visit(
      "max_memory_mb", p.max_memory_mb,
      "limit in MiB of what a setup and its solves take beside the matrix, in the memory that they "
      "work in; 0: none. Where a forecast is above it, open choices are made for less memory",
      Range{0.0, 1e9});
  visit("forecast_memory", p.forecast_memory,
        "whether a setup is preceded by a forecast of its memory, to be shown beside what it took");
  visit.section("solver", p.solver, "the Krylov method");
  visit.section("amg", p.amg, "the multigrid preconditioner");
  visit.section("direct", p.direct, "the sparse direct solver");
  visit.section("ilu", p.ilu, "the incomplete factors");
}

}  // namespace tessera
