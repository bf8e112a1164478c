// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/belos/krylov_method.hpp"

#include "tessera/operator/error.hpp"
#include "tessera/solve/select.hpp"
#include "tessera/tpetra/looks_symmetric.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>

namespace tessera::belos {
namespace {

/// A's diagonal; none where A is no matrix.
std::optional<Tpetra::Vector<double>> diagonal_of(const Operator& A) {
  const auto* const matrix = dynamic_cast<const Tpetra::RowMatrix<double>*>(&A);
  if (matrix == nullptr) return std::nullopt;
  Tpetra::Vector<double> diagonal(matrix->getRowMap());
  matrix->getLocalDiagCopy(diagonal);
  return diagonal;
}

/// The same answer on all processes.
bool on_all(const Operator& A, bool here) {
  const int own = here ? 1 : 0;
  int all = 0;
  Teuchos::reduceAll(*A.getDomainMap()->getComm(), Teuchos::REDUCE_MIN, own, Teuchos::outArg(all));
  return all != 0;
}

bool has_positive_diagonal(const Operator& A) {
  const auto diagonal = diagonal_of(A);
  if (!diagonal) return false;
  const auto d = diagonal->getLocalViewHost(Tpetra::Access::ReadOnly);
  bool positive = true;
  for (std::size_t i = 0; i < d.extent(0); ++i)
    positive = positive && d(i, 0) > 0;
  return on_all(A, positive);
}

template <class Value, std::size_t n>
std::string name_in(const std::array<EnumName<Value>, n>& names, Value value) {
  const auto* const entry = std::ranges::find(names, value, &EnumName<Value>::value);
  return std::string(entry->name);
}

[[noreturn]] void refuse(const std::string& parameter, const std::string& value,
                         const std::string& why) {
  throw Error(ErrorKind::configuration, "parameter 'solver." + parameter + "' is '" + value +
                                            "', which has no effect on Belos's methods: " + why);
}

}  // namespace

void require_taken(const SolverParameters& p) {
  const auto may_be = [&p](std::initializer_list<SolverName> methods) {
    return std::ranges::any_of(methods, [&p](SolverName method) {
      const bool is_picked = method == SolverName::cg || method == SolverName::gmres;
      return p.name == method || (p.name == SolverName::automatic && is_picked);
    });
  };
  const SolverParameters usual;
  const auto own = std::string("or solve on one process by Tessera's own methods");
  if (p.residual == ResidualKind::true_residual && p.name != SolverName::richardson)
    refuse("residual", "true",
           "they check the residual of their recurrence; the true residual is computed at the end, "
           "from which 'solver.verify' restarts; leave it at 'recurrence', " +
               own);
  if (p.divergence_limit != usual.divergence_limit)
    refuse("divergence_limit", std::to_string(p.divergence_limit),
           "they do not check the residual's growth; limit 'solver.max_iterations', " + own);
  if (p.side == PreconditioningSide::left && may_be({SolverName::gmres, SolverName::bicgstab}))
    refuse("side", "left", "they are preconditioned from the right; leave it at 'right', " + own);
  if (p.cg.flexible && may_be({SolverName::cg}))
    refuse("cg.flexible", "true",
           "their CG has no flexible form; take 'solver.name' = 'fgmres', " + own);
  if (p.richardson.stagnation_window != usual.richardson.stagnation_window &&
      may_be({SolverName::richardson}))
    refuse("richardson.stagnation_window", std::to_string(p.richardson.stagnation_window),
           "their fixed point iteration goes on to 'solver.max_iterations'; set that, " + own);
  if (p.single_kernel == SingleKernel::on && may_be({SolverName::cg, SolverName::bicgstab}))
    refuse("single_kernel", "on",
           "a kernel is of one process and of Tessera's own methods; leave it at 'auto', " + own);
  if (p.tiles != TilePrecision::off && may_be({SolverName::cg, SolverName::bicgstab}))
    refuse("tiles", name_in(tile_precision_names, p.tiles),
           "tiles are of solves in one kernel; leave it at 'off', " + own);
}

bool varies(const SolveParameters& parameters) {
  SolveParameters p = parameters;
  if (p.preconditioner == PreconditionerKind::automatic) p.preconditioner = PreconditionerKind::amg;
  const bool is_K_cycle =
      p.preconditioner == PreconditionerKind::amg && p.amg.cycle == amg::CycleType::k;
  return is_K_cycle || rounds_vectors(p);
}

SolverName chosen_method(const SolverParameters& p, const Operator& A, const Operator& M,
                         bool varies) {
  if (p.name != SolverName::automatic) return p.name;
  const bool suits_cg =
      M.hasTransposeApply() && has_positive_diagonal(A) && tpetra::looks_symmetric(A);
  if (suits_cg) return SolverName::cg;
  return on_all(A, !varies) ? SolverName::gmres : SolverName::fgmres;
}

std::string note_on_K_cycle(SolverName asked, SolverName method) {
  const std::string name = name_in(solver_names, method);
  if (asked == SolverName::automatic) return "solver " + name + ": the K-cycle is not linear";
  if (method == SolverName::fgmres || method == SolverName::richardson) return {};
  return "K-cycle under " + name + ": the K-cycle is not linear, and Belos's " + name +
         " takes it for linear; solver.name=fgmres does not";
}

void require_constant_nullspace(const Operator& A) {
  if (!diagonal_of(A) || has_zero_row_sums(A, 1000)) return;
  throw Error(
      ErrorKind::configuration,
      "solver.nullspace=constant: A does not annihilate the constant, expected rows that sum "
      "to zero; with solver.nullspace=none nothing is projected out");
}

bool has_zero_row_sums(const Operator& A, double epsilons) {
  const auto diagonal = diagonal_of(A);
  if (!diagonal) return false;
  Vectors ones(A.getDomainMap(), 1);
  Vectors sums(A.getRangeMap(), 1);
  ones.putScalar(1);
  A.apply(ones, sums);
  const double round_off = epsilons * std::numeric_limits<double>::epsilon();
  const auto d = diagonal->getLocalViewHost(Tpetra::Access::ReadOnly);
  const auto s = sums.getLocalViewHost(Tpetra::Access::ReadOnly);
  bool zero = true;
  for (std::size_t i = 0; i < s.extent(0); ++i)
    zero = zero && std::abs(s(i, 0)) <= round_off * std::abs(d(i, 0));
  return on_all(A, zero);
}

}  // namespace tessera::belos
